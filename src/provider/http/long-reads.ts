/** Runs read-only calls that may take long: tried briefly on the main thread, then passed to a reading thread. */
import type { RouteCall } from "../base/handler.ts";
import type { Domain } from "../base/ports.ts";
import { isWriteAttempt } from "../reader/thread-errors.ts";
import type { WatchQuestion, WatcherInfo } from "../reader/job.ts";
import { jobCall, type Readers } from "../reader/readers.ts";
import {
  MAIN_THREAD_BUDGET,
  FULL_BUDGET,
  TRY_BUDGET,
  BudgetExceeded,
  runWithinBudget,
  type BudgetLimits,
} from "../store/budget.ts";

export interface LongContext {
  /** Absent when the database is in memory: calls then run to their end on the main thread. */
  readers: Readers | undefined;
  domain: Pick<Domain, "longRoutes" | "needsReadingThread" | "watchFor" | "findGone" | "tryTask">;
  base(): string;
  /** Runs a separate transaction for this call and sends its events at once. */
  inOwnTransaction<T>(call: RouteCall, run: (call: RouteCall) => T): T;
}

/** After a caller's call took too long, the same route skips the try on the main thread for this long, milliseconds. */
const SKIP_MS = 10_000;
const MAX_CALLERS = 1000;

/** Route and caller → until when their calls go straight to a reading thread. */
const skipUntil = new WeakMap<Readers, Map<string, number>>();
const skipTableOf = (readers: Readers): Map<string, number> => {
  const table = skipUntil.get(readers) ?? new Map<string, number>();
  skipUntil.set(readers, table);
  return table;
};

/** The JSON text of the reply. `run` calls the handler on the main thread, inside `transact`. */
export async function answerLong(
  { readers, domain, base, inOwnTransaction }: LongContext,
  call: RouteCall,
  start: number,
  transact: (run: () => string) => Promise<string>,
  run: () => string,
): Promise<string | Uint8Array> {
  const onMainThread = (limits: BudgetLimits): Promise<string> =>
    transact(() => runWithinBudget(call.db.raw, limits, run));
  if (!readers) return onMainThread(FULL_BUDGET);
  const skipTable = skipTableOf(readers);
  const kind = `${call.name} ${call.caller.userId ?? call.caller.kind}`;
  if (!domain.needsReadingThread(call.db, call.name) && (skipTable.get(kind) ?? 0) < performance.now())
    try {
      return await onMainThread(TRY_BUDGET);
    } catch (error) {
      if (!(error instanceof BudgetExceeded) || error.limit === "rows") throw error;
      if (skipTable.size >= MAX_CALLERS) skipTable.clear();
      skipTable.set(kind, performance.now() + SKIP_MS);
    }
  try {
    return await onReadingThread();
  } catch (error) {
    // The handler must write first, because the caller is new or sent user details: only the main thread can.
    if (isWriteAttempt(error)) return onMainThread(MAIN_THREAD_BUDGET);
    throw error;
  }

  async function onReadingThread(): Promise<Uint8Array> {
    const { connectionId, caller } = call;
    const open = connectionId !== undefined && call.emit.isOpen(connectionId, caller.userId ?? "!anon");
    const { json, presence } = await readers!.read({
      job: { call: jobCall(call), open, base: base() },
      start,
      watchers: ({ cids, watch }: WatchQuestion): Record<string, WatcherInfo> =>
        inOwnTransaction(call, (transactionCall) => {
          if (watch) domain.watchFor(transactionCall, cids);
          return Object.fromEntries(cids.map((cid) => [cid, transactionCall.emit.watcherInfo(cid)]));
        }),
    });
    if (connectionId !== undefined && presence.length > 0)
      call.emit.subscribePresence(connectionId, [...presence]);
    return json;
  }
}
