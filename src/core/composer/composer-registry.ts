/** All composers, one per channel or thread, with local drafts and their copies at the provider (R-DRAFT, specification/drafts.md §4). */
import { CLOSE_WAIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { OutgoingMessage, SendOutcome, Sent } from "../base/api-types.ts";
import { answeredIds } from "../../model/audience.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef, Notice } from "../../model/state.ts";
import type { LocalDraft } from "../store/store.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { AttachmentComposer } from "./attachments.ts";
import type { Audiences } from "./audiences.ts";
import { Composer, type ComposerParts, type SavedDraft } from "./composer.ts";
import type { DraftContent } from "../lists/provider-drafts.ts";
import { DraftSync, type DraftSyncDeps } from "./draft-sync.ts";
import type { Drafts } from "./drafts.ts";
import { LinkPreviews } from "./link-previews.ts";
import { PollComposer } from "./poll.ts";
import { Suggestions } from "./suggestions.ts";
import type { Services } from "../http/services.ts";

export interface ComposerOptions {
  /** For a single message of a script: a new composer, without draft and typing events. */
  transient?: true;
}

interface ComposerRegistryDeps extends Pick<
  Services,
  "call" | "clock" | "random" | "log" | "state" | "userId" | "now"
> {
  drafts: Drafts;
  audiences: Audiences;
  uploads: Uploads;
  deviceId(): string;
  /** R-DRAFT: copy drafts to the provider. */
  syncDrafts: boolean;
  providerDraft: DraftSyncDeps["providerDraft"];
  linkPreviews: boolean;
  locations: boolean;
  maximum?: number | undefined;
  send(place: ThreadRef, composition: OutgoingMessage): Sent;
  /** Queues a message without touching the draft. */
  sendSeparately(place: ThreadRef, composition: OutgoingMessage): Sent;
  edit(message: Message, set: Record<string, unknown>): Promise<void>;
  typed(place: ThreadRef, text: string): void;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const TRUNCATED: ReadonlySet<string> = new Set(["channel.truncated", "notification.channel_truncated"]);

const refOf = ({ cid, parentId }: ThreadRef): ThreadRef => ({
  cid,
  ...(parentId !== undefined && { parentId }),
});
const contentOf = (draft: LocalDraft): DraftContent => {
  const { cid: _cid, parentId: _parent, editingId: _edit, aside: _aside, updatedAt: _at, ...content } = draft;
  return content;
};

/** R-DRAFT-10: a draft at the provider cannot say for whom it is. */
const isForSome = ({ onlyFor = [] }: DraftContent): boolean => onlyFor.length > 0;

export class ComposerRegistry {
  readonly #deps: ComposerRegistryDeps;
  readonly #composers = new Map<string, Composer>();
  readonly #draftSync: DraftSync | undefined;
  #linkPreviews: boolean;

  constructor(deps: ComposerRegistryDeps) {
    this.#linkPreviews = deps.linkPreviews;
    const { call, clock, random, log, state, userId, providerDraft, maximum } = deps;
    this.#deps = deps;
    if (deps.syncDrafts)
      this.#draftSync = new DraftSync({
        call,
        clock,
        random,
        log,
        state,
        userId,
        providerDraft,
        ...(maximum !== undefined && { maximum }),
      });
  }

  /** The composer of a channel or thread, or a new one with `transient`. */
  composer(place: ThreadRef, options: ComposerOptions = {}): Composer {
    const key = placeKey(place);
    const known = this.#composers.get(key);
    if (options.transient) return this.#createTransient(refOf(place), known?.state().onlyFor);
    if (known) return known;
    const created = this.#createComposer(refOf(place));
    this.#composers.set(key, created);
    return created;
  }

  /** Whether links get previews while one writes, from now on (R-LINK-1); the one that is shown is refreshed by who shows it. */
  setLinkPreviews(on: boolean): void {
    this.#linkPreviews = on;
    if (!on) for (const composer of this.#composers.values()) composer.refreshLinks();
  }

  /** The composer's message was queued; its outcome decides about the copy of the draft (R-DRAFT-6). */
  sent(place: ThreadRef, outcome: Promise<SendOutcome>): void {
    const copy = this.#draftSync;
    if (!copy) return;
    copy.sent(place);
    void outcome.then(
      ({ state: end }) => copy.outcome(place, end === "received"),
      () => copy.outcome(place, false),
    );
  }

  onLeft(cid: string): void {
    for (const composer of this.#composers.values()) if (composer.place.cid === cid) composer.onLeft();
    this.#draftSync?.onLeft(cid);
  }

  onEvent(event: AnyEvent): void {
    this.#onMessagesDeleted(event);
    this.#onOwnMessage(event);
    if (event.type !== "draft.updated" && event.type !== "draft.deleted") return;
    const remote = this.#draftSync?.onEvent(event, (place) => this.#localDraft(place));
    if (remote) this.#replace(remote.place, remote.content);
  }

  /** Loads the drafts of queried channels into open, empty composers (R-DRAFT-5). */
  onQueried(states: readonly ChannelState[]): void {
    for (const { channel, draft } of this.#draftSync ? states : []) {
      const place = { cid: channel.cid };
      const composer = this.#composers.get(placeKey(place));
      if (draft && composer && !this.#localDraft(place)) composer.open();
    }
  }

  /** Saves unsaved drafts (R-DRAFT-3); copies only when online, and for at most CLOSE_WAIT. */
  async flush(online: boolean): Promise<void> {
    const { drafts, clock } = this.#deps;
    drafts.flush();
    const copy = this.#draftSync;
    if (!copy || !online) return;
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, CLOSE_WAIT);
      void copy.close().finally(() => {
        clock.clearTimeout(timer);
        resolve();
      });
    });
  }

  reset(): void {
    this.#draftSync?.reset();
    for (const composer of this.#composers.values()) composer.reset();
    this.#composers.clear();
  }

  /** Another program of the user sent the text that is here, too, and its saved draft is gone (specification/drafts.md §4). */
  #onOwnMessage(event: AnyEvent): void {
    const { user, text = "", parent_id: parentId } = (event.message as Partial<Message> | undefined) ?? {};
    const { cid } = event;
    if (event.type !== "message.new" || cid === undefined || user?.id !== this.#deps.userId()) return;
    const place: ThreadRef = { cid, ...(parentId && { parentId }) };
    const composer = this.#composers.get(placeKey(place));
    if (composer && !this.#deps.drafts.get(place)) composer.onSentElsewhere(text);
  }

  /** Messages were hard deleted or truncated: composers must not quote or edit them. */
  #onMessagesDeleted(event: AnyEvent): void {
    const { id } = (event.message as Partial<Message> | undefined) ?? {};
    const one = event.type === "message.deleted" && event.hard_delete === true;
    if (!one && !TRUNCATED.has(event.type)) return;
    for (const composer of this.#composers.values())
      if (composer.place.cid === event.cid) composer.onMessagesLost(one ? id : undefined);
  }

  #createComposer(place: ThreadRef): Composer {
    const { log, notify, send, typed, drafts } = this.#deps;
    return new Composer({
      ...this.#common(place),
      send: (composition) => send(place, composition),
      typing: (text) => typed(place, text),
      draft: () => this.#savedDraft(place),
      saveDraft: (content) => this.#save(place, content),
      saveNow: () => drafts.flush(),
      failed: (error) => log.debug("an edit was refused", { error: error.message }),
      warn: (text) => notify({ level: "warning", text, origin: "composer" }),
    });
  }

  /** What a command typed into a box sends is for the same people (R-SEND-16). */
  #createTransient(place: ThreadRef, onlyFor: readonly string[] | undefined): Composer {
    const nothing = (): void => {};
    const composer = new Composer({
      ...this.#common(place),
      send: (composition) => this.#deps.sendSeparately(place, composition),
      typing: nothing,
      draft: () => undefined,
      saveDraft: nothing,
      saveNow: nothing,
      failed: nothing,
      warn: nothing,
      transient: true,
    });
    composer.onlyFor(onlyFor);
    return composer;
  }

  #common(place: ThreadRef) {
    const { random, state, userId, now, deviceId, audiences, locations, edit, sendSeparately } = this.#deps;
    return {
      place,
      parts: this.#parts(place),
      random,
      state,
      userId,
      now,
      deviceId,
      audiences,
      locations,
      edit,
      sendSeparately: (composition: OutgoingMessage) => sendSeparately(place, composition),
    };
  }

  #parts(place: ThreadRef): ComposerParts {
    const { call, clock, random, log, state, userId, notify, uploads } = this.#deps;
    return {
      attachments: new AttachmentComposer({ place, uploads, random, state, notify }),
      links: new LinkPreviews({
        place,
        enabled: () => this.#linkPreviews,
        call,
        clock,
        log,
        state,
        finder: async () => (await import("./urls.ts")).urlsIn,
      }),
      suggestions: new Suggestions({ place, call, clock, log, state, userId }),
      poll: new PollComposer({
        call,
        random,
        userId,
        beforeCreate: () => this.composer(place).findAudience(answeredIds(place, undefined)),
        sendPoll: (poll_id) => {
          const { id, outcome } = this.composer(place).sendBeside({ text: "", custom: { poll_id } });
          // The message itself shows the outcome.
          outcome.catch(() => {});
          return id;
        },
        notify,
      }),
    };
  }

  #savedDraft(place: ThreadRef): SavedDraft | undefined {
    const remote = this.#draftSync?.opened(place);
    const draft = this.#localDraft(place) ?? remote;
    const edit = this.#deps.drafts.get(place);
    if (edit?.editingId === undefined) return draft;
    return { ...contentOf(edit), editingId: edit.editingId, ...(draft && { aside: draft }) };
  }

  /** The local draft; during an edit the one from before the edit. */
  #localDraft(place: ThreadRef): DraftContent | undefined {
    const local = this.#deps.drafts.get(place);
    return local && local.editingId !== undefined ? local.aside : local && contentOf(local);
  }

  #save(place: ThreadRef, draft: SavedDraft): void {
    this.#deps.drafts.save({ ...place, ...draft });
    // R-DRAFT-8: edits are not copied.
    if (draft.editingId !== undefined) return;
    this.#draftSync?.onChanged(place, isForSome(draft) ? { text: "" } : draft);
  }

  /** Replaces the draft, also in an open composer, by one from the provider or another device. */
  #replace(place: ThreadRef, content: DraftContent): void {
    const { drafts } = this.#deps;
    // The stored draft of a running edit stays.
    if (drafts.get(place)?.editingId === undefined) drafts.save({ ...place, ...content });
    this.#composers.get(placeKey(place))?.replace(content);
  }
}
