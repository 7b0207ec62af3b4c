/** Editing actions shared by the composer, the search line and form fields. */
import { edit, move, type Edit, type Motion } from "./edits.ts";
import type { EditorState } from "./state.ts";

/** Applies a change to the focused line. */
type ApplyEdit<P> = (ports: P, change: (editor: EditorState) => EditorState) => void;

const edits =
  <P>(apply: ApplyEdit<P>, name: Edit) =>
  (ports: P): void =>
    apply(ports, (editor) => edit(editor, name));
const moves =
  <P>(apply: ApplyEdit<P>, name: Motion) =>
  (ports: P): void =>
    apply(ports, (editor) => move(editor, name));

export const lineActions = <P>(apply: ApplyEdit<P>) => ({
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

/** The same for forms, where left and right also change a switch or choice; `turnOption` is true when it did. */
export const fieldActions = <P>(apply: ApplyEdit<P>, changeOption: (ports: P, by: 1 | -1) => boolean) => ({
  formLeft: (ports: P) => changeOption(ports, -1) || moves(apply, "left")(ports),
  formRight: (ports: P) => changeOption(ports, 1) || moves(apply, "right")(ports),
  formStart: moves(apply, "home"),
  formEnd: moves(apply, "end"),
  formErase: edits(apply, "backspace"),
  formDelete: edits(apply, "delete"),
  formEraseWord: edits(apply, "killWordLeft"),
  formClear: edits(apply, "killToStart"),
});
