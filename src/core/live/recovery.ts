/** Recovers after a reconnect: reloads channels, closes or shows gaps, fetches missed events and totals, then delivers live events again (specification/realtime.md §7, R-REC, R-READ-8). */
import type { State } from "../../model/state.ts";
import { MESSAGE_PAGE, SYNC_CHANNELS } from "../../wire/constants.ts";
import { ApiError, errorMessage } from "../../model/errors.ts";
import { RecoveryAttempt, type RecoveryDeps } from "./recovery-attempt.ts";
import { INPUT_ERROR, isRouteAbsent } from "../../wire/errors.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import { delay } from "../base/delay.ts";
import type { Timer } from "../base/ports.ts";
import { recoverChannels } from "./recover-channels.ts";

interface UnreadAnswer {
  total_unread_count: number;
  channels: readonly { unread_count: number }[];
  threads: readonly { unread_count: number }[];
}

/** Whether the loaded channels add up to the totals: a message deleted after the first frame in a channel that is not yet watched has no event. */
function areTotalsPlausible({ channels, totals }: Pick<State, "channels" | "totals">): boolean {
  let unread = 0;
  for (const entry of channels.values()) unread += entry.unread;
  return unread === totals.unread;
}

export function totalsOf(answer: UnreadAnswer): State["totals"] {
  const unread = (list: readonly { unread_count: number }[]): number =>
    list.filter((each) => each.unread_count > 0).length;
  return {
    unread: answer.total_unread_count,
    channels: unread(answer.channels),
    threads: unread(answer.threads),
  };
}

/** Most recently opened threads reloaded in a recovery; others are reloaded when they are opened again. */
const MAX_THREADS = 10;

export async function recoverThreads(run: RecoveryAttempt): Promise<void> {
  const { call, machine } = run.deps;
  const { signal } = run;
  const current = [...machine.state().channels.values()].filter((entry) => !entry.stale);
  const staleThreads = current.flatMap(({ cid, threads: all }) =>
    [...all.values()].filter((thread) => thread.stale).map(({ parentId }) => ({ cid, parentId })),
  );
  const pagination = { limit: MESSAGE_PAGE };
  for (const { cid, parentId } of staleThreads.slice(-MAX_THREADS).toReversed()) {
    const since = machine.revision();
    const path = { parent_id: parentId };
    const reply = await run.step("thread", () => call("getReplies", { path, query: pagination, signal }));
    if (reply)
      machine.apply({ kind: "page", cid, parentId, messages: reply.messages ?? [], pagination, since });
  }
}

/** Unloads messages before the reloaded ones, because they may have changed; they are loaded again when needed. */
function dropOlderMessages(run: RecoveryAttempt, cids: readonly string[]): void {
  for (const cid of cids) {
    const from = run.oldest.get(cid);
    if (from) run.deps.machine.apply({ kind: "dropOlder", cid, from });
  }
}

/**
 * Fetches missed events of channels without a gap. A batch with too many events is halved; a single channel with too many is unloaded, and
 * so are all of them where the provider does not sync.
 */
async function syncChannels(run: RecoveryAttempt, cids: string[], since: string): Promise<void> {
  const batches: string[][] = [];
  for (let at = 0; at < cids.length; at += SYNC_CHANNELS) batches.push(cids.slice(at, at + SYNC_CHANNELS));
  while (batches.length) {
    const batch = batches.shift()!;
    const reply = await requestSync(run, batch, since);
    if (reply === "absent") return dropOlderMessages(run, [...batch, ...batches.flat()]);
    if (reply === "tooMany") {
      const half = Math.ceil(batch.length / 2);
      if (batch.length > 1) batches.unshift(batch.slice(0, half), batch.slice(half));
      else dropOlderMessages(run, batch);
      continue;
    }
    if (!reply) continue;
    const { machine, reader } = run.deps;
    const events = (reply.events ?? []).map(reader.read).filter((event) => event !== undefined);
    if (events.length) machine.dispatch(events, true);
    if (reply.inaccessible_cids?.length)
      machine.apply({ kind: "unavailable", cids: reply.inaccessible_cids });
  }
}

/** "tooMany" when the request was refused: fewer channels may succeed; "absent" when the provider has no such route. */
function requestSync(run: RecoveryAttempt, cids: string[], since: string) {
  const body = { channel_cids: cids, last_sync_at: since, with_inaccessible_cids: true };
  return run.step("sync", () =>
    run.deps.call("sync", { body, signal: run.signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === INPUT_ERROR) return "tooMany" as const;
      if (isRouteAbsent(error)) return "absent" as const;
      throw error;
    }),
  );
}

/** Fetches the totals that no first frame had, unless an event brought newer ones meanwhile. */
export async function recoverTotals(run: RecoveryAttempt): Promise<void> {
  const { call, machine } = run.deps;
  const before = machine.state().totals;
  const reply = await run
    .step("totals", () => call("getUnread", { signal: run.signal }))
    .catch(() => undefined);
  if (!reply || machine.state().totals !== before) return;
  machine.apply({ kind: "totals", ...totalsOf(reply) });
}

/** Most live events buffered during a recovery. */
export const MAX_BUFFERED_EVENTS = 10_000;

export class Recovery {
  readonly #deps: RecoveryDeps;
  #current: RecoveryAttempt | undefined;
  /** Provider time up to which nothing was missed. */
  #checkpoint: string | undefined;
  /** Newest provider time of this connection; becomes the checkpoint once the recovery is complete. */
  #newest: string | undefined;
  /** False from a lost connection to the end of a complete recovery: events may be missing meanwhile. */
  #isComplete = false;
  /** Channels loaded when the connection was lost, until a recovery is complete. */
  #loadedAtLoss: State["channels"] | undefined;
  /** Timer of the next run after a failed one, and the number of failed runs in a row. */
  #retry: Timer | undefined;
  #failures = 0;
  /** Number of the connection, to ignore runs whose connection was lost. */
  #connection = 0;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
    this.#checkpoint = deps.checkpoint;
  }

  /** Provider time up to which nothing was missed; undefined when unknown. */
  checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** Dispatches live events, or buffers them while a recovery runs. */
  onEvents(events: AnyEvent[]): void {
    // Events come in commit order: the last one is the newest.
    this.onProviderTime(events.at(-1)?.created_at);
    const run = this.#current;
    if (!run) return this.#deliver(events);
    for (const event of events) run.buffer.push(event);
    if (run.buffer.length > MAX_BUFFERED_EVENTS) this.#restart(run);
  }

  /** Everything of this connection up to this provider time has been received. */
  onProviderTime(createdAt: unknown): void {
    if (typeof createdAt !== "string" || compareTimes(createdAt, this.#newest) <= 0) return;
    this.#newest = createdAt;
    if (this.#isComplete) this.#checkpoint = createdAt;
  }

  /**
   * Runs after each opening. It also fetches the totals for a `resumed` session, which has no first frame, and where the channels
   * say otherwise than that frame. Resolves in any case.
   */
  async run(resumed = false): Promise<void> {
    const { machine, clock, listQuery } = this.#deps;
    const link = this.#connection;
    const run = this.#start(resumed);
    const isEmpty = machine.state().channels.size === 0 && listQuery() === undefined;
    if (!isEmpty) machine.apply({ kind: "link", link: { catchingUp: true } });
    // Channels loaded while the connection was down are stale too.
    if (!isEmpty) machine.apply({ kind: "stale" });
    const since = this.#checkpoint;
    try {
      const contiguous = await recoverChannels(run);
      await recoverThreads(run);
      if (since === undefined) dropOlderMessages(run, contiguous);
      else if (contiguous.length) await syncChannels(run, contiguous, since);
    } catch (error) {
      this.#failed(run, error);
    } finally {
      this.#deps.listing?.()?.(undefined);
    }
    if (this.#current !== run) return;
    this.#isComplete = run.complete;
    if (this.#isComplete && this.#newest !== undefined) this.#checkpoint = this.#newest;
    if (this.#isComplete) this.#loadedAtLoss = undefined;
    this.#release(run);
    if (resumed || !areTotalsPlausible(machine.state())) await recoverTotals(run);
    if (this.#current || link !== this.#connection) return;
    this.#failures = run.shouldRetry ? this.#failures + 1 : 0;
    // Nothing else would retry while the connection stays open (D6).
    if (run.shouldRetry) this.#retry = clock.setTimeout(() => void this.run(resumed), this.#pause());
    if (isEmpty) return;
    machine.apply({ kind: "link", link: { catchingUp: false } });
    machine.dispatch([this.#deps.local("connection.recovered")]);
  }

  /** The connection closed: ends a running recovery and delivers its buffered events. */
  stop(): void {
    const run = this.#current;
    this.#loadedAtLoss ??= this.#deps.machine.state().channels;
    this.#deps.clock.clearTimeout(this.#retry);
    this.#connection += 1;
    this.#failures = 0;
    this.#isComplete = false;
    this.#newest = undefined;
    if (!run) return;
    run.abort();
    this.#release(run);
    this.#deps.machine.apply({ kind: "link", link: { catchingUp: false } });
  }

  reset(): void {
    this.stop();
    this.#loadedAtLoss = undefined;
  }

  #start(resumed: boolean): RecoveryAttempt {
    this.#current?.abort();
    const held = (this.#loadedAtLoss ??= this.#deps.machine.state().channels);
    const run = new RecoveryAttempt(this.#deps, held, resumed, this.#failures, this.#current?.buffer);
    this.#current = run;
    // When another WebSocket takes over an open connection, `stop` was not called.
    this.#isComplete = false;
    this.#deps.clock.clearTimeout(this.#retry);
    return run;
  }

  #pause(): number {
    return delay(this.#failures, this.#deps.random.float());
  }

  /** Too many events during a recovery: delivers the buffered ones and starts over. */
  #restart(run: RecoveryAttempt): void {
    this.#deps.log.warn("a recovery starts over after too many events", { buffered: run.buffer.length });
    run.abort();
    this.#release(run);
    void this.run(true);
  }

  #failed(run: RecoveryAttempt, error: unknown): void {
    if (run.signal.aborted) return;
    run.complete = run.shouldRetry = false;
    this.#deps.log.error("recovery failed", { error: errorMessage(error) });
  }

  #release(run: RecoveryAttempt): void {
    this.#current = undefined;
    this.#deliver(run.buffer.slice(0, run.replayed), true);
    this.#deliver(run.buffer.slice(run.replayed));
    run.buffer.length = 0;
  }

  #deliver(events: AnyEvent[], past = false): void {
    if (events.length) this.#deps.machine.dispatch(events, past);
  }
}
