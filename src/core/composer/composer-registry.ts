/** All composers, one a place, over the drafts of this machine and the provider's copy of them (R-DRAFT, specification/drafts.md §4). */
import { CLOSE_WAIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/message.ts";
import type { OutgoingMessage, SendOutcome } from "../base/api-types.ts";
import type { ThreadRef, Notice, State } from "../../model/state.ts";
import type { Core } from "../core.ts";
import type { ApiCall } from "../http/caller.ts";
import type { Clock, Log, Random } from "../base/ports.ts";
import type { LocalDraft } from "../store/store.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { createAttachmentComposer } from "./attachments.ts";
import { createComposer } from "./composer.ts";
import type { Composer } from "./composer.ts";
import { createDraftSync, isEmpty } from "./draft-sync.ts";
import type { DraftContent } from "./draft-sync.ts";
import type { Drafts } from "./drafts.ts";
import { createLinkPreviews } from "./link-previews.ts";
import { createPollComposer } from "./poll.ts";
import { createSuggestions } from "./suggestions.ts";

export interface ComposerRegistry extends Pick<Core, "composer" | "draft" | "saveDraft"> {
  /** The text of the place was queued; its outcome decides about the copy (R-DRAFT-6). */
  sent(place: ThreadRef, outcome: Promise<SendOutcome>): void;
  /** The user looks elsewhere. */
  left(cid: string): void;
  /** Events that were dispatched. */
  heard(events: readonly AnyEvent[]): void;
  /** Channels of an answer: their drafts are taken where a composer is open and empty (R-DRAFT-5). */
  queried(states: readonly ChannelState[]): void;
  /** Saves what waits (R-DRAFT-3); the copy only with a connection, and for at most CLOSE_WAIT. */
  flush(online: boolean): Promise<void>;
  /** The user is gone. */
  forget(): void;
}

export interface ComposerRegistryDeps {
  call: ApiCall;
  clock: Clock;
  random: Random;
  log: Log;
  drafts: Drafts;
  uploads: Uploads;
  state(): State;
  userId(): string | undefined;
  now(): number;
  deviceId(): string;
  /** R-DRAFT: the provider keeps a copy; off unless asked for. */
  copy: boolean;
  linkPreviews: boolean;
  locations: boolean;
  maximum?: number | undefined;
  send(place: ThreadRef, composition: OutgoingMessage): { id: string; outcome: Promise<SendOutcome> };
  /** Queues a message without text and leaves the composition of the place alone. */
  sendApart(place: ThreadRef, custom: Record<string, unknown>): string;
  edit(message: Message, set: Record<string, unknown>): Promise<void>;
  typed(place: ThreadRef, text: string): void;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const keyOf = (place: ThreadRef): string => `${place.cid} ${place.parentId ?? ""}`;
const contentOf = ({ text, quotedMessageId }: Omit<LocalDraft, "updatedAt">): DraftContent => ({
  text,
  ...(quotedMessageId !== undefined && { quotedMessageId }),
});

export function createComposerRegistry(deps: ComposerRegistryDeps): ComposerRegistry {
  const { call, clock, random, log, drafts, state, userId, notify } = deps;
  const held = new Map<string, Composer>();
  const copy = deps.copy
    ? createDraftSync({
        call,
        clock,
        random,
        log,
        state,
        userId,
        ...(deps.maximum !== undefined && { maximum: deps.maximum }),
      })
    : undefined;

  /** The draft of this machine, without the one of an edit. */
  const localOf = (place: ThreadRef): DraftContent | undefined => {
    const local = drafts.get(place);
    return local && local.editingId === undefined ? contentOf(local) : undefined;
  };

  /** What the provider or another device says goes in place of the draft, and into an open composer. */
  function replace(place: ThreadRef, content: DraftContent): void {
    const { text, quotedMessageId } = content;
    // The draft of a running edit stays on disk: it is the user's own work.
    if (drafts.get(place)?.editingId === undefined)
      drafts.save({ ...place, text, ...(quotedMessageId !== undefined && { quotedMessageId }) });
    held.get(keyOf(place))?.replace(content);
  }

  function open(place: ThreadRef): LocalDraft | undefined {
    const local = drafts.get(place);
    const told = copy?.opened(place);
    if (local || !told || isEmpty(told)) return local;
    return { ...place, ...contentOf({ ...place, ...told }), updatedAt: clock.now() };
  }

  function save(draft: Omit<LocalDraft, "updatedAt">, content: DraftContent = contentOf(draft)): void {
    drafts.save(draft);
    // R-DRAFT-8: changing a message that exists is no draft.
    if (draft.editingId === undefined)
      copy?.changed(
        { cid: draft.cid, ...(draft.parentId !== undefined && { parentId: draft.parentId }) },
        content,
      );
  }

  function make(place: ThreadRef): Composer {
    const parts = {
      attachments: createAttachmentComposer({ place, uploads: deps.uploads, random, state, notify }),
      links: createLinkPreviews({
        place,
        enabled: deps.linkPreviews,
        call,
        clock,
        log,
        state,
        finder: async () => (await import("./urls.ts")).urlsIn,
      }),
      suggestions: createSuggestions({ place, call, clock, log, state, userId }),
      poll: createPollComposer({
        call,
        random,
        userId,
        sendPoll: (id) => deps.sendApart(place, { poll_id: id }),
        notify,
      }),
    };
    return createComposer({
      place,
      parts,
      random,
      state,
      userId,
      now: deps.now,
      deviceId: deps.deviceId,
      locations: deps.locations,
      send: (composition) => deps.send(place, composition),
      edit: deps.edit,
      typing: (text) => deps.typed(place, text),
      draft() {
        const told = copy?.opened(place);
        return localOf(place) ?? told;
      },
      saveDraft({ editingId, ...content }) {
        const { text, quotedMessageId } = content;
        save(
          {
            ...place,
            text,
            ...(quotedMessageId !== undefined && { quotedMessageId }),
            ...(editingId !== undefined && { editingId }),
          },
          content,
        );
      },
      saveNow: () => drafts.flush(),
      failed: (error) => log.debug("an edit was refused", { error: error.message }),
    });
  }

  return {
    composer(place) {
      const key = keyOf(place);
      const known = held.get(key);
      if (known) return known;
      const made = make({
        cid: place.cid,
        ...(place.parentId !== undefined && { parentId: place.parentId }),
      });
      held.set(key, made);
      return made;
    },
    draft: open,
    saveDraft: (draft) => save(draft),
    sent(place, outcome) {
      if (!copy) return;
      copy.sent(place);
      void outcome.then(
        ({ state: end }) => copy.outcome(place, end === "received"),
        () => copy.outcome(place, false),
      );
    },
    left(cid) {
      for (const composer of held.values()) if (composer.place.cid === cid) composer.left();
      copy?.left(cid);
    },
    heard(events) {
      if (!copy) return;
      for (const event of events) {
        if (event.type !== "draft.updated" && event.type !== "draft.deleted") continue;
        const told = copy.heard(event, localOf);
        if (told) replace(told.place, told.content);
      }
    },
    queried(states) {
      if (!copy) return;
      for (const { channel, draft } of states) {
        const place = { cid: channel.cid };
        const composer = held.get(keyOf(place));
        if (draft && composer && !localOf(place)) composer.open();
      }
    },
    async flush(online) {
      drafts.flush();
      if (!copy || !online) return;
      await new Promise<void>((resolve) => {
        const timer = clock.setTimeout(resolve, CLOSE_WAIT);
        void copy.close().finally(() => {
          clock.clearTimeout(timer);
          resolve();
        });
      });
    },
    forget() {
      copy?.forget();
      for (const composer of held.values()) {
        composer.attachments.clear();
        composer.links.clear();
        composer.suggestions.clear();
        composer.poll.reset();
      }
      held.clear();
    },
  };
}
