/** The composer of a channel or thread: joins text, quote, files, link previews, mentions, location and poll into one message, or edits one (R-SEND-4). */
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import { makeMessageId } from "../../wire/ids.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { OutgoingMessage, Sent, Upload } from "../base/api-types.ts";
import { LocalError } from "../../model/errors.ts";
import {
  answeredIds,
  audienceOfMessage,
  AudienceError,
  commonAudience,
  EVERYBODY,
  writtenAudience,
  type Audience,
} from "../../model/audience.ts";
import { heldNear } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { locationPart, type LocationChoice } from "../locations/validity.ts";
import { ChangedMeanwhileError } from "../outbox/execute-row.ts";
import type { AttachmentComposer, AttachOptions } from "./attachments.ts";
import type { Audiences } from "./audiences.ts";
import type { DraftContent } from "../lists/provider-drafts.ts";
import type { LinkPreviews } from "./link-previews.ts";
import { loadMentionMarkup, type MentionsFound } from "../../model/mentions.ts";
import type { PollComposer } from "./poll.ts";
import type { Suggestions } from "./suggestions.ts";
import type { Services } from "../http/services.ts";

interface ComposerState {
  text: string;
  /** Incremented when the text was changed by anything but `typed` (a draft, a send, a clear): read the text again then. */
  revision: number;
  quotedMessageId?: string;
  editing?: Message;
  showInChannel: boolean;
  /** Uploaded attachments of a restored draft, for the next send. */
  carried: readonly Attachment[];
  /** For the next send (R-LOC-1). */
  location?: LocationChoice;
  /** Who was chosen to see what is sent; none: everybody; absent: whoever sees what it answers (R-SEND-16). */
  onlyFor?: Audience;
  /** Who would see it, as far as that was known when it was last asked for. */
  audience?: Audience;
}

type SendExtras = Pick<
  OutgoingMessage,
  "id" | "silent" | "custom" | "options" | "mentionedUsers" | "attachments" | "at" | "afterMs"
>;
export interface ComposerParts {
  readonly attachments: AttachmentComposer;
  readonly links: LinkPreviews;
  readonly suggestions: Suggestions;
  readonly poll: PollComposer;
}

export interface ComposerDeps extends Pick<Services, "random" | "state" | "userId" | "now"> {
  place: ThreadRef;
  parts: ComposerParts;
  deviceId(): string;
  audiences: Pick<Audiences, "known" | "note" | "find">;
  /** Whether locations may be sent. */
  locations: boolean;
  send(composition: OutgoingMessage): Sent;
  /** Queues a message without touching the draft. */
  sendSeparately(composition: OutgoingMessage): Sent;
  edit(message: Message, set: Record<string, unknown>): Promise<void>;
  typing(text: string): void;
  /** The saved draft, with the id of the edited message. */
  draft(): SavedDraft | undefined;
  saveDraft(content: SavedDraft): void;
  saveNow(): void;
  /** Logs a refused edit; the outbox shows it to the user. */
  failed(error: Error): void;
  warn(text: string): void;
  /** For a single message of a script: no typing events, suggestions or drafts. */
  transient?: boolean;
}

/** A draft, which may be an edit of an existing message. */
export type SavedDraft = DraftContent & { editingId?: string; aside?: DraftContent };

const EMPTY_EDIT = "An edit cannot be empty; delete the message instead.";
const EDITS_DELETED =
  "This message has been deleted meanwhile and cannot be changed. Leave the edit: its text stays at hand.";
const QUOTE_LOST = "The quoted message was deleted, so the quote was removed.";
const EDITS_CHANGED =
  "This message was changed meanwhile; its new text is above the box. Save again to overwrite it.";

const isEmptyDraft = (draft: DraftContent | undefined): draft is undefined =>
  draft === undefined || (draft.text === "" && Object.keys(draft).length === 1);

/** An edited message keeps those who see it. */
function chosenOf(message: Message): Audience | undefined {
  const audience = audienceOfMessage(message);
  return audience.length > 0 ? audience : undefined;
}

const EMPTY: ComposerState = {
  text: "",
  revision: 0,
  showInChannel: false,
  carried: [],
  audience: EVERYBODY,
};

/**
 * One per channel or thread as long as core lives: `core.composer(place)` returns the same object. The parts
 * `attachments`, `links`, `suggestions` and `poll` have their own `state()` and `subscribe()`.
 */
export class Composer implements Observable<ComposerState>, ComposerParts {
  readonly place: ThreadRef;
  readonly attachments: AttachmentComposer;
  readonly links: LinkPreviews;
  readonly suggestions: Suggestions;
  readonly poll: PollComposer;
  readonly #deps: ComposerDeps;
  readonly #observable = createObservable<ComposerState>(EMPTY);
  /** The draft from before the edit. */
  #beforeEdit: DraftContent | undefined;
  readonly #unsubscribe: () => void;
  /** Files in the saved draft, to save only when these change, not with each progress. */
  #savedFiles = "";

  constructor(deps: ComposerDeps) {
    this.#deps = deps;
    this.place = deps.place;
    ({
      attachments: this.attachments,
      links: this.links,
      suggestions: this.suggestions,
      poll: this.poll,
    } = deps.parts);
    if (!deps.transient) void loadMentionMarkup();
    if (deps.place.parentId !== undefined) this.#update({ audience: this.audience() });
    this.#unsubscribe = this.attachments.subscribe(() => this.#filesChanged());
  }

  readonly state = (): ComposerState => this.#observable.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#observable.subscribe(listener);

  /** Called when the composer is shown: an empty composer loads its draft (R-DRAFT-5). */
  open(): void {
    // Known from now on, even if the first message of the thread is lost (R-SEND-16).
    if (this.place.parentId !== undefined) this.#update({ audience: this.audience() });
    const draft = this.#isUntouched() ? this.#deps.draft() : undefined;
    if (!draft) return this.refreshLinks();
    const { editingId, aside, ...written } = draft;
    if (editingId === undefined) return this.#applyDraft(written);
    const state = this.#deps.state();
    const edited = heldNear(state, this.place, editingId);
    if (edited) return this.#restoreEdit(edited, written, aside);
    // The messages are still loading: opening it again restores the edit.
    if (!state.channels.get(this.place.cid)?.watched) return;
    const texts = [aside?.text ?? "", written.text].filter((text) => text.trim() !== "");
    const onlyFor = this.#common([written.onlyFor, aside?.onlyFor]);
    this.#applyDraft({ ...written, ...aside, text: texts.join("\n\n"), ...(onlyFor && { onlyFor }) });
  }

  /** The user changed the text, cursor as UTF-16 index: updates previews, suggestions, typing events and the draft. */
  typed(text: string, cursor: number): void {
    const { transient } = this.#deps;
    this.suggestions.moved(this.state().text, text, cursor);
    if (!transient) this.suggestions.typed(text, cursor);
    if (text === this.state().text) return;
    this.#update({ text });
    if (transient) return;
    if (!this.state().editing) this.links.typed(text);
    this.#deps.typing(text);
    this.#save();
  }

  /** Looks for links again: the setting was changed, or the composer is shown again. */
  refreshLinks(): void {
    const { text, editing } = this.state();
    if (!editing && text !== "") this.links.resume(text);
  }

  quote(messageId: string | undefined): void {
    const quoted = messageId === undefined ? undefined : heldNear(this.#deps.state(), this.place, messageId);
    // Still known when the message is lost (R-SEND-16).
    if (quoted) this.#deps.audiences.note(quoted);
    const { onlyFor } = this.state();
    // "Everybody" was chosen for what was answered until now.
    this.#update({ quotedMessageId: messageId, onlyFor: onlyFor?.length ? onlyFor : undefined });
    this.#save();
  }

  /** Chooses by user id who sees what is sent from here: none is everybody, undefined whoever sees what it answers (R-SEND-16). */
  onlyFor(people: Audience | undefined): void {
    this.#update({ onlyFor: people });
    this.#save();
  }

  /** Who will see the message, or one that answers these; undefined while that is not known of one of them. */
  audience(answers = this.#answers()): Audience | undefined {
    const { onlyFor } = this.state();
    return writtenAudience({ onlyFor, answers }, this.#deps.userId(), (id) =>
      this.#deps.audiences.known(this.place, id),
    );
  }

  /**
   * Looks up who sees what the message answers, if that is not known. Rejects as the call does, and with `AudienceError`
   * if the user may not write to them.
   */
  async findAudience(answers = this.#answers()): Promise<Audience> {
    if (!this.audience(answers)) {
      for (const id of answers) await this.#deps.audiences.find(this.place, id);
      this.#update({ audience: this.audience() });
    }
    return this.#allowedAudience(answers);
  }

  /** Sends a message beside the one that is being written, such as a poll, to the same people. Throws as `send` does. */
  sendBeside(composition: OutgoingMessage): Sent {
    const audience = this.#allowedAudience(answeredIds(this.place, undefined));
    return this.#deps.sendSeparately({ ...composition, ...(audience.length > 0 && { audience }) });
  }

  drop(attachment: Attachment): void {
    this.#update({ carried: this.state().carried.filter((each) => each !== attachment) });
    this.#save();
  }

  /** Files for the next send of a script, all of them or an error: see `AttachmentComposer.attach`. */
  attach(files: readonly string[], options?: AttachOptions): Promise<Upload[]> {
    return this.attachments.attach(files, options);
  }

  /** A suggestion was inserted at `start`, an UTF-16 index (R-MENT-1). */
  choose(user: User, start: number): void {
    this.suggestions.choose(user, start);
    this.suggestions.close();
    this.#save();
  }

  /** Looks up the users mentioned by name in the text, when there is no list to choose from; the next send mentions them. */
  findMentions(): Promise<void> {
    return this.suggestions.find(this.state().text);
  }

  /** Whom the next send or edit mentions, and which names mean nobody. */
  mentions(): MentionsFound {
    return this.suggestions.mentioned(this.state().text);
  }

  /** Begins an edit, or ends it with `undefined`, which restores the draft from before. */
  edit(message: Message | undefined): void {
    if (message) {
      this.#beforeEdit ??= this.#content();
      this.#update({
        ...this.#withText(message.text),
        editing: message,
        quotedMessageId: undefined,
        onlyFor: chosenOf(message),
      });
      this.suggestions.restore(message.text, message.mentioned_users);
    } else {
      const before = this.#beforeEdit ?? { text: "" };
      this.#beforeEdit = undefined;
      this.#update({
        ...this.#withText(before.text),
        editing: undefined,
        quotedMessageId: before.quotedMessageId,
        onlyFor: before.onlyFor,
      });
      this.#restoreMentions(before);
    }
    this.suggestions.close();
    this.#save();
  }

  /** A message was hard deleted, or without an id all that are no longer loaded: removes a quote of it, marks an edit as deleted. */
  onMessagesLost(id: string | undefined): void {
    const { quotedMessageId: quoted, editing } = this.state();
    const isLost = (each: string): boolean =>
      each === id || (id === undefined && !heldNear(this.#deps.state(), this.place, each));
    if (editing && isLost(editing.id)) this.#update({ editing: { ...editing, type: "deleted" } });
    if (quoted === undefined || !isLost(quoted)) return;
    const audience = this.audience();
    this.quote(undefined);
    // What was written as an answer stays for those who saw the message.
    if (audience?.length) this.onlyFor(audience);
    this.#deps.warn(QUOTE_LOST);
  }

  showInChannel(on: boolean): void {
    this.#update({ showInChannel: on });
    this.#save();
  }

  /** Sets a location for the next send; static without a duration. */
  locate(choice: LocationChoice | undefined): void {
    this.#update({ location: choice });
  }

  /**
   * Sends the message, or the edit, and empties the composer once it is queued. Throws as `core.send` does; then
   * everything stays (R-SEND-1…3).
   */
  send(extras: SendExtras = {}): Sent | undefined {
    const { editing } = this.state();
    if (editing) return this.#sendEdit(editing);
    const sent = this.#deps.send(this.#buildMessage(extras));
    this.#empty();
    return sent;
  }

  /** Discards everything but the poll form; returns it for `putBack`. */
  clear(): DraftContent {
    const discarded = this.#content();
    this.#empty();
    this.#deps.typing("");
    this.#save();
    return discarded;
  }

  /** Restores quote, files and mentions of a discarded draft, if the composer has none; the caller restores the text. */
  putBack({ text: _text, ...rest }: DraftContent): void {
    const { quotedMessageId, carried } = this.state();
    // Also when nothing else is restored: the text is for these people.
    if (rest.onlyFor) this.onlyFor(rest.onlyFor);
    if (quotedMessageId !== undefined || carried.length + this.attachments.state().uploads.length > 0) return;
    this.#applyDraft({ ...rest, text: this.state().text });
    this.#save();
  }

  /** The channel is no longer on screen: cancels previews (R-LINK-9) and saves the draft (R-DRAFT-3); text and files stay. */
  onLeft(): void {
    this.links.pause();
    this.suggestions.close();
    this.#deps.saveNow();
  }

  /** A text was sent elsewhere, so it is not kept here; another text, an edit and files being uploaded are. */
  onSentElsewhere(sent: string): void {
    const { text, editing } = this.state();
    const isSame = text.trim() === sent.trim() && !editing && this.attachments.state().uploads.length === 0;
    if (isSame && !this.#isUntouched()) this.#empty();
  }

  /** The user signed out: ends all requests; the saved draft stays. */
  reset(): void {
    this.#unsubscribe();
    this.attachments.clear();
    this.links.clear();
    this.suggestions.clear();
    this.poll.reset();
  }

  /** Replaces the draft by one from another device or from the provider (R-DRAFT-7). */
  replace(draft: DraftContent): void {
    if (!this.state().editing) this.#applyDraft(draft);
    else {
      // During an edit it is shown afterwards.
      this.#beforeEdit = draft;
      this.#save();
    }
  }

  #buildMessage(extras: SendExtras): OutgoingMessage {
    const { text, quotedMessageId, showInChannel, carried } = this.state();
    // A script's message gets its id when it is queued, unless its location needs one (L-1).
    const needsNoId = this.#deps.transient && this.state().location === undefined;
    const id =
      extras.id ??
      (needsNoId ? undefined : makeMessageId(this.#deps.userId() ?? "", this.#deps.random.uuid()));
    const mentioned = new Set([...(extras.mentionedUsers ?? []), ...this.mentions().ids]);
    const { attachments: previews, skip_enrich_url } = this.links.outgoing(text);
    const poll = this.poll.submitted;
    const location = this.#locationPart(id);
    const audience = this.#allowedAudience();
    return {
      text,
      uploads: this.attachments.state().uploads,
      ...(carried.length + previews.length > 0 && { attachments: [...carried, ...previews] }),
      ...(quotedMessageId !== undefined && { quotedMessageId }),
      ...(showInChannel && { showInChannel }),
      ...(audience.length > 0 && { audience }),
      ...extras,
      ...(id !== undefined && { id }),
      ...(mentioned.size > 0 && { mentionedUsers: [...mentioned] }),
      ...((poll !== undefined || location) && {
        custom: {
          ...extras.custom,
          ...(poll !== undefined && { poll_id: poll }),
          ...(location && { shared_location: location }),
        },
      }),
      ...(skip_enrich_url && { options: { ...extras.options, skip_enrich_url } }),
    };
  }

  #answers(): readonly string[] {
    const { editing, quotedMessageId } = this.state();
    return editing ? [] : answeredIds(this.place, quotedMessageId);
  }

  /** R-SEND-16. Throws `AudienceError` when it is not known, or for some members only without the right to. */
  #allowedAudience(answers?: readonly string[]): Audience {
    const audience = this.audience(answers);
    if (!audience) throw new AudienceError("unknown");
    const { own_capabilities: has } = this.#deps.state().channels.get(this.place.cid)?.channel ?? {};
    if (audience.length > 0 && !(has?.includes("send-restricted-visibility-message") ?? true))
      throw new AudienceError("right");
    return audience;
  }

  /** Who was chosen, for the next message as well; "everybody" holds for one. */
  #lasting(): Audience | undefined {
    const { editing, onlyFor } = this.state();
    const chosen = editing ? this.#beforeEdit?.onlyFor : onlyFor;
    return chosen?.length ? chosen : undefined;
  }

  /** For texts that are joined: those who may see each of them. */
  #common(chosen: readonly (Audience | undefined)[]): Audience | undefined {
    const people = commonAudience(
      chosen.map((each) => each ?? []),
      this.#deps.userId(),
    );
    return people.length > 0 ? people : undefined;
  }

  /** L-1: needs the message id; L-6: an invalid location is dropped, the rest is sent. */
  #locationPart(messageId: string | undefined): ReturnType<typeof locationPart> {
    const { location } = this.state();
    const channel = this.#deps.state().channels.get(this.place.cid)?.channel;
    if (!location || !this.#deps.locations || channel?.config?.shared_locations === false) return undefined;
    if (!(channel?.own_capabilities?.includes("share-location") ?? true)) return undefined;
    return locationPart(location, { device: this.#deps.deviceId(), message: messageId }, this.#deps.now());
  }

  #sendEdit(editing: Message): undefined {
    const { text } = this.state();
    if (text.trim() === "" && editing.attachments.length === 0) throw new LocalError(EMPTY_EDIT);
    const base = this.#currentVersion(editing, text);
    const { ids } = this.mentions();
    if (text !== base.text)
      this.#deps
        .edit(base, { text, mentioned_users: ids })
        .catch((error: Error) => this.#editRefused(error, base, { text, mentionedUsers: ids }));
    this.edit(undefined);
  }

  /** The current version of the edited message. Throws once when it changed during the edit, so that the user sees it before overwriting. */
  #currentVersion(editing: Message, text: string): Message {
    const now = heldNear(this.#deps.state(), this.place, editing.id) ?? editing;
    if (now.type === "deleted") throw new LocalError(EDITS_DELETED);
    if (now.text === editing.text || now.text === text) return now;
    this.#update({ editing: now });
    throw new LocalError(EDITS_CHANGED);
  }

  /** Restores a refused edit into an empty composer; a conflicting edit stays in the outbox. */
  #editRefused(error: Error, editing: Message, written: DraftContent): void {
    this.#deps.failed(error);
    if (error instanceof ChangedMeanwhileError || !this.#isUntouched()) return;
    this.#restoreEdit(heldNear(this.#deps.state(), this.place, editing.id) ?? editing, written);
    this.#save();
  }

  /** The content of a draft (R-DRAFT-8). */
  #content(): SavedDraft {
    const { text, quotedMessageId, showInChannel, editing, carried, onlyFor } = this.state();
    const { attachments, files, heldFiles } = this.attachments.draftFiles();
    const attached = [...carried, ...attachments];
    const mentionedUsers = this.suggestions.chosenIds();
    return {
      text,
      ...(quotedMessageId !== undefined && { quotedMessageId }),
      ...(showInChannel && { showInChannel }),
      ...(attached.length > 0 && { attachments: attached }),
      ...(files.length > 0 && { files }),
      ...(heldFiles.length > 0 && { heldFiles }),
      ...(mentionedUsers.length > 0 && { mentionedUsers }),
      ...(onlyFor && { onlyFor }),
      ...(editing && { editingId: editing.id }),
      ...(editing && !isEmptyDraft(this.#beforeEdit) && { aside: this.#beforeEdit }),
    };
  }

  #save(): void {
    if (!this.#deps.transient) this.#deps.saveDraft(this.#content());
  }

  #filesChanged(): void {
    const { uploads } = this.attachments.state();
    const files = uploads
      .flatMap(({ state, localId }) => (state === "blocked" ? [] : [`${localId} ${state === "finished"}`]))
      .join(" ");
    if (files === this.#savedFiles) return;
    this.#savedFiles = files;
    const { editing, text } = this.state();
    // The emptied composer after a send is no change.
    if (!editing && (files !== "" || uploads.length > 0 || text !== "")) this.#save();
  }

  #applyDraft(draft: DraftContent): void {
    this.#update({
      ...this.#withText(draft.text),
      quotedMessageId: draft.quotedMessageId,
      showInChannel: draft.showInChannel ?? false,
      carried: draft.attachments ?? [],
      // A draft without a choice does not end one.
      onlyFor: draft.onlyFor ?? this.state().onlyFor,
    });
    // A notice names files that can no longer be read.
    if (draft.files?.length) void this.attachments.add(draft.files).catch(() => {});
    if (draft.heldFiles?.length) this.attachments.hold(draft.heldFiles);
    this.#restoreMentions(draft);
    this.links.typed(draft.text);
  }

  #restoreMentions({ text, mentionedUsers = [] }: DraftContent): void {
    const users = mentionedUsers.map((id) => this.suggestions.user(id));
    this.suggestions.restore(text, users);
  }

  /** Restores an edit and the draft from before it. */
  #restoreEdit(editing: Message, written: DraftContent, aside?: DraftContent): void {
    if (aside) this.#applyDraft(aside);
    const onlyFor = this.#lasting();
    this.#beforeEdit = aside ?? { text: "", ...(onlyFor && { onlyFor }) };
    this.#update({
      ...this.#withText(written.text),
      editing,
      quotedMessageId: undefined,
      onlyFor: chosenOf(editing),
    });
    const ids = [...editing.mentioned_users.map(({ id }) => id), ...(written.mentionedUsers ?? [])];
    this.#restoreMentions({ text: written.text, mentionedUsers: [...new Set(ids)] });
  }

  #isUntouched(): boolean {
    const { text, quotedMessageId, editing, carried } = this.state();
    return (
      carried.length === 0 &&
      text.trim() === "" &&
      quotedMessageId === undefined &&
      !editing &&
      this.attachments.state().uploads.length === 0
    );
  }

  #empty(): void {
    this.#update({
      ...this.#withText(""),
      quotedMessageId: undefined,
      editing: undefined,
      location: undefined,
      showInChannel: false,
      carried: [],
      onlyFor: this.#lasting(),
    });
    this.#beforeEdit = undefined;
    this.attachments.clear();
    this.links.clear();
    this.suggestions.clear();
    if (this.poll.submitted !== undefined) this.poll.sent();
  }

  #withText(text: string): Partial<ComposerState> {
    return { text, revision: this.state().revision + 1 };
  }

  #update(change: { [K in keyof ComposerState]?: ComposerState[K] | undefined }): void {
    const next: Record<string, unknown> = { ...this.state(), ...change };
    for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
    this.#observable.set(next as unknown as ComposerState);
    if ("onlyFor" in change || "quotedMessageId" in change || "editing" in change)
      this.#update({ audience: this.audience() });
  }
}
