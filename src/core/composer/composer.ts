/** The composer of one place: text, quote, edit, files, link previews, mentions, location and poll, and how they make one message (R-SEND-4). */
import type { Attachment } from "../../wire/attachment.ts";
import type { Message } from "../../wire/message.ts";
import { makeMessageId } from "../../wire/ids.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import type { OutgoingMessage, SendOutcome } from "../base/api-types.ts";
import type { ThreadRef, State } from "../../model/state.ts";
import { locationPart } from "../locations/validity.ts";
import type { LocationChoice } from "../locations/validity.ts";
import type { Random } from "../base/ports.ts";
import { outgoing } from "./attachments.ts";
import type { AttachmentComposer } from "./attachments.ts";
import type { DraftContent } from "./draft-sync.ts";
import type { LinkPreviews } from "./link-previews.ts";
import { mentionedIn } from "../../model/mentions.ts";
import type { PollComposer } from "./poll.ts";
import type { Suggestion, Suggestions } from "./suggestions.ts";

export interface ComposerState {
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

/**
 * One per place for as long as core lives: `core.composer(place)` gives the same one again. Its parts are watched one by
 * one: `attachments`, `links`, `suggestions`, `poll`, each with `state()` and `subscribe()`.
 */
export interface Composer extends Observable<ComposerState> {
  readonly place: ThreadRef;
  readonly attachments: AttachmentComposer;
  readonly links: LinkPreviews;
  readonly suggestions: Suggestions;
  readonly poll: PollComposer;
  /** The place comes on screen: an empty composer takes its draft (R-DRAFT-5). */
  open(): void;
  /** A key stroke left this text, with the cursor at an UTF-16 index: previews, suggestions, typing and the draft follow. */
  typed(text: string, cursor: number): void;
  /** Puts a suggestion into the text; where the cursor stands then. */
  choose(item: Suggestion, cursor: number): number;
  quote(messageId: string | undefined): void;
  /** Leaves one of `carried` behind. */
  drop(attachment: Attachment): void;
  /** Begins to change a message, or ends it; what was written before comes back at the end. */
  edit(message: Message | undefined): void;
  showInChannel(on: boolean): void;
  /** A location for the next send; static without a duration. */
  locate(choice: LocationChoice | undefined): void;
  /**
   * One message of everything, or the edit. The composer is empty when it has been queued. Throws what `core.send` throws
   * and keeps everything then (R-SEND-1…3).
   */
  send(
    more?: Pick<OutgoingMessage, "silent" | "custom" | "options">,
  ): { id: string; outcome: Promise<SendOutcome> } | undefined;
  /** Throws everything away but the poll form. */
  clear(): void;
  /** The place leaves the screen: files and text stay, requests for previews end (R-LINK-9), the draft is saved (R-DRAFT-3). */
  left(): void;
  /** Another device changed the draft, or it was found at the provider (R-DRAFT-7). */
  replace(content: DraftContent): void;
}

export interface ComposerDeps {
  place: ThreadRef;
  parts: Pick<Composer, "attachments" | "links" | "suggestions" | "poll">;
  random: Random;
  state(): State;
  userId(): string | undefined;
  /** Provider time, milliseconds. */
  now(): number;
  deviceId(): string;
  /** Locations are sent at all; default on. */
  locations: boolean;
  send(composition: OutgoingMessage): { id: string; outcome: Promise<SendOutcome> };
  edit(message: Message, set: Record<string, unknown>): Promise<void>;
  typing(text: string): void;
  draft(): DraftContent | undefined;
  saveDraft(content: DraftContent & { editingId?: string }): void;
  saveNow(): void;
  /** An edit that was refused; the user has been told already (R-SEND-14). */
  failed(error: Error): void;
}

export function createComposer(deps: ComposerDeps): Composer {
  const { place, parts } = deps;
  const { attachments, links, suggestions } = parts;
  const cell = createObservable<ComposerState>({ text: "", revision: 0, showInChannel: false, carried: [] });
  /** What was written before an edit began. */
  let aside: DraftContent | undefined;

  const put = (change: { [K in keyof ComposerState]?: ComposerState[K] | undefined }): void => {
    const next: Record<string, unknown> = { ...cell.state(), ...change };
    for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
    cell.set(next as unknown as ComposerState);
  };
  const replaced = (text: string): Partial<ComposerState> => ({ text, revision: cell.state().revision + 1 });

  /** What a draft keeps of it (R-DRAFT-8). */
  function content(): DraftContent & { editingId?: string } {
    const { text, quotedMessageId, showInChannel, editing, carried } = cell.state();
    const files = [...carried, ...outgoing(attachments.state().uploads)];
    const mentionedUsers = mentionedIn(text, suggestions.remembered());
    return {
      text,
      ...(quotedMessageId !== undefined && { quotedMessageId }),
      ...(showInChannel && { showInChannel }),
      ...(files.length > 0 && { attachments: files }),
      ...(mentionedUsers.length > 0 && { mentionedUsers }),
      ...(editing && { editingId: editing.id }),
    };
  }
  const save = (): void => deps.saveDraft(content());
  /** Local ids of the files a draft keeps: a progress tick is no change of it. */
  let kept = "";
  attachments.subscribe(() => {
    const { uploads } = attachments.state();
    const finished = uploads
      .flatMap(({ state, localId }) => (state === "finished" ? [localId] : []))
      .join(" ");
    if (finished === kept) return;
    kept = finished;
    // After a send there is nothing, and that is no change either.
    if (!cell.state().editing && (finished !== "" || uploads.length > 0 || cell.state().text !== "")) save();
  });

  function take(draft: DraftContent): void {
    put({
      ...replaced(draft.text),
      quotedMessageId: draft.quotedMessageId,
      showInChannel: draft.showInChannel ?? false,
      carried: draft.attachments ?? [],
    });
    const members = deps.state().channels.get(place.cid)?.members;
    for (const id of draft.mentionedUsers ?? []) suggestions.remember(members?.get(id)?.user ?? { id });
    links.typed(draft.text);
  }

  function isUntouched(): boolean {
    const { text, quotedMessageId, editing, carried } = cell.state();
    if (carried.length > 0) return false;
    return (
      text.trim() === "" &&
      quotedMessageId === undefined &&
      !editing &&
      attachments.state().uploads.length === 0
    );
  }

  function mayLocate(): boolean {
    const channel = deps.state().channels.get(place.cid)?.channel;
    if (!deps.locations || channel?.config?.shared_locations === false) return false;
    return channel?.own_capabilities?.includes("share-location") ?? true;
  }

  function sendEdit(editing: Message): undefined {
    const { text } = cell.state();
    const mentioned = mentionedIn(text, [...editing.mentioned_users, ...suggestions.remembered()]);
    deps.edit(editing, { text, mentioned_users: mentioned }).catch(deps.failed);
    composer.edit(undefined);
  }

  function empty(): void {
    put({
      ...replaced(""),
      quotedMessageId: undefined,
      editing: undefined,
      location: undefined,
      showInChannel: false,
      carried: [],
    });
    aside = undefined;
    attachments.clear();
    links.clear();
    suggestions.clear();
  }

  const composer: Composer = {
    place,
    ...parts,
    state: cell.state,
    subscribe: cell.subscribe,
    open() {
      const draft = isUntouched() ? deps.draft() : undefined;
      if (draft) take(draft);
    },
    typed(text, cursor) {
      suggestions.typed(text, cursor);
      if (text === cell.state().text) return;
      put({ text });
      if (!cell.state().editing) links.typed(text);
      deps.typing(text);
      save();
    },
    choose(item, cursor) {
      const next = suggestions.choose(item, cell.state().text, cursor);
      put(replaced(next.text));
      deps.typing(next.text);
      save();
      return next.cursor;
    },
    quote(messageId) {
      put({ quotedMessageId: messageId });
      save();
    },
    drop(attachment) {
      put({ carried: cell.state().carried.filter((each) => each !== attachment) });
      save();
    },
    edit(message) {
      if (message) {
        aside ??= content();
        put({ ...replaced(message.text), editing: message, quotedMessageId: undefined });
        suggestions.close();
        save();
        return;
      }
      const before = aside ?? { text: "" };
      aside = undefined;
      put({ ...replaced(before.text), editing: undefined, quotedMessageId: before.quotedMessageId });
      suggestions.close();
      save();
    },
    showInChannel(on) {
      put({ showInChannel: on });
      save();
    },
    locate: (choice) => put({ location: choice }),
    send(more = {}) {
      const { text, quotedMessageId, editing, showInChannel, location, carried } = cell.state();
      if (editing) return sendEdit(editing);
      const id = makeMessageId(deps.userId() ?? "", deps.random.uuid());
      const mentionedUsers = mentionedIn(text, suggestions.remembered());
      const { attachments: previews, skip_enrich_url } = links.outgoing(text);
      // L-1: the message id is chosen before sending; L-6: an invalid location is dropped, the rest goes.
      const shared =
        location && mayLocate()
          ? locationPart(location, { device: deps.deviceId(), message: id }, deps.now())
          : undefined;
      const sent = deps.send({
        text,
        id,
        uploads: attachments.state().uploads,
        ...(carried.length + previews.length > 0 && { attachments: [...carried, ...previews] }),
        ...(mentionedUsers.length > 0 && { mentionedUsers }),
        ...(quotedMessageId !== undefined && { quotedMessageId }),
        ...(showInChannel && { showInChannel }),
        ...more,
        ...(shared && { custom: { ...more.custom, shared_location: shared } }),
        ...(skip_enrich_url && { options: { ...more.options, skip_enrich_url } }),
      });
      empty();
      return sent;
    },
    clear() {
      empty();
      deps.typing("");
      save();
    },
    left() {
      links.clear();
      suggestions.close();
      deps.saveNow();
    },
    replace(draft) {
      if (!cell.state().editing) return take(draft);
      // It waits behind the running edit.
      aside = draft;
    },
  };
  return composer;
}
