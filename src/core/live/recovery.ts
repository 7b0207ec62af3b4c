/** After an opening: everything held is asked anew, gaps are walked back or shown, missed events are fetched, then live events flow again (decisions 25, realtime.md §7, R-REC). */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT, SYNC_CHANNELS } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/channel.ts";
import type { QueryChannelsBody, ReplyOf } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { splitCid } from "../../wire/ids.ts";
import type { Message } from "../../wire/message.ts";
import type { MessagePagination } from "../../wire/query.ts";
import { compareTimes } from "../../wire/time.ts";
import { ApiError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import { wait } from "../base/wait.ts";
import type { Clock, Log, Random, Timer } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { ChannelEntry, State } from "../../model/state.ts";
import type { EventReader } from "./connection-attempt.ts";
import { delay } from "../base/delay.ts";
import { heldChannels } from "./held-channels.ts";
import { hasMessages, overlaps, recoveryOrder, deletedMeanwhile } from "./overlap.ts";
import { totalsOf } from "./totals.ts";

/** Messages a page while walking back. */
const WALK_PAGE = 100;
/** Pages a channel, and pages of all channels together, in one recovery. */
const WALK_PAGES = 10;
const WALK_PAGES_IN_ALL = 100;
/** Threads asked anew in one recovery, those opened last; the others when they are opened again. */
const THREADS = 10;
/** Steps that ask to watch. */
const WATCHING: ReadonlySet<string> = new Set(["list", "channels"]);
/** Tries of one failing step. */
const STEP_TRIES = 3;
/** Code of a request that names something the provider does not know. */
const REFUSED_INPUT = 4;
/** Runs in a row after which a refusal of the channels is believed. */
const REFUSED_RUNS = 5;
/** Milliseconds a rate limit may hold a step up. */
const LONGEST_PAUSE = 60_000;

export interface RecoveryDeps {
  call: ApiCall;
  machine: Pick<StateMachine, "state" | "apply" | "dispatch" | "revision">;
  clock: Clock;
  random: Random;
  log: Log;
  reader: EventReader;
  /** The channel on screen: it comes first. */
  openCid(): string | undefined;
  /** The query of the channel list, asked again so that new channels appear. */
  listQuery(): QueryChannelsBody | undefined;
  /** Provider time up to which everything was seen, kept from an earlier run. */
  checkpoint?: string | undefined;
  /** A local event, with provider time. */
  local(type: string, fields?: Record<string, unknown>): AnyEvent;
}

export interface Recovery {
  /** Live events: dispatched at once, or held back while a recovery runs. */
  take(events: AnyEvent[]): void;
  /** A health check: everything of this connection up to that provider time has been seen. */
  seen(createdAt: string | undefined): void;
  /** The link opened, or a session was `resumed` and no first frame told the totals. Resolves when it is over, however it ended. */
  run(resumed?: boolean): Promise<void>;
  /** The link closed: a running recovery ends, what it held back is released. */
  stop(): void;
  /** Provider time up to which nothing was missed; undefined when that is not known. */
  checkpoint(): string | undefined;
}

interface Run {
  buffer: AnyEvent[];
  abort: AbortController;
  walked: number;
  complete: boolean;
  /** Events of the buffer that waited at the provider and are older than the snapshots. */
  early: number;
  /** Oldest message told anew of each channel that has more before it. */
  oldest: Map<string, Message>;
  resumed: boolean;
  /** A step failed that may succeed later. */
  again: boolean;
}

export function createRecovery(deps: RecoveryDeps): Recovery {
  const { call, machine, clock, log } = deps;
  let current: Run | undefined;
  let checkpoint = deps.checkpoint;
  /** The newest provider time of this connection; it counts once the recovery is complete. */
  let newest: string | undefined;
  /** False from a lost link to the end of a complete recovery: what is seen meanwhile says nothing about what was missed. */
  let trusted = false;
  /** The next run after one whose steps failed, and how many such runs there were in a row. */
  let later: Timer | undefined;
  let failures = 0;
  /** Numbers the links: what a run does after its link was lost counts for nothing. */
  let link = 0;

  const notice = (createdAt: unknown): void => {
    if (typeof createdAt !== "string" || compareTimes(createdAt, newest) <= 0) return;
    newest = createdAt;
    if (trusted) checkpoint = newest;
  };
  const deliver = (events: AnyEvent[], past = false): void => {
    if (events.length) machine.dispatch(events, past);
  };

  /** Tries one step alone a few times; undefined when it failed for good. Throws only when the link is gone. */
  async function step<T>(run: Run, what: string, work: () => Promise<T>): Promise<T | undefined> {
    for (let n = 1; ; n++) {
      try {
        const answer = await work();
        if (run.abort.signal.aborted) throw new Error("the link closed");
        return answer;
      } catch (error) {
        if (run.abort.signal.aborted) throw error;
        const api = error instanceof ApiError ? error : undefined;
        log.warn("a recovery step failed", { what, try: n, status: api?.status, code: api?.code });
        if ((api && !api.retryable) || n === STEP_TRIES) {
          run.complete = false;
          // The connection that was to watch may have been gone already: that refusal passes with it.
          const passes = api?.code === REFUSED_INPUT && WATCHING.has(what) && failures < REFUSED_RUNS;
          if (!api || api.retryable || passes) run.again = true;
          return undefined;
        }
        const until = api?.status === 429 && api.rateLimit ? api.rateLimit.reset * 1000 - clock.now() : 0;
        const pause = Math.min(LONGEST_PAUSE, Math.max(delay(n, deps.random.float()), until));
        await wait(clock, pause, run.abort.signal);
        if (run.abort.signal.aborted) throw error;
      }
    }
  }

  /** One page further back; "gone" when its first message was deleted for good meanwhile. */
  const pageBefore = (
    run: Run,
    path: { type: string; id: string },
    messages: MessagePagination & { limit: number },
  ): Promise<ReplyOf<"queryChannel"> | "gone" | undefined> =>
    step(run, "walk", () =>
      call("queryChannel", {
        path,
        body: { state: true, messages, members: { limit: 1 }, watchers: { limit: 1 } },
        signal: run.abort.signal,
      }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === REFUSED_INPUT) return "gone" as const;
        throw error;
      }),
    );

  /** Pages backwards until the held messages are met, the channel ends, or it is too far: then the gap stays visible (D6). */
  async function walk(
    run: Run,
    cid: string,
    first: readonly Message[],
    held: ChannelEntry,
  ): Promise<boolean> {
    const parts = splitCid(cid);
    if (!parts) return false;
    let oldest = first[0];
    for (let n = 0; oldest && n < WALK_PAGES && run.walked < WALK_PAGES_IN_ALL; n++) {
      run.walked += 1;
      const { id, created_at } = oldest as Message;
      const since = machine.revision();
      let pagination: MessagePagination & { limit: number } = { id_lt: id, limit: WALK_PAGE };
      let reply = await pageBefore(run, parts, pagination);
      if (reply === "gone") {
        pagination = { created_at_before: created_at, limit: WALK_PAGE };
        reply = await pageBefore(run, parts, pagination);
      }
      if (reply === "gone") run.complete = false;
      if (!reply || reply === "gone") return false;
      const messages = reply.messages ?? [];
      const met = overlaps(held, messages);
      if (messages.length >= WALK_PAGE && messages[0]) run.oldest.set(cid, messages[0]);
      else run.oldest.delete(cid);
      machine.apply({ kind: "page", cid, messages, pagination, since });
      if (met || messages.length < WALK_PAGE) return true;
      oldest = messages[0];
    }
    return false;
  }

  /** Takes the answer in; gives back the channels whose pages meet what was held before. */
  async function take(
    run: Run,
    states: ChannelState[],
    limit: number,
    since: number,
    asked: State["channels"],
  ): Promise<string[]> {
    const gone = states.flatMap(({ channel: { cid }, messages }) =>
      deletedMeanwhile(asked.get(cid), messages, limit).map((message) => ({
        type: "message.deleted",
        created_at: message.created_at,
        cid,
        message,
        message_id: message.id,
        hard_delete: true,
      })),
    );
    if (gone.length) machine.dispatch(gone as AnyEvent[], true);
    const before = new Map(states.map((s) => [s.channel.cid, machine.state().channels.get(s.channel.cid)]));
    machine.apply({ kind: "channels", states, messageLimit: limit, watched: true, since });
    // A new connection hears of a channel only after this answer; a resumed session has gathered news all the time.
    if (run.resumed) run.early = run.buffer.length;
    const whole: string[] = [];
    for (const { channel, messages } of states) {
      if (messages.length >= limit && messages[0]) run.oldest.set(channel.cid, messages[0]);
      const entry = before.get(channel.cid);
      if (!entry || !hasMessages(entry)) continue;
      const meets = overlaps(entry, messages) || messages.length < limit;
      if (meets || (await walk(run, channel.cid, messages, entry))) whole.push(channel.cid);
      else if (entry.sets.some((set) => set.isLatest && set.isCurrent))
        machine.apply({ kind: "current", cid: channel.cid });
    }
    return whole;
  }

  async function channels(run: Run): Promise<string[]> {
    const whole: string[] = [];
    const asked = new Set<string>();
    const order = recoveryOrder(machine.state(), deps.openCid());
    const query = deps.listQuery();
    if (query) {
      const limit = query.message_limit ?? MESSAGE_PAGE;
      const since = machine.revision();
      const held = machine.state().channels;
      const reply = await step(run, "list", () =>
        call("queryChannels", {
          body: { ...query, offset: 0, state: true, watch: true, presence: true, message_limit: limit },
          signal: run.abort.signal,
        }),
      );
      const states = reply?.channels ?? [];
      for (const { channel } of states) asked.add(channel.cid);
      const first = deps.openCid();
      const sorted = states.toSorted(
        (a, b) => Number(b.channel.cid === first) - Number(a.channel.cid === first),
      );
      whole.push(...(await take(run, sorted, limit, since, held)));
    }
    const rest = order.filter((cid) => !asked.has(cid));
    for (let at = 0; at < rest.length; at += RECOVERY_QUERY_LIMIT) {
      const cids = rest.slice(at, at + RECOVERY_QUERY_LIMIT);
      const since = machine.revision();
      const held = machine.state().channels;
      const reply = await step(run, "channels", () =>
        call("queryChannels", {
          body: heldChannels(cids),
          signal: run.abort.signal,
        }),
      );
      if (!reply) continue;
      const states = reply.channels ?? [];
      const answered = new Set(states.map((s) => s.channel.cid));
      // A hidden channel is left out of answers and is not gone.
      const gone = cids.filter((cid) => !answered.has(cid) && !machine.state().channels.get(cid)?.hidden);
      if (gone.length) machine.apply({ kind: "unavailable", cids: gone });
      whole.push(...(await take(run, states, MESSAGE_PAGE, since, held)));
    }
    return whole;
  }

  /** Threads that were opened are as far behind as their channels were (D6). */
  async function threads(run: Run): Promise<void> {
    const held = [...machine.state().channels.values()].filter((entry) => !entry.stale);
    const behind = held.flatMap(({ cid, threads: all }) =>
      [...all.values()].filter((thread) => thread.stale).map(({ parentId }) => ({ cid, parentId })),
    );
    for (const { cid, parentId } of behind.slice(-THREADS).toReversed()) {
      const since = machine.revision();
      const pagination = { limit: MESSAGE_PAGE };
      const reply = await step(run, "thread", () =>
        call("getReplies", { path: { parent_id: parentId }, query: pagination, signal: run.abort.signal }),
      );
      if (reply)
        machine.apply({ kind: "page", cid, parentId, messages: reply.messages ?? [], pagination, since });
    }
  }

  /** Only what was told anew is certain: the rest is asked for again when it is wanted (D7). */
  const olderUnknown = (run: Run, cids: readonly string[]): void => {
    for (const cid of cids) {
      const from = run.oldest.get(cid);
      if (from) machine.apply({ kind: "olderUnknown", cid, from });
    }
  };

  /** What changed in channels whose messages are contiguous; too many events for a batch → halves, then the channel is left out. */
  async function sync(run: Run, cids: string[], since: string): Promise<void> {
    const batches: string[][] = [];
    for (let at = 0; at < cids.length; at += SYNC_CHANNELS) batches.push(cids.slice(at, at + SYNC_CHANNELS));
    while (batches.length) {
      const batch = batches.shift()!;
      const reply = await step(run, "sync", () =>
        call("sync", {
          body: { channel_cids: batch, last_sync_at: since, with_inaccessible_cids: true },
          signal: run.abort.signal,
        }).catch((error: unknown) => {
          // Refused as it was asked: fewer channels may do, and what one channel alone cannot get is asked for otherwise.
          if (error instanceof ApiError && error.code === 4) return "tooMany" as const;
          throw error;
        }),
      );
      if (reply === "tooMany") {
        const half = Math.ceil(batch.length / 2);
        if (batch.length > 1) batches.unshift(batch.slice(0, half), batch.slice(half));
        else olderUnknown(run, batch);
        continue;
      }
      if (!reply) continue;
      deliver(
        (reply.events ?? []).map(deps.reader.read).filter((event) => event !== undefined),
        true,
      );
      if (reply.inaccessible_cids?.length)
        machine.apply({ kind: "unavailable", cids: reply.inaccessible_cids });
    }
  }

  /** R-READ-8 without a first frame; an event that came meanwhile is as new. */
  async function totals(run: Run): Promise<void> {
    const before = machine.state().totals;
    const reply = await step(run, "totals", () => call("getUnread", { signal: run.abort.signal })).catch(
      () => undefined,
    );
    if (!reply || machine.state().totals !== before) return;
    machine.apply({ kind: "totals", ...totalsOf(reply) });
  }

  const release = (run: Run): void => {
    current = undefined;
    deliver(run.buffer.slice(0, run.early), true);
    deliver(run.buffer.slice(run.early));
    run.buffer = [];
  };

  const recovery: Recovery = {
    take(events) {
      // They come in commit order: the last one is the newest.
      notice(events.at(-1)?.created_at);
      if (current) current.buffer = current.buffer.concat(events);
      else deliver(events);
    },
    seen: notice,
    async run(resumed = false) {
      current?.abort.abort();
      const mine = link;
      const run: Run = {
        buffer: current?.buffer ?? [],
        abort: new AbortController(),
        walked: 0,
        early: 0,
        oldest: new Map(),
        resumed,
        complete: true,
        again: false,
      };
      current = run;
      // A link that took the place of an open one was never told to stop, and is as ignorant as any new one.
      trusted = false;
      clock.clearTimeout(later);
      const nothing = machine.state().channels.size === 0 && deps.listQuery() === undefined;
      if (!nothing) machine.apply({ kind: "link", link: { catchingUp: true } });
      // What was asked while the link was down is behind too.
      if (!nothing) machine.apply({ kind: "stale" });
      try {
        const since = checkpoint;
        const whole = await channels(run);
        await threads(run);
        if (since === undefined) olderUnknown(run, whole);
        else if (whole.length) await sync(run, whole, since);
      } catch (error) {
        if (!run.abort.signal.aborted) {
          run.complete = run.again = false;
          log.error("recovery failed", { error: error instanceof Error ? error.message : "unknown" });
        }
      }
      if (current !== run) return;
      trusted = run.complete;
      if (trusted && newest !== undefined) checkpoint = newest;
      release(run);
      if (resumed) await totals(run);
      if (current || mine !== link) return;
      failures = run.again ? failures + 1 : 0;
      // Nothing else would ask again while the link stays open (D6).
      if (run.again)
        later = clock.setTimeout(() => void recovery.run(resumed), delay(failures, deps.random.float()));
      if (nothing) return;
      machine.apply({ kind: "link", link: { catchingUp: false } });
      machine.dispatch([deps.local("connection.recovered")]);
    },
    stop() {
      clock.clearTimeout(later);
      link += 1;
      failures = 0;
      trusted = false;
      const run = current;
      if (run) {
        run.abort.abort();
        release(run);
        machine.apply({ kind: "link", link: { catchingUp: false } });
      }
      newest = undefined;
    },
    checkpoint: () => checkpoint,
  };
  return recovery;
}
