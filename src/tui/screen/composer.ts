/** The composer as it is drawn: core's state for the place, and the editor of its text. */
import type { Composer } from "../../core/composer/composer.ts";
import type { LinkPreviewState } from "../../core/composer/link-previews.ts";
import type { Upload } from "../../core/core.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Message } from "../../wire/entities/message.ts";
import { clear } from "../editor/edits.ts";
import { createEditor, type EditorState } from "../editor/state.ts";

export interface ComposerBox {
  readonly editor: EditorState;
  /** Which of core's texts the editor began with. */
  readonly revision: number;
  /** The message this one quotes. */
  readonly quote?: Message;
  /** The message whose text this is. */
  readonly editing?: { message: Message };
  /** A thread reply that is also shown in the channel. */
  readonly alsoChannel: boolean;
  readonly uploads: readonly Upload[];
  /** Attachments that a draft brought along. */
  readonly carried: readonly Attachment[];
  readonly previews: readonly LinkPreviewState[];
}

export const EMPTY_BOX: ComposerBox = {
  editor: createEditor(),
  revision: 0,
  alsoChannel: false,
  uploads: [],
  carried: [],
  previews: [],
};

/** Another text than the one that was typed: what was cut stays at hand. */
function editorFor(text: string, before: EditorState): EditorState {
  if (text === before.text) return before;
  return text === "" ? clear(before) : createEditor(text, before.kills);
}

/** The box as core has it now; the same object where nothing of it moved. Quoted messages are looked up by the caller. */
export function drawnFrom(
  composer: Composer,
  before: ComposerBox,
  find: (id: string) => Message | undefined,
): ComposerBox {
  const { text, revision, quotedMessageId, editing, showInChannel, carried } = composer.state();
  const quote = quotedMessageId === undefined ? undefined : find(quotedMessageId);
  const next: ComposerBox = {
    editor: revision === before.revision ? before.editor : editorFor(text, before.editor),
    revision,
    ...(quote && { quote }),
    ...(editing && { editing: before.editing?.message === editing ? before.editing : { message: editing } }),
    alsoChannel: showInChannel,
    uploads: composer.attachments.state().uploads,
    carried,
    previews: composer.links.state().previews,
  };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])] as (keyof ComposerBox)[];
  return keys.every((key) => before[key] === next[key]) ? before : next;
}

/** Nothing that a Ctrl-C could clear. */
export const isClear = ({ editor, quote, uploads, carried }: ComposerBox): boolean =>
  editor.text === "" && !quote && uploads.length === 0 && carried.length === 0;
