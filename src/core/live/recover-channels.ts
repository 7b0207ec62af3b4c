/** Requests the channel list and every loaded channel again, in batches, and merges the answers (specification/realtime.md §7, D6, D7). */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { State } from "../../model/state.ts";
import { backfill, noteOldest } from "./backfill.ts";
import { heldChannels } from "./held-channels.ts";
import { deletedMeanwhile, hasMessages, overlaps, recoveryOrder } from "./overlap.ts";
import type { RecoveryRun } from "./recovery-run.ts";

/** What was held, and how far the state was, when an answer was asked for. */
interface Before {
  since: number;
  held: State["channels"];
}

const beforeAsking = ({ deps: { machine } }: RecoveryRun): Before => ({
  since: machine.revision(),
  held: machine.state().channels,
});

/** Gives back the channels of which nothing is missing between what was held and what was told. */
export async function recoverChannels(run: RecoveryRun): Promise<string[]> {
  const { call, machine, openCid, listQuery } = run.deps;
  const { signal } = run;
  const whole: string[] = [];
  const asked = new Set<string>();
  const order = recoveryOrder(machine.state(), openCid());
  const query = listQuery();
  if (query) {
    const body = wholeList(query);
    const before = beforeAsking(run);
    const reply = await run.step("list", () => call("queryChannels", { body, signal }));
    const states = openFirst(reply?.channels ?? [], openCid());
    for (const { channel } of states) asked.add(channel.cid);
    whole.push(...(await take(run, states, body.message_limit, before)));
  }
  const rest = order.filter((cid) => !asked.has(cid));
  for (let at = 0; at < rest.length; at += RECOVERY_QUERY_LIMIT) {
    const cids = rest.slice(at, at + RECOVERY_QUERY_LIMIT);
    const body = heldChannels(cids);
    const before = beforeAsking(run);
    const reply = await run.step("channels", () => call("queryChannels", { body, signal }));
    if (!reply) continue;
    const states = reply.channels ?? [];
    dropUnanswered(run, cids, states);
    whole.push(...(await take(run, states, MESSAGE_PAGE, before)));
  }
  return whole;
}

const wholeList = (query: QueryChannelsBody): QueryChannelsBody & { message_limit: number } => ({
  ...query,
  offset: 0,
  state: true,
  watch: true,
  presence: true,
  message_limit: query.message_limit ?? MESSAGE_PAGE,
});

const openFirst = (states: ChannelState[], open: string | undefined): ChannelState[] =>
  states.toSorted((a, b) => Number(b.channel.cid === open) - Number(a.channel.cid === open));

/** A hidden channel is left out of answers and is not gone. */
function dropUnanswered({ deps: { machine } }: RecoveryRun, asked: string[], states: ChannelState[]): void {
  const answered = new Set(states.map(({ channel }) => channel.cid));
  const cids = asked.filter((cid) => !answered.has(cid) && !machine.state().channels.get(cid)?.hidden);
  if (cids.length) machine.apply({ kind: "unavailable", cids });
}

async function take(
  run: RecoveryRun,
  states: ChannelState[],
  limit: number,
  { since, held }: Before,
): Promise<string[]> {
  const { machine } = run.deps;
  const gone = states.flatMap((state) => deletesIn(state, held, limit));
  if (gone.length) machine.dispatch(gone, true);
  const before = new Map(states.map((s) => [s.channel.cid, machine.state().channels.get(s.channel.cid)]));
  machine.apply({ kind: "channels", states, messageLimit: limit, watched: true, since });
  // A new connection hears of a channel only after this answer; a resumed session has gathered news all the time.
  if (run.resumed) run.early = run.buffer.length;
  const whole: string[] = [];
  for (const { channel, messages } of states) {
    noteOldest(run, channel.cid, messages, limit);
    const entry = before.get(channel.cid);
    if (!entry || !hasMessages(entry)) continue;
    const lost = run.heldAtLoss.get(channel.cid);
    const known = lost && hasMessages(lost) ? lost : entry;
    const meets = overlaps(known, messages) || messages.length < limit;
    if (meets || (await backfill(run, channel.cid, messages, known))) whole.push(channel.cid);
    else if (entry.sets.some((set) => set.isLatest && set.isCurrent))
      machine.apply({ kind: "current", cid: channel.cid });
  }
  return whole;
}

/** The events that nobody told: messages deleted for good while nobody listened. */
const deletesIn = (
  { channel: { cid }, messages }: ChannelState,
  held: State["channels"],
  limit: number,
): AnyEvent[] =>
  deletedMeanwhile(held.get(cid), messages, limit).map((message) => ({
    type: "message.deleted",
    created_at: message.created_at,
    cid,
    message,
    message_id: message.id,
    hard_delete: true,
  }));
