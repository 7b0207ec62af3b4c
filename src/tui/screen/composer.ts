/** What stands in one box as it is drawn: core's composition of the place, and the editor of its letters. */
import type { Composer as Composition } from "../../core/composer/composer.ts";
import type { LinkPreview } from "../../core/composer/link-previews.ts";
import type { Upload } from "../../core/core.ts";
import type { Attachment } from "../../wire/attachment.ts";
import type { Message } from "../../wire/message.ts";
import { clear } from "../editor/edits.ts";
import { createEditor } from "../editor/state.ts";
import type { EditorState } from "../editor/state.ts";
import type { ThreadRef } from "../../model/state.ts";
import { composerPlace, placeKey } from "./screen.ts";
import type { Screen } from "./screen.ts";

export interface Composer {
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
  readonly previews: readonly LinkPreview[];
}

export const EMPTY_COMPOSER: Composer = {
  editor: createEditor(),
  revision: 0,
  alsoChannel: false,
  uploads: [],
  carried: [],
  previews: [],
};

/** What stands in the box of a place. */
export const boxOf = (screen: Screen, place: ThreadRef | undefined = composerPlace(screen)): Composer =>
  (place && screen.composers.get(placeKey(place))) ?? EMPTY_COMPOSER;

/** Another text than the one that was typed: what was cut stays at hand. */
function editorFor(text: string, before: EditorState): EditorState {
  if (text === before.text) return before;
  return text === "" ? clear(before) : createEditor(text, before.kills);
}

/** The box as core has it now; the same object where nothing of it moved. Quoted messages are looked up by the caller. */
export function drawnFrom(
  composition: Composition,
  before: Composer,
  find: (id: string) => Message | undefined,
): Composer {
  const { text, revision, quotedMessageId, editing, showInChannel, carried } = composition.state();
  const quote = quotedMessageId === undefined ? undefined : find(quotedMessageId);
  const next: Composer = {
    editor: revision === before.revision ? before.editor : editorFor(text, before.editor),
    revision,
    ...(quote && { quote }),
    ...(editing && { editing: before.editing?.message === editing ? before.editing : { message: editing } }),
    alsoChannel: showInChannel,
    uploads: composition.attachments.state().uploads,
    carried,
    previews: composition.links.state().previews,
  };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])] as (keyof Composer)[];
  return keys.every((key) => before[key] === next[key]) ? before : next;
}

/** Nothing that a Ctrl-C could clear. */
export const isClear = ({ editor, quote, uploads, carried }: Composer): boolean =>
  editor.text === "" && !quote && uploads.length === 0 && carried.length === 0;
