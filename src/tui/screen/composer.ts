/** What stands in one box: the text being written, and whether it is new, a quote's answer or an edit. */
import type { LocalDraft } from "../../core/store/store.ts";
import type { Message } from "../../wire/message.ts";
import { clear } from "../editor/edits.ts";
import { createEditor } from "../editor/state.ts";
import type { EditorState } from "../editor/state.ts";
import type { ThreadRef } from "../../model/state.ts";

export interface Composer {
  readonly editor: EditorState;
  /** The message this one quotes. */
  readonly quote?: Message;
  /** The message whose text this is, and what stood in the box before the edit began. */
  readonly editing?: { message: Message; before: EditorState };
  /** A thread reply that is also shown in the channel. */
  readonly alsoChannel: boolean;
}

export const EMPTY_COMPOSER: Composer = { editor: createEditor(), alsoChannel: false };

/** The box as a draft left it; quoted and edited messages are looked up by the caller. */
export function fromDraft(
  draft: LocalDraft | undefined,
  find: (id: string) => Message | undefined,
): Composer {
  if (!draft) return EMPTY_COMPOSER;
  const quote = draft.quotedMessageId === undefined ? undefined : find(draft.quotedMessageId);
  const edited = draft.editingId === undefined ? undefined : find(draft.editingId);
  return {
    ...EMPTY_COMPOSER,
    editor: createEditor(draft.text),
    ...(quote ? { quote } : {}),
    ...(edited ? { editing: { message: edited, before: createEditor() } } : {}),
  };
}

/** What is kept on disk of the box (D10). */
export function toDraft(place: ThreadRef, composer: Composer): Omit<LocalDraft, "updatedAt"> {
  return {
    cid: place.cid,
    ...(place.parentId === undefined ? {} : { parentId: place.parentId }),
    text: composer.editor.text,
    ...(composer.quote ? { quotedMessageId: composer.quote.id } : {}),
    ...(composer.editing ? { editingId: composer.editing.message.id } : {}),
  };
}

export function withEditor(composer: Composer, editor: EditorState): Composer {
  return editor === composer.editor ? composer : { ...composer, editor };
}

export function quoting(composer: Composer, message: Message): Composer {
  return { ...composer, quote: message };
}

/** Takes the message's text into the box; what stood there comes back when the edit ends. */
export function beginEdit(composer: Composer, message: Message): Composer {
  const before = composer.editing ? composer.editing.before : composer.editor;
  return {
    ...composer,
    editor: createEditor(message.text, composer.editor.kills),
    editing: { message, before },
  };
}

/** Saved or given up: the text from before the edit is back. */
export function endEdit(composer: Composer): Composer {
  if (!composer.editing) return composer;
  const { editing, ...rest } = composer;
  return { ...rest, editor: editing.before };
}

/** After sending: an empty box; what was cut stays at hand. */
export function sent(composer: Composer): Composer {
  return { editor: clear(composer.editor), alsoChannel: false };
}

/** Ctrl-C: an edit is given up, else text and quote go; undefined when there was nothing to clear. */
export function cleared(composer: Composer): Composer | undefined {
  if (composer.editing) return endEdit(composer);
  if (composer.editor.text === "" && !composer.quote) return undefined;
  return { editor: clear(composer.editor), alsoChannel: composer.alsoChannel };
}
