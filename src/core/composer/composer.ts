/** The composer of one channel or thread: text, quote, edit, files, link previews, mentions, location and poll, made into one message (R-SEND-4). */
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import { makeMessageId } from "../../wire/ids.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { OutgoingMessage, Sent, Upload } from "../base/api-types.ts";
import { LocalError } from "../../model/errors.ts";
import { heldNear } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { locationPart, type LocationChoice } from "../locations/validity.ts";
import { ChangedMeanwhileError } from "../outbox/execute-row.ts";
import { outgoing, type AttachmentComposer, type AttachOptions } from "./attachments.ts";
import type { DraftContent } from "./draft-sync.ts";
import type { LinkPreviews } from "./link-previews.ts";
import { mentionedIn } from "../../model/mentions.ts";
import type { PollComposer } from "./poll.ts";
import type { Suggestions } from "./suggestions.ts";
import type { Services } from "../http/services.ts";

interface ComposerState {
  text: string;
  /** Grows when the text was replaced by something else than `typed`: a draft, a send, a clear. Read the text again then. */
  revision: number;
  quotedMessageId?: string;
  /** The message whose text is being changed. */
  editing?: Message;
  /** Of a reply: also in the channel. */
  showInChannel: boolean;
  /** Attachments of a draft that another device finished; they go with the next send. */
  carried: readonly Attachment[];
  /** Goes with the next send (R-LOC-1). */
  location?: LocationChoice;
}

/** What a send takes beside what was composed. */
type SendMore = Pick<
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
  /** Locations are sent at all; default on. */
  locations: boolean;
  send(composition: OutgoingMessage): Sent;
  edit(message: Message, set: Record<string, unknown>): Promise<void>;
  typing(text: string): void;
  /** What is kept of the place, with the message whose edit it is. */
  draft(): KeptDraft | undefined;
  saveDraft(content: KeptDraft): void;
  saveNow(): void;
  /** Logs an edit that was refused; the outbox tells the user. */
  failed(error: Error): void;
  /** A notice of what became of the composition. */
  warn(text: string): void;
  /** For one message of a script: nobody is told while it is written, and no list opens. */
  transient?: boolean;
}

/** A draft of a place, which may be the changed text of a message that exists. */
export type KeptDraft = DraftContent & { editingId?: string; aside?: DraftContent };

const EMPTY_EDIT = "An edit cannot be empty; delete the message instead.";
const EDITS_DELETED =
  "This message has been deleted meanwhile and cannot be changed. Leave the edit: its text stays at hand.";
const QUOTE_LOST = "The quoted message was deleted for good, and the quote was taken off.";
const EDITS_CHANGED =
  "This message has been changed meanwhile, to what stands over the box. Save again to write over it.";

const isNothing = (draft: DraftContent | undefined): draft is undefined =>
  draft === undefined || (draft.text === "" && Object.keys(draft).length === 1);

const EMPTY: ComposerState = { text: "", revision: 0, showInChannel: false, carried: [] };

/**
 * One per place for as long as core lives: `core.composer(place)` gives the same one again. Its parts are watched one by
 * one: `attachments`, `links`, `suggestions`, `poll`, each with `state()` and `subscribe()`.
 */
export class Composer implements Observable<ComposerState>, ComposerParts {
  readonly place: ThreadRef;
  readonly attachments: AttachmentComposer;
  readonly links: LinkPreviews;
  readonly suggestions: Suggestions;
  readonly poll: PollComposer;
  readonly #deps: ComposerDeps;
  readonly #held = createObservable<ComposerState>(EMPTY);
  /** What was written before an edit began. */
  #aside: DraftContent | undefined;
  readonly #unlisten: () => void;
  /** Local ids of the files a draft keeps: a progress tick is no change of it. */
  #keptFiles = "";

  constructor(deps: ComposerDeps) {
    this.#deps = deps;
    this.place = deps.place;
    ({
      attachments: this.attachments,
      links: this.links,
      suggestions: this.suggestions,
      poll: this.poll,
    } = deps.parts);
    this.#unlisten = this.attachments.subscribe(() => this.#filesChanged());
  }

  readonly state = (): ComposerState => this.#held.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#held.subscribe(listener);

  /** The place comes on screen: an empty composer takes its draft (R-DRAFT-5). */
  open(): void {
    const draft = this.#isUntouched() ? this.#deps.draft() : undefined;
    if (!draft) return;
    const { editingId, aside, ...written } = draft;
    if (editingId === undefined) return this.#take(written);
    const state = this.#deps.state();
    const edited = heldNear(state, this.place, editingId);
    if (edited) return this.#takeEdit(edited, written.text, aside);
    // Its messages are on their way: opened once more, it is an edit again.
    if (!state.channels.get(this.place.cid)?.watched) return;
    const texts = [aside?.text ?? "", written.text].filter((text) => text.trim() !== "");
    this.#take({ ...written, ...aside, text: texts.join("\n\n") });
  }

  /** A key stroke left this text, with the cursor at an UTF-16 index: previews, suggestions, typing and the draft follow. */
  typed(text: string, cursor: number): void {
    const { transient } = this.#deps;
    if (!transient) this.suggestions.typed(text, cursor);
    if (text === this.state().text) return;
    this.#put({ text });
    if (transient) return;
    if (!this.state().editing) this.links.typed(text);
    this.#deps.typing(text);
    this.#save();
  }

  quote(messageId: string | undefined): void {
    this.#put({ quotedMessageId: messageId });
    this.#save();
  }

  /** Leaves one of `carried` behind. */
  drop(attachment: Attachment): void {
    this.#put({ carried: this.state().carried.filter((each) => each !== attachment) });
    this.#save();
  }

  /** Files for the next send of a script, all of them or an error: see `AttachmentComposer.attach`. */
  attach(files: readonly string[], how?: AttachOptions): Promise<Upload[]> {
    return this.attachments.attach(files, how);
  }

  /** Whom the names of the text mean is looked up, for faces without a list to choose from: the next send mentions them. */
  findMentions(): Promise<void> {
    return this.suggestions.find(this.state().text);
  }

  /** Begins to change a message, or ends it; what was written before comes back at the end. */
  edit(message: Message | undefined): void {
    if (message) {
      this.#aside ??= this.#content();
      this.#put({ ...this.#replaced(message.text), editing: message, quotedMessageId: undefined });
    } else {
      const before = this.#aside ?? { text: "" };
      this.#aside = undefined;
      this.#put({
        ...this.#replaced(before.text),
        editing: undefined,
        quotedMessageId: before.quotedMessageId,
      });
    }
    this.suggestions.close();
    this.#save();
  }

  /** A message is gone for good, or those that are not held any more: a quote of it comes off, an edit of it knows. */
  lost(id: string | undefined): void {
    const { quotedMessageId: quoted, editing } = this.state();
    const isLost = (each: string): boolean =>
      each === id || (id === undefined && !heldNear(this.#deps.state(), this.place, each));
    if (editing && isLost(editing.id)) this.#put({ editing: { ...editing, type: "deleted" } });
    if (quoted === undefined || !isLost(quoted)) return;
    this.quote(undefined);
    this.#deps.warn(QUOTE_LOST);
  }

  /** Of a reply: it is shown in the channel, too. */
  showInChannel(on: boolean): void {
    this.#put({ showInChannel: on });
    this.#save();
  }

  /** A location for the next send; static without a duration. */
  locate(choice: LocationChoice | undefined): void {
    this.#put({ location: choice });
  }

  /**
   * One message of everything, or the edit. The composer is empty when it has been queued. Throws what `core.send` throws
   * and keeps everything then (R-SEND-1…3).
   */
  send(more: SendMore = {}): Sent | undefined {
    const { editing } = this.state();
    if (editing) return this.#sendEdit(editing);
    const sent = this.#deps.send(this.#outgoing(more));
    this.#empty();
    return sent;
  }

  /** Throws everything away but the poll form; what that was, for `putBack`. */
  clear(): DraftContent {
    const thrown = this.#content();
    this.#empty();
    this.#deps.typing("");
    this.#save();
    return thrown;
  }

  /** Quote, files and mentions of what was thrown away come back to a composer that has none; the text is the caller's. */
  putBack({ text: _text, ...rest }: DraftContent): void {
    const { quotedMessageId, carried } = this.state();
    if (quotedMessageId !== undefined || carried.length + this.attachments.state().uploads.length > 0) return;
    this.#take({ ...rest, text: this.state().text });
    this.#save();
  }

  /** The place leaves the screen: files and text stay, requests for previews end (R-LINK-9), the draft is saved (R-DRAFT-3). */
  onLeft(): void {
    this.links.clear();
    this.suggestions.close();
    this.#deps.saveNow();
  }

  /** The user is gone: everything ends, and what a draft keeps stays as it is. */
  reset(): void {
    this.#unlisten();
    this.attachments.clear();
    this.links.clear();
    this.suggestions.clear();
    this.poll.reset();
  }

  /** Another device changed the draft, or it was found at the provider (R-DRAFT-7). */
  replace(draft: DraftContent): void {
    if (!this.state().editing) this.#take(draft);
    else {
      // It waits behind the running edit.
      this.#aside = draft;
      this.#save();
    }
  }

  #outgoing(more: SendMore): OutgoingMessage {
    const { text, quotedMessageId, showInChannel, carried } = this.state();
    // A script's message gets its id when it is queued, unless something of it needs one (L-1).
    const late = this.#deps.transient && this.state().location === undefined;
    const id =
      more.id ?? (late ? undefined : makeMessageId(this.#deps.userId() ?? "", this.#deps.random.uuid()));
    const mentioned = new Set([
      ...(more.mentionedUsers ?? []),
      ...mentionedIn(text, this.suggestions.remembered(), this.#members()),
    ]);
    const { attachments: previews, skip_enrich_url } = this.links.outgoing(text);
    const poll = this.poll.submitted;
    const location = this.#locationPart(id);
    return {
      text,
      uploads: this.attachments.state().uploads,
      ...(carried.length + previews.length > 0 && { attachments: [...carried, ...previews] }),
      ...(quotedMessageId !== undefined && { quotedMessageId }),
      ...(showInChannel && { showInChannel }),
      ...more,
      ...(id !== undefined && { id }),
      ...(mentioned.size > 0 && { mentionedUsers: [...mentioned] }),
      ...((poll !== undefined || location) && {
        custom: {
          ...more.custom,
          ...(poll !== undefined && { poll_id: poll }),
          ...(location && { shared_location: location }),
        },
      }),
      ...(skip_enrich_url && { options: { ...more.options, skip_enrich_url } }),
    };
  }

  /** Held members, who are meant by a name in full; in the text of a script only those it names. */
  #members(): User[] {
    if (this.#deps.transient) return [];
    const members = this.#deps.state().channels.get(this.place.cid)?.members.values() ?? [];
    return [...members].flatMap(({ user }) => (user && user.id !== this.#deps.userId() ? [user] : []));
  }

  /** L-1: the message id is chosen before sending; L-6: an invalid location is dropped, the rest goes. */
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
    const base = this.#baseOf(editing, text);
    const chosen = [...base.mentioned_users, ...this.suggestions.remembered()];
    const mentioned = mentionedIn(text, chosen, this.#members());
    if (text !== base.text)
      this.#deps
        .edit(base, { text, mentioned_users: mentioned })
        .catch((error: Error) => this.#refused(error, base, text));
    this.edit(undefined);
  }

  /** What came since the edit began is not written over unseen: it is told once, and is what the edit is of from then on. */
  #baseOf(editing: Message, text: string): Message {
    const now = heldNear(this.#deps.state(), this.place, editing.id) ?? editing;
    if (now.type === "deleted") throw new LocalError(EDITS_DELETED);
    if (now.text === editing.text || now.text === text) return now;
    this.#put({ editing: now });
    throw new LocalError(EDITS_CHANGED);
  }

  /** A refused edit stands in the box again, unless something else does; one that met another waits with its message. */
  #refused(error: Error, editing: Message, text: string): void {
    this.#deps.failed(error);
    if (error instanceof ChangedMeanwhileError || !this.#isUntouched()) return;
    this.#takeEdit(heldNear(this.#deps.state(), this.place, editing.id) ?? editing, text);
    this.#save();
  }

  /** What a draft keeps of it (R-DRAFT-8). */
  #content(): KeptDraft {
    const { text, quotedMessageId, showInChannel, editing, carried } = this.state();
    const attached = [...carried, ...outgoing(this.attachments.state().uploads)];
    const files = this.attachments.waiting();
    const mentionedUsers = mentionedIn(text, this.suggestions.remembered());
    return {
      text,
      ...(quotedMessageId !== undefined && { quotedMessageId }),
      ...(showInChannel && { showInChannel }),
      ...(attached.length > 0 && { attachments: attached }),
      ...(files.length > 0 && { files }),
      ...(mentionedUsers.length > 0 && { mentionedUsers }),
      ...(editing && { editingId: editing.id }),
      ...(editing && !isNothing(this.#aside) && { aside: this.#aside }),
    };
  }

  #save(): void {
    if (!this.#deps.transient) this.#deps.saveDraft(this.#content());
  }

  #filesChanged(): void {
    const { uploads } = this.attachments.state();
    const kept = uploads
      .flatMap(({ state, localId }) => (state === "blocked" ? [] : [`${localId} ${state === "finished"}`]))
      .join(" ");
    if (kept === this.#keptFiles) return;
    this.#keptFiles = kept;
    const { editing, text } = this.state();
    // After a send there is nothing, and that is no change either.
    if (!editing && (kept !== "" || uploads.length > 0 || text !== "")) this.#save();
  }

  #take(draft: DraftContent): void {
    this.#put({
      ...this.#replaced(draft.text),
      quotedMessageId: draft.quotedMessageId,
      showInChannel: draft.showInChannel ?? false,
      carried: draft.attachments ?? [],
    });
    const members = this.#deps.state().channels.get(this.place.cid)?.members;
    // What cannot be read any more is told by a notice.
    if (draft.files?.length) void this.attachments.add(draft.files).catch(() => {});
    for (const id of draft.mentionedUsers ?? []) this.suggestions.remember(members?.get(id)?.user ?? { id });
    this.links.typed(draft.text);
  }

  /** An edit as it was left, over what was written before it. */
  #takeEdit(editing: Message, text: string, aside?: DraftContent): void {
    if (aside) this.#take(aside);
    this.#aside = aside ?? { text: "" };
    this.#put({ ...this.#replaced(text), editing, quotedMessageId: undefined });
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
    this.#put({
      ...this.#replaced(""),
      quotedMessageId: undefined,
      editing: undefined,
      location: undefined,
      showInChannel: false,
      carried: [],
    });
    this.#aside = undefined;
    this.attachments.clear();
    this.links.clear();
    this.suggestions.clear();
    if (this.poll.submitted !== undefined) this.poll.sent();
  }

  #replaced(text: string): Partial<ComposerState> {
    return { text, revision: this.state().revision + 1 };
  }

  #put(change: { [K in keyof ComposerState]?: ComposerState[K] | undefined }): void {
    const next: Record<string, unknown> = { ...this.state(), ...change };
    for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
    this.#held.set(next as unknown as ComposerState);
  }
}
