/** All composers, one for each channel or thread, with the local drafts and the provider's copies (R-DRAFT, specification/drafts.md §4). */
import { CLOSE_WAIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { OutgoingMessage, SendOutcome, Sent } from "../base/api-types.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef, Notice } from "../../model/state.ts";
import type { LocalDraft } from "../store/store.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { AttachmentComposer } from "./attachments.ts";
import { Composer, type ComposerParts, type KeptDraft } from "./composer.ts";
import { DraftSync, type DraftContent } from "./draft-sync.ts";
import type { Drafts } from "./drafts.ts";
import { LinkPreviews } from "./link-previews.ts";
import { PollComposer } from "./poll.ts";
import { Suggestions } from "./suggestions.ts";
import type { Services } from "../http/services.ts";

/** How a face wants its composer. */
export interface ComposerOptions {
  /** For one message of a script: made anew, without a draft, and nobody is told while it is written. */
  transient?: true;
}

interface ComposerRegistryDeps extends Pick<
  Services,
  "call" | "clock" | "random" | "log" | "state" | "userId" | "now"
> {
  drafts: Drafts;
  uploads: Uploads;
  deviceId(): string;
  /** R-DRAFT: the provider keeps a copy; off unless asked for. */
  copy: boolean;
  linkPreviews: boolean;
  locations: boolean;
  maximum?: number | undefined;
  send(place: ThreadRef, composition: OutgoingMessage): Sent;
  /** Queues a message and leaves the composition of the place alone. */
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

export class ComposerRegistry {
  readonly #deps: ComposerRegistryDeps;
  readonly #held = new Map<string, Composer>();
  readonly #copy: DraftSync | undefined;

  constructor(deps: ComposerRegistryDeps) {
    const { call, clock, random, log, state, userId, maximum } = deps;
    this.#deps = deps;
    if (deps.copy)
      this.#copy = new DraftSync({
        call,
        clock,
        random,
        log,
        state,
        userId,
        ...(maximum !== undefined && { maximum }),
      });
  }

  /** The one of the place, or one of its own for a single message. */
  composer(place: ThreadRef, options: ComposerOptions = {}): Composer {
    if (options.transient) return this.#transient(refOf(place));
    const key = placeKey(place);
    const known = this.#held.get(key);
    if (known) return known;
    const made = this.#lasting(refOf(place));
    this.#held.set(key, made);
    return made;
  }

  /** The text of the place was queued; its outcome decides about the copy (R-DRAFT-6). */
  sent(place: ThreadRef, outcome: Promise<SendOutcome>): void {
    const copy = this.#copy;
    if (!copy) return;
    copy.sent(place);
    void outcome.then(
      ({ state: end }) => copy.outcome(place, end === "received"),
      () => copy.outcome(place, false),
    );
  }

  /** The user looks elsewhere. */
  onLeft(cid: string): void {
    for (const composer of this.#held.values()) if (composer.place.cid === cid) composer.onLeft();
    this.#copy?.onLeft(cid);
  }

  /** An event that was dispatched. */
  onEvent(event: AnyEvent): void {
    this.#gone(event);
    if (event.type !== "draft.updated" && event.type !== "draft.deleted") return;
    const told = this.#copy?.onEvent(event, (place) => this.#localOf(place));
    if (told) this.#replace(told.place, told.content);
  }

  /** Channels of an answer: their drafts are taken where a composer is open and empty (R-DRAFT-5). */
  onQueried(states: readonly ChannelState[]): void {
    for (const { channel, draft } of this.#copy ? states : []) {
      const place = { cid: channel.cid };
      const composer = this.#held.get(placeKey(place));
      if (draft && composer && !this.#localOf(place)) composer.open();
    }
  }

  /** Saves what waits (R-DRAFT-3); the copy only with a connection, and for at most CLOSE_WAIT. */
  async flush(online: boolean): Promise<void> {
    const { drafts, clock } = this.#deps;
    drafts.flush();
    const copy = this.#copy;
    if (!copy || !online) return;
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, CLOSE_WAIT);
      void copy.close().finally(() => {
        clock.clearTimeout(timer);
        resolve();
      });
    });
  }

  /** The user is gone. */
  reset(): void {
    this.#copy?.reset();
    for (const composer of this.#held.values()) composer.reset();
    this.#held.clear();
  }

  /** Messages that left the channel for good: what is quoted or edited of them cannot go out. */
  #gone(event: AnyEvent): void {
    const { id } = (event.message as Partial<Message> | undefined) ?? {};
    const one = event.type === "message.deleted" && event.hard_delete === true;
    if (!one && !TRUNCATED.has(event.type)) return;
    for (const composer of this.#held.values())
      if (composer.place.cid === event.cid) composer.lost(one ? id : undefined);
  }

  #lasting(place: ThreadRef): Composer {
    const { log, notify, send, typed, drafts } = this.#deps;
    return new Composer({
      ...this.#common(place),
      send: (composition) => send(place, composition),
      typing: (text) => typed(place, text),
      draft: () => this.#kept(place),
      saveDraft: (content) => this.#save(place, content),
      saveNow: () => drafts.flush(),
      failed: (error) => log.debug("an edit was refused", { error: error.message }),
      warn: (text) => notify({ level: "warning", text, origin: "composer" }),
    });
  }

  #transient(place: ThreadRef): Composer {
    const nothing = (): void => {};
    return new Composer({
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
  }

  #common(place: ThreadRef) {
    const { random, state, userId, now, deviceId, locations, edit } = this.#deps;
    const parts = this.#parts(place);
    return { place, parts, random, state, userId, now, deviceId, locations, edit };
  }

  #parts(place: ThreadRef): ComposerParts {
    const { call, clock, random, log, state, userId, notify, uploads, linkPreviews, sendSeparately } =
      this.#deps;
    return {
      attachments: new AttachmentComposer({ place, uploads, random, state, notify }),
      links: new LinkPreviews({
        place,
        enabled: linkPreviews,
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
        sendPoll(poll_id) {
          const { id, outcome } = sendSeparately(place, { text: "", custom: { poll_id } });
          // How it ends is shown by the message itself.
          outcome.catch(() => {});
          return id;
        },
        notify,
      }),
    };
  }

  #kept(place: ThreadRef): KeptDraft | undefined {
    const told = this.#copy?.opened(place);
    const draft = this.#localOf(place) ?? told;
    const edit = this.#deps.drafts.get(place);
    if (edit?.editingId === undefined) return draft;
    return { ...contentOf(edit), editingId: edit.editingId, ...(draft && { aside: draft }) };
  }

  /** The draft of this machine; while a message is changed the one from before. */
  #localOf(place: ThreadRef): DraftContent | undefined {
    const local = this.#deps.drafts.get(place);
    return local && local.editingId !== undefined ? local.aside : local && contentOf(local);
  }

  #save(place: ThreadRef, kept: KeptDraft): void {
    this.#deps.drafts.save({ ...place, ...kept });
    // R-DRAFT-8: changing a message that exists is no draft.
    if (kept.editingId === undefined) this.#copy?.onChanged(place, kept);
  }

  /** What the provider or another device says goes in place of the draft, and into an open composer. */
  #replace(place: ThreadRef, content: DraftContent): void {
    const { drafts } = this.#deps;
    // The draft of a running edit stays on disk: it is the user's own work.
    if (drafts.get(place)?.editingId === undefined) drafts.save({ ...place, ...content });
    this.#held.get(placeKey(place))?.replace(content);
  }
}
