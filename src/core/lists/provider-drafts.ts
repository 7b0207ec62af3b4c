/** Drafts kept by the provider, as other devices saved them: loaded on connecting, then kept up to date by events (R-DRAFT-9). */
import { DRAFTS_LIMIT } from "../../wire/constants.ts";
import type { Draft } from "../../wire/entities/draft.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes, timeToMs } from "../../wire/time.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { LocalDraft } from "../store/store.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { Services } from "../http/services.ts";

/** The content of a draft: never an edit, never an unfinished upload (R-DRAFT-8). */
export type DraftContent = NonNullable<LocalDraft["aside"]>;

/** Newest first; empty while drafts are not copied to the provider. */
export interface ProviderDrafts extends Observable<readonly LocalDraft[]> {
  /** The draft of a channel or thread as the provider sent it. */
  at(place: ThreadRef): Draft | undefined;
  onEvent(event: AnyEvent): void;
  onConnected(): void;
  reset(): void;
}

const placeOf = ({ channel_cid: cid, parent_id: parentId }: Draft): ThreadRef => ({
  cid,
  ...(parentId !== undefined && { parentId }),
});
const keyOf = (draft: Draft): string => placeKey(placeOf(draft));

export function draftContent({ message }: Draft): DraftContent {
  return {
    text: message.text ?? "",
    ...(message.quoted_message_id !== undefined && { quotedMessageId: message.quoted_message_id }),
    ...(message.show_in_channel && { showInChannel: true }),
    ...(message.attachments?.length && { attachments: message.attachments }),
    ...(message.mentioned_users?.length && { mentionedUsers: message.mentioned_users.map(({ id }) => id) }),
  };
}

const asLocal = (draft: Draft): LocalDraft => ({
  ...placeOf(draft),
  ...draftContent(draft),
  updatedAt: timeToMs(draft.created_at),
});

const newestFirst = (drafts: readonly Draft[]): Draft[] =>
  drafts.toSorted((a, b) => compareTimes(b.created_at, a.created_at));

/** The drafts with one that was saved, unless a newer one of its place is held. */
function withDraft(drafts: readonly Draft[], saved: Draft): readonly Draft[] {
  const held = drafts.find((each) => keyOf(each) === keyOf(saved));
  if (held && compareTimes(saved.created_at, held.created_at) < 0) return drafts;
  return newestFirst([...drafts.filter((each) => each !== held), saved]);
}

/** The channel or thread of a draft event; undefined when it names none. */
export function placeOfDraftEvent(event: AnyEvent): ThreadRef | undefined {
  const draft = event.draft as Draft | undefined;
  const cid = event.cid ?? draft?.channel_cid;
  const parentId = (event.parent_id as string | undefined) ?? draft?.parent_id;
  return cid === undefined ? undefined : { cid, ...(parentId !== undefined && { parentId }) };
}

/** The drafts after an event; one that was saved after the deletion stays. */
function applied(drafts: readonly Draft[], event: AnyEvent): readonly Draft[] {
  const place = placeOfDraftEvent(event);
  if (!place) return drafts;
  const { cid, parentId } = place;
  const draft = event.draft as Draft | undefined;
  if (event.type === "draft.updated")
    return draft
      ? withDraft(drafts, {
          ...draft,
          channel_cid: cid,
          ...(parentId !== undefined && { parent_id: parentId }),
        })
      : drafts;
  return drafts.filter(
    (each) => keyOf(each) !== placeKey(place) || compareTimes(each.created_at, event.created_at) > 0,
  );
}

/** `enabled` false: asks for nothing and stays empty (R-DRAFT-1). */
export function createProviderDrafts({
  call,
  log,
  enabled,
}: Pick<Services, "call" | "log"> & { enabled: boolean }): ProviderDrafts {
  const list = createObservable<readonly LocalDraft[]>([]);
  let held: readonly Draft[] = [];
  /** Events since the running request began: its answer may not include them. */
  let missed: AnyEvent[] | undefined;

  function show(drafts: readonly Draft[]): void {
    held = drafts;
    list.set(drafts.map(asLocal));
  }

  async function load(): Promise<void> {
    const since: AnyEvent[] = [];
    missed = since;
    try {
      const { drafts } = await call("queryDrafts", { body: { limit: DRAFTS_LIMIT[1] } });
      if (missed === since) show(since.reduce(applied, newestFirst(drafts)));
    } finally {
      if (missed === since) missed = undefined;
    }
  }

  return {
    state: list.state,
    subscribe: list.subscribe,
    at: (place) => held.find((draft) => keyOf(draft) === placeKey(place)),
    onEvent(event) {
      const isDraftEvent = event.type === "draft.updated" || event.type === "draft.deleted";
      if (!enabled || !isDraftEvent) return;
      missed?.push(event);
      show(applied(held, event));
    },
    onConnected() {
      if (!enabled) return;
      load().catch((error: Error) => log.debug("drafts could not be loaded", { error: error.message }));
    },
    reset() {
      missed = undefined;
      show([]);
    },
  };
}
