/** Actions of the composer and its completions. */
import { edit, move } from "../../editor/edits.ts";
import { lineActions } from "../../editor/line-actions.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Action } from "../../ports/ports.ts";
import { takeBack } from "../../ports/take-back.ts";
import * as clearing from "./clearing.ts";
import { sendLater, submit } from "./slash.ts";
import { listScheduled } from "./scheduled.ts";
import * as pasting from "./pasting.ts";
import { togglePreview } from "./preview.ts";
import { retryOne, takeOffOne } from "./uploads.ts";
import { vimActions, writeAgain } from "./vim.ts";
import * as writing from "./writing.ts";

const editLast: Action = (ports) => {
  ports.store.update((s) => withFocus(s, "composer"));
  writing.editLast(ports);
};

const undo: Action = (ports) => {
  if (!clearing.undoOrPutBack(ports)) takeBack(ports);
};

export const composerActions = {
  write: ({ store }) => store.update((s) => withFocus(s, "composer")),
  writeCommand: (ports) => writing.beginLine(ports, "/"),
  send: writeAgain(submit),
  sendLater,
  scheduled: listScheduled,
  newline: (ports) => writing.apply(ports, (editor) => edit(editor, "newline")),
  complete: writing.completeOrMove,
  completeAccept: writing.accept,
  completeEnter: writing.acceptOrSend,
  completeNext: (ports) => writing.chooseCompletion(ports, 1),
  completePrevious: (ports) => writing.chooseCompletion(ports, -1),
  historyPrevious: (ports) => writing.history(ports, -1),
  historyNext: (ports) => writing.history(ports, 1),
  up: writing.up,
  down: writing.down,
  editLast,
  takeOff: takeOffOne,
  retryUpload: retryOne,
  externalEditor: writing.externalEditor,
  alsoChannel: writing.alsoChannel,
  preview: togglePreview,
  dismissPreviews: writing.dismissPreviews,
  ...lineActions(writing.apply),
  textStart: (ports) => writing.apply(ports, (editor) => move(editor, "start")),
  textEnd: (ports) => writing.apply(ports, (editor) => move(editor, "finish")),
  yank: clearing.yank,
  undo,
  redo: pasting.redoChange,
  pasteClipboard: pasting.pasteClipboard,
  clear: writeAgain(clearing.clearOrLeave),
  ...vimActions,
} satisfies Record<string, Action>;
