/** Reloads the channel list and all loaded channels in batches, and loads what was missed before the reloaded messages (specification/realtime.md §7, D6, D7). */
import { isFullPage, oldestFirst, straighten } from "../../model/page-walk.ts";
import { MAX_OFFSET, MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import type { QueryChannelsBody, ReplyOf } from "../../wire/endpoints/index.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import type { ChannelEntry, ClientMessage, State } from "../../model/state.ts";
import { isDetached } from "../state/sets.ts";
import { isLocal } from "../../model/message-state.ts";
import { splitCid } from "../../wire/ids.ts";
import { FEW_PEOPLE, type MessagePagination } from "../../wire/entities/query.ts";
import { ApiError } from "../../model/errors.ts";
import { PageSize } from "../../model/page-size.ts";
import type { RecoveryAttempt } from "./recovery-attempt.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";

/** At most RECOVERY_QUERY_LIMIT cids. */
export const loadedChannelsQuery = (cids: string[]): QueryChannelsBody => ({
  filter_conditions: { cid: { $in: cids } },
  limit: cids.length,
  state: true,
  watch: true,
  presence: true,
  message_limit: MESSAGE_PAGE,
});

/** Loaded channels in the order of specification/realtime.md §7: the open one, pinned ones, then newest activity. */
function recoveryOrder(state: State, openCid: string | undefined): string[] {
  const rank = (entry: ChannelEntry): number =>
    entry.cid === openCid ? 0 : entry.membership?.pinned_at ? 1 : 2;
  const activity = (entry: ChannelEntry): string => entry.channel.last_message_at ?? entry.channel.created_at;
  return [...state.channels.values()]
    .filter((entry) => !entry.unavailable)
    .toSorted((a, b) => rank(a) - rank(b) || compareTimes(activity(b), activity(a)))
    .map((entry) => entry.cid);
}

/** Whether a page contains a received message of the latest set: then nothing is missing between them. */
export function sharesMessages(entry: ChannelEntry | undefined, page: readonly Message[]): boolean {
  const held = entry?.sets.find((set) => set.isLatest)?.messages;
  if (!held) return false;
  return page.some((message) => {
    const found = held.at(held.indexOf(message.id));
    // Messages may be missing before an echo or a message that arrived alone.
    return found !== undefined && found.id === message.id && !isDetached(found, entry.detached);
  });
}

/** Whether the latest set has messages that a page could overlap. */
const hasMessages = (entry: ChannelEntry | undefined): boolean => {
  for (const message of entry?.sets.find((set) => set.isLatest)?.messages ?? [])
    if (!isDetached(message, entry!.detached)) return true;
  return false;
};

/**
 * Messages that were loaded when a page was requested, are of its time and not in it: hard deleted meanwhile. A page that
 * is not full reaches back to the start of the channel; `upTo` is the message before which it was asked for, if it is not
 * the newest. The event log contains these deletes only if it reaches back to the last complete recovery (D7).
 */
export function findDeleted(
  before: ChannelEntry | undefined,
  page: readonly Message[],
  limit: number,
  upTo?: Message,
): ClientMessage[] {
  const held = before?.sets.find((set) => set.isLatest)?.messages;
  if (!held) return [];
  const ids = new Set(page.map(({ id }) => id));
  const isComplete = !isFullPage(page, limit);
  return [...held].filter(
    (message) =>
      !ids.has(message.id) &&
      !isLocal(message) &&
      (upTo === undefined || compareTimes(message.created_at, upTo.created_at) < 0) &&
      (isComplete || compareTimes(message.created_at, page[0]!.created_at) > 0),
  );
}

const PAGE = 100;
/** Pages per channel, and of all channels together, in one recovery. */
const MAX_PAGES = 10;
const MAX_PAGES_OF_ALL = 100;

type Pagination = MessagePagination & { limit: number };

/** Loads pages until the loaded messages or the start of the channel are reached: true; after too many pages false, and the gap stays visible. */
async function loadMissed(
  run: RecoveryAttempt,
  cid: string,
  first: readonly Message[],
  held: ChannelEntry,
): Promise<boolean> {
  const { machine } = run.deps;
  const path = splitCid(cid);
  if (!path) return false;
  let oldest = first[0];
  for (let n = 0; oldest && n < MAX_PAGES && run.pagesWalked < MAX_PAGES_OF_ALL; n++) {
    run.pagesWalked += 1;
    const { id, created_at } = oldest as Message;
    const since = machine.revision();
    let pagination: Pagination = { id_lt: id, limit: PAGE };
    let reply = await pageBefore(run, path, pagination);
    if (reply === "gone") {
      pagination = { created_at_before: created_at, limit: PAGE };
      reply = await pageBefore(run, path, pagination);
    }
    if (reply === "gone") run.complete = false;
    if (!reply || reply === "gone") return false;
    const messages = reply.messages ?? [];
    straighten(messages, oldestFirst);
    const doesShare = sharesMessages(held, messages);
    const deleted = findDeleted(held, messages, PAGE, oldest).map((message) => hardDelete(cid, message));
    if (deleted.length > 0) machine.dispatch(deleted, true);
    recordOldest(run, cid, messages, PAGE);
    machine.apply({ kind: "page", cid, messages, pagination, since });
    if (doesShare || !isFullPage(messages, PAGE)) return true;
    oldest = messages[0];
  }
  return false;
}

/** Records the oldest message of a full page, before which there may be more. */
function recordOldest(run: RecoveryAttempt, cid: string, page: readonly Message[], limit: number): void {
  if (isFullPage(page, limit) && page[0]) run.oldest.set(cid, page[0]);
  else run.oldest.delete(cid);
}

/** The page before; "gone" when the cursor message was hard deleted meanwhile. */
function pageBefore(
  run: RecoveryAttempt,
  path: { type: string; id: string },
  messages: Pagination,
): Promise<ReplyOf<"queryChannel"> | "gone" | undefined> {
  const { signal } = run;
  const body = { state: true, messages, ...FEW_PEOPLE };
  return run.step("walk", () =>
    run.deps.call("queryChannel", { path, body, signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === INPUT_ERROR) return "gone" as const;
      throw error;
    }),
  );
}

/** Revision and loaded channels at the time of a request. */
interface RequestStart {
  since: number;
  held: State["channels"];
}

const requestStart = ({ deps: { machine } }: RecoveryAttempt): RequestStart => ({
  since: machine.revision(),
  held: machine.state().channels,
});

/** Returns the channels without a gap between the messages loaded before and the reloaded ones. */
export async function recoverChannels(run: RecoveryAttempt): Promise<string[]> {
  const { machine, openCid } = run.deps;
  const order = recoveryOrder(machine.state(), openCid());
  const size = new PageSize(RECOVERY_QUERY_LIMIT);
  const { answered, contiguous } = await recoverListed(run, size, order);
  const rest = order.filter((cid) => !answered.has(cid));
  return [...contiguous, ...(await recoverLoaded(run, size, rest))];
}

/** The beginning of the channel list, so that new channels appear; at a start, as far as the cached channels are. */
async function recoverListed(
  run: RecoveryAttempt,
  size: PageSize,
  cached: readonly string[],
): Promise<{ answered: ReadonlySet<string>; contiguous: string[] }> {
  const { call, openCid, listQuery } = run.deps;
  const answered = new Set<string>();
  const contiguous: string[] = [];
  const query = listQuery();
  if (!query) return { answered, contiguous };
  const done = run.deps.listing?.();
  const isWanted = (offset: number): boolean =>
    offset < RECOVERY_QUERY_LIMIT ||
    (done !== undefined && offset <= MAX_OFFSET && cached.some((cid) => !answered.has(cid)));
  let offset = 0;
  while (isWanted(offset)) {
    const before = requestStart(run);
    const body = listFrom(query, offset);
    const page = await run.step("list", () =>
      size.ask((limit) => call("queryChannels", { body: { ...body, limit }, signal: run.signal })),
    );
    const { channels = [] } = page?.answer ?? {};
    for (const { channel } of channels) answered.add(channel.cid);
    contiguous.push(...(await applyAnswer(run, openFirst(channels, openCid()), body.message_limit, before)));
    if (!page) return { answered, contiguous };
    offset = isFullPage(channels, page.limit) ? offset + page.limit : Infinity;
  }
  done?.(offset <= MAX_OFFSET ? offset : Infinity);
  return { answered, contiguous };
}

async function recoverLoaded(
  run: RecoveryAttempt,
  size: PageSize,
  cids: readonly string[],
): Promise<string[]> {
  const { call, machine } = run.deps;
  const contiguous: string[] = [];
  for (let at = 0; at < cids.length;) {
    const before = requestStart(run);
    let asked: string[] = [];
    const page = await run.step("channels", () =>
      size.ask(
        (limit) => {
          asked = cids.slice(at, at + limit);
          return call("queryChannels", { body: loadedChannelsQuery(asked), signal: run.signal });
        },
        { needed: cids.length - at },
      ),
    );
    at += asked.length;
    if (!page) continue;
    const me = machine.state().me?.id;
    const states = (page.answer.channels ?? []).filter((state) => !hasLeft(state, before.held, me));
    markMissingUnavailable(run, asked, states);
    contiguous.push(...(await applyAnswer(run, states, MESSAGE_PAGE, before)));
  }
  return contiguous;
}

const listFrom = (
  query: QueryChannelsBody,
  offset: number,
): QueryChannelsBody & { message_limit: number } => ({
  ...query,
  offset,
  state: true,
  watch: true,
  presence: true,
  message_limit: query.message_limit ?? MESSAGE_PAGE,
});

const openFirst = (states: ChannelState[], open: string | undefined): ChannelState[] =>
  states.toSorted((a, b) => Number(b.channel.cid === open) - Number(a.channel.cid === open));

/** Whether the user was a member and no longer is: a channel that everybody may read is answered all the same. */
function hasLeft(state: ChannelState, held: State["channels"], me: string | undefined): boolean {
  const wasMember = held.get(state.channel.cid)?.membership !== undefined;
  return wasMember && !state.membership && !state.members.some(({ user_id }) => user_id === me);
}

/** Channels missing in the answer are unavailable, except hidden ones, which answers leave out. */
function markMissingUnavailable(
  { deps: { machine } }: RecoveryAttempt,
  asked: string[],
  states: ChannelState[],
): void {
  const answered = new Set(states.map(({ channel }) => channel.cid));
  const cids = asked.filter((cid) => !answered.has(cid) && !machine.state().channels.get(cid)?.hidden);
  if (cids.length) machine.apply({ kind: "unavailable", cids });
}

async function applyAnswer(
  run: RecoveryAttempt,
  states: ChannelState[],
  limit: number,
  { since, held }: RequestStart,
): Promise<string[]> {
  const { machine } = run.deps;
  for (const { messages } of states) straighten(messages, oldestFirst);
  const deletes = states.flatMap((state) => missedDeletes(state, held, limit));
  if (deletes.length) machine.dispatch(deletes, true);
  const before = new Map(states.map((s) => [s.channel.cid, machine.state().channels.get(s.channel.cid)]));
  machine.apply({ kind: "channels", states, messageLimit: limit, watched: true, since });
  // A new connection gets events of a channel only after this answer; a resumed session has buffered older ones.
  if (run.resumed) run.replayed = run.buffer.length;
  const contiguous: string[] = [];
  for (const { channel, messages } of states) {
    recordOldest(run, channel.cid, messages, limit);
    const entry = before.get(channel.cid);
    if (!entry || !hasMessages(entry)) continue;
    const lost = run.loadedAtLoss.get(channel.cid);
    const known = lost && hasMessages(lost) ? lost : entry;
    const meets = sharesMessages(known, messages) || !isFullPage(messages, limit);
    if (meets || (await loadMissed(run, channel.cid, messages, known))) contiguous.push(channel.cid);
    else if (entry.sets.some((set) => set.isLatest && set.isCurrent))
      machine.apply({ kind: "current", cid: channel.cid });
  }
  return contiguous;
}

/** Events for messages that were hard deleted while the connection was lost. */
const missedDeletes = (
  { channel: { cid }, messages }: ChannelState,
  held: State["channels"],
  limit: number,
): AnyEvent[] => findDeleted(held.get(cid), messages, limit).map((message) => hardDelete(cid, message));

/** The event that a deletion would have had. */
const hardDelete = (cid: string, message: ClientMessage): AnyEvent => ({
  type: "message.deleted",
  created_at: message.created_at,
  cid,
  message,
  message_id: message.id,
  hard_delete: true,
});
