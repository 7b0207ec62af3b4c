/** Actions of the composer and its completions. */
import { edit, move } from "../../editor/edits.ts";
import { lineActions } from "../../editor/line-actions.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Action } from "../../ports/ports.ts";
import { takeBack } from "../../ports/take-back.ts";
import * as clearing from "./clear.ts";
import { sendLater, sendSilently } from "./enter-message.ts";
import { copySelected, selectActions } from "./select.ts";
import { submit } from "./submit.ts";
import { listScheduled } from "./scheduled.ts";
import * as pasting from "./paste.ts";
import { togglePreview } from "./preview.ts";
import { recordVoice } from "./record.ts";
import { chooseUploadToRetry, chooseFileToRemove } from "./uploads.ts";
import { vimActions, leaveVimWhenEmpty } from "./vim.ts";
import * as writing from "./text-actions.ts";

const editLast: Action = (ports) => {
  ports.store.update((s) => withFocus(s, "composer"));
  writing.editLast(ports);
};

const undo: Action = (ports) => {
  if (!clearing.undoOrRestore(ports)) takeBack(ports);
};

export const composerActions = {
  write: ({ store }) => store.update((s) => withFocus(s, "composer")),
  writeCommand: (ports) => writing.beginLine(ports, "/"),
  send: leaveVimWhenEmpty(submit),
  sendLater,
  sendSilently,
  scheduled: listScheduled,
  newline: (ports) => writing.apply(ports, (editor) => edit(editor, "newline")),
  complete: writing.completeOrMove,
  completeAccept: writing.acceptCompletion,
  completeEnter: writing.acceptOrSend,
  completeNext: (ports) => writing.chooseCompletion(ports, 1),
  completePrevious: (ports) => writing.chooseCompletion(ports, -1),
  historyPrevious: (ports) => writing.walkHistory(ports, -1),
  historyNext: (ports) => writing.walkHistory(ports, 1),
  up: writing.up,
  down: writing.down,
  editLast,
  takeOff: chooseFileToRemove,
  retryUpload: chooseUploadToRetry,
  externalEditor: writing.externalEditor,
  alsoChannel: writing.alsoChannel,
  preview: togglePreview,
  linkPreviews: writing.toggleLinkPreviews,
  ...lineActions(writing.apply),
  ...selectActions,
  textStart: (ports) => writing.apply(ports, (editor) => move(editor, "start")),
  textEnd: (ports) => writing.apply(ports, (editor) => move(editor, "finish")),
  yank: clearing.yank,
  undo,
  redo: pasting.redoChange,
  attachPasted: pasting.attachPasted,
  recordVoice,
  pasteClipboard: pasting.pasteClipboard,
  clear: leaveVimWhenEmpty((ports) => copySelected(ports) || clearing.clearOrLeave(ports)),
  ...vimActions,
} satisfies Record<string, Action>;
