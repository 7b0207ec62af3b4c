/** What keys do in a line that is typed, told once for the box, the search and the fields of forms. */
import { edit, move, type Edit, type Motion } from "./edits.ts";
import type { EditorState } from "./state.ts";

/** Changes the line that has the keys. */
type Apply<P> = (ports: P, change: (editor: EditorState) => EditorState) => void;

const edits =
  <P>(apply: Apply<P>, name: Edit) =>
  (ports: P): void =>
    apply(ports, (editor) => edit(editor, name));
const moves =
  <P>(apply: Apply<P>, name: Motion) =>
  (ports: P): void =>
    apply(ports, (editor) => move(editor, name));

export const lineActions = <P>(apply: Apply<P>) => ({
  left: moves(apply, "left"),
  right: moves(apply, "right"),
  wordLeft: moves(apply, "wordLeft"),
  wordRight: moves(apply, "wordRight"),
  lineStart: moves(apply, "home"),
  lineEnd: moves(apply, "end"),
  deleteLeft: edits(apply, "backspace"),
  deleteRight: edits(apply, "delete"),
  deleteWordLeft: edits(apply, "killBlankLeft"),
  deleteWordRight: edits(apply, "killWordRight"),
  killToStart: edits(apply, "killToStart"),
  killToEnd: edits(apply, "killToEnd"),
});

/** In a form: where the cursor is on a switch or a choice, left and right turn that; true when they did. */
export const fieldActions = <P>(apply: Apply<P>, turned: (ports: P, by: 1 | -1) => boolean) => ({
  formLeft: (ports: P) => turned(ports, -1) || moves(apply, "left")(ports),
  formRight: (ports: P) => turned(ports, 1) || moves(apply, "right")(ports),
  formStart: moves(apply, "home"),
  formEnd: moves(apply, "end"),
  formErase: edits(apply, "backspace"),
  formDelete: edits(apply, "delete"),
  formEraseWord: edits(apply, "killWordLeft"),
  formClear: edits(apply, "killToStart"),
});
