/** The composer as drawn: core's composer state plus the editor of its text. */
import type { Composer } from "../../core/composer/composer.ts";
import type { LinkPreviewState } from "../../core/composer/link-previews.ts";
import type { Upload } from "../../core/core.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Message } from "../../wire/entities/message.ts";
import { EVERYBODY, type Audience } from "../../model/audience.ts";
import { sameFields } from "../../model/same-list.ts";
import { clear } from "../editor/edits.ts";
import { createEditor, type EditorState } from "../editor/state.ts";

export interface ComposerBox {
  readonly editor: EditorState;
  /** The revision of core's text that the editor was created from. */
  readonly revision: number;
  /** The quoted message, and its id, also when it is not loaded. */
  readonly quote?: Message;
  readonly quotedId?: string;
  /** Who was chosen to see what is sent, and who will see it, as far as that is known (R-SEND-16). */
  readonly onlyFor?: Audience;
  readonly audience: Audience | undefined;
  /** The message being edited. */
  readonly editing?: { message: Message };
  /** A thread reply that is also shown in the channel. */
  readonly alsoChannel: boolean;
  readonly uploads: readonly Upload[];
  /** Attachments restored from a draft. */
  readonly carried: readonly Attachment[];
  readonly previews: readonly LinkPreviewState[];
}

export const EMPTY_BOX: ComposerBox = {
  editor: createEditor(),
  revision: 0,
  audience: EVERYBODY,
  alsoChannel: false,
  uploads: [],
  carried: [],
  previews: [],
};

/** An editor for a text that core changed; the killed texts are preserved. */
function editorFor(text: string, previous: EditorState): EditorState {
  if (text === previous.text) return previous;
  return text === "" ? clear(previous) : createEditor(text, previous.kills);
}

/** Builds the box from core's state; returns the same object if nothing changed. `find` looks up the quoted message. */
export function boxFrom(
  composer: Composer,
  previous: ComposerBox,
  find: (id: string) => Message | undefined,
): ComposerBox {
  const { text, revision, quotedMessageId, editing, showInChannel, carried, onlyFor, audience } =
    composer.state();
  const quote = quotedMessageId === undefined ? undefined : find(quotedMessageId);
  const next: ComposerBox = {
    editor: revision === previous.revision ? previous.editor : editorFor(text, previous.editor),
    revision,
    ...(quote && { quote }),
    ...(quotedMessageId !== undefined && { quotedId: quotedMessageId }),
    ...(onlyFor && { onlyFor }),
    audience,
    ...(editing && {
      editing: previous.editing?.message === editing ? previous.editing : { message: editing },
    }),
    alsoChannel: showInChannel,
    uploads: composer.attachments.state().uploads,
    carried,
    previews: composer.links.state().previews,
  };
  return sameFields(previous, next) ? previous : next;
}

/** There is nothing that Ctrl-C could clear. */
export const isEmptyBox = ({ editor, quote, uploads, carried }: ComposerBox): boolean =>
  editor.text === "" && !quote && uploads.length === 0 && carried.length === 0;
