/** Reloads the channel list and all loaded channels in batches (specification/realtime.md §7, D6, D7). */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { State } from "../../model/state.ts";
import { backfill, recordOldest } from "./backfill.ts";
import { loadedChannelsQuery } from "./loaded-channels-query.ts";
import { findDeleted, hasMessages, overlaps, recoveryOrder } from "./overlap.ts";
import type { RecoveryRun } from "./recovery-run.ts";

/** Revision and loaded channels at the time of a request. */
interface RequestStart {
  since: number;
  held: State["channels"];
}

const requestStart = ({ deps: { machine } }: RecoveryRun): RequestStart => ({
  since: machine.revision(),
  held: machine.state().channels,
});

/** Returns the channels without a gap between the messages loaded before and the reloaded ones. */
export async function recoverChannels(run: RecoveryRun): Promise<string[]> {
  const { call, machine, openCid, listQuery } = run.deps;
  const { signal } = run;
  const contiguous: string[] = [];
  const answered = new Set<string>();
  const order = recoveryOrder(machine.state(), openCid());
  const query = listQuery();
  if (query) {
    const body = listFromStart(query);
    const before = requestStart(run);
    const reply = await run.step("list", () => call("queryChannels", { body, signal }));
    const states = openFirst(reply?.channels ?? [], openCid());
    for (const { channel } of states) answered.add(channel.cid);
    contiguous.push(...(await applyAnswer(run, states, body.message_limit, before)));
  }
  const rest = order.filter((cid) => !answered.has(cid));
  for (let at = 0; at < rest.length; at += RECOVERY_QUERY_LIMIT) {
    const cids = rest.slice(at, at + RECOVERY_QUERY_LIMIT);
    const body = loadedChannelsQuery(cids);
    const before = requestStart(run);
    const reply = await run.step("channels", () => call("queryChannels", { body, signal }));
    if (!reply) continue;
    const me = machine.state().me?.id;
    const states = (reply.channels ?? []).filter((state) => !hasLeft(state, before.held, me));
    markMissingUnavailable(run, cids, states);
    contiguous.push(...(await applyAnswer(run, states, MESSAGE_PAGE, before)));
  }
  return contiguous;
}

const listFromStart = (query: QueryChannelsBody): QueryChannelsBody & { message_limit: number } => ({
  ...query,
  offset: 0,
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
  { deps: { machine } }: RecoveryRun,
  asked: string[],
  states: ChannelState[],
): void {
  const answered = new Set(states.map(({ channel }) => channel.cid));
  const cids = asked.filter((cid) => !answered.has(cid) && !machine.state().channels.get(cid)?.hidden);
  if (cids.length) machine.apply({ kind: "unavailable", cids });
}

async function applyAnswer(
  run: RecoveryRun,
  states: ChannelState[],
  limit: number,
  { since, held }: RequestStart,
): Promise<string[]> {
  const { machine } = run.deps;
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
    const meets = overlaps(known, messages) || messages.length < limit;
    if (meets || (await backfill(run, channel.cid, messages, known))) contiguous.push(channel.cid);
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
): AnyEvent[] =>
  findDeleted(held.get(cid), messages, limit).map((message) => ({
    type: "message.deleted",
    created_at: message.created_at,
    cid,
    message,
    message_id: message.id,
    hard_delete: true,
  }));
