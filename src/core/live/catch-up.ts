/** The other requests of a recovery: open threads, changes to older messages, and the totals (D6, D7, R-READ-8). */
import { MESSAGE_PAGE, SYNC_CHANNELS } from "../../wire/constants.ts";
import { ApiError } from "../../model/errors.ts";
import type { RecoveryRun } from "./recovery-run.ts";
import { totalsOf } from "./totals.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

/** Most recently opened threads reloaded in a recovery; others are reloaded when they are opened again. */
const MAX_THREADS = 10;

export async function recoverThreads(run: RecoveryRun): Promise<void> {
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
export function dropOlderMessages(run: RecoveryRun, cids: readonly string[]): void {
  for (const cid of cids) {
    const from = run.oldest.get(cid);
    if (from) run.deps.machine.apply({ kind: "dropOlder", cid, from });
  }
}

/** Fetches missed events of channels without a gap. A batch with too many events is halved; a single channel with too many is unloaded. */
export async function syncChannels(run: RecoveryRun, cids: string[], since: string): Promise<void> {
  const batches: string[][] = [];
  for (let at = 0; at < cids.length; at += SYNC_CHANNELS) batches.push(cids.slice(at, at + SYNC_CHANNELS));
  while (batches.length) {
    const batch = batches.shift()!;
    const reply = await requestSync(run, batch, since);
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

/** "tooMany" when the request was refused: fewer channels may succeed. */
function requestSync(run: RecoveryRun, cids: string[], since: string) {
  const body = { channel_cids: cids, last_sync_at: since, with_inaccessible_cids: true };
  return run.step("sync", () =>
    run.deps.call("sync", { body, signal: run.signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === INPUT_ERROR) return "tooMany" as const;
      throw error;
    }),
  );
}

/** Fetches the totals that no first frame had, unless an event brought newer ones meanwhile. */
export async function recoverTotals(run: RecoveryRun): Promise<void> {
  const { call, machine } = run.deps;
  const before = machine.state().totals;
  const reply = await run
    .step("totals", () => call("getUnread", { signal: run.signal }))
    .catch(() => undefined);
  if (!reply || machine.state().totals !== before) return;
  machine.apply({ kind: "totals", ...totalsOf(reply) });
}
