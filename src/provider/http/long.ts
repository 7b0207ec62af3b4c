/** Runs reading calls that may take long: tried for a few milliseconds, then given to a reading thread. */
import type { RouteCall } from "../base/handler.ts";
import type { Domain } from "../base/ports.ts";
import { isWrite } from "../reader/faults.ts";
import type { WatchQuestion, Watching } from "../reader/job.ts";
import { jobCall, type Readers } from "../reader/readers.ts";
import { LAST, LONG, SHORT, TooLong, runWithinBudget, type BudgetLimits } from "../store/budget.ts";

export interface LongContext {
  /** Absent where nothing is on disk: then the call runs to its end among the others. */
  readers: Readers | undefined;
  domain: Pick<Domain, "longRoutes" | "needsReadingThread" | "watchFor">;
  /** Where file addresses begin. */
  base(): string;
  /** A transaction of its own in the name of this call; what it tells goes out at once. */
  apart<T>(call: RouteCall, run: (call: RouteCall) => T): T;
}

/** How long nothing of a kind is tried here again after one of a caller took too long, milliseconds. */
const ASIDE_MS = 10_000;
const CALLERS = 1000;

/** Whose calls of which route took too long a moment ago. */
const aside = new WeakMap<Readers, Map<string, number>>();
const asideOf = (readers: Readers): Map<string, number> => {
  const known = aside.get(readers) ?? new Map<string, number>();
  aside.set(readers, known);
  return known;
};

/** The JSON text of the reply. `run` is the handler in the transaction of this turn. */
export async function answerLong(
  { readers, domain, base, apart }: LongContext,
  call: RouteCall,
  start: number,
  transact: (run: () => string) => Promise<string>,
  run: () => string,
): Promise<string | Uint8Array> {
  const here = (limits: BudgetLimits): Promise<string> =>
    transact(() => runWithinBudget(call.db.raw, limits, run));
  if (!readers) return here(LONG);
  const known = asideOf(readers);
  const kind = `${call.name} ${call.caller.userId ?? call.caller.kind}`;
  if (!domain.needsReadingThread(call.db, call.name) && (known.get(kind) ?? 0) < performance.now())
    try {
      return await here(SHORT);
    } catch (error) {
      if (!(error instanceof TooLong) || error.what === "rows") throw error;
      if (known.size >= CALLERS) known.clear();
      known.set(kind, performance.now() + ASIDE_MS);
    }
  try {
    return await there();
  } catch (error) {
    // The call has to write first: it comes from somebody new, or it brought a user.
    if (isWrite(error)) return here(LAST);
    throw error;
  }

  async function there(): Promise<Uint8Array> {
    const { connectionId, caller } = call;
    const open = connectionId !== undefined && call.emit.isOpen(connectionId, caller.userId ?? "!anon");
    const { json, presence } = await readers!.ask({
      job: { call: jobCall(call), open, base: base() },
      start,
      watching: ({ cids, watch }: WatchQuestion): Record<string, Watching> =>
        apart(call, (own) => {
          if (watch) domain.watchFor(own, cids);
          return Object.fromEntries(cids.map((cid) => [cid, own.emit.watching(cid)]));
        }),
    });
    if (connectionId !== undefined && presence.length > 0)
      call.emit.subscribePresence(connectionId, [...presence]);
    return json;
  }
}
