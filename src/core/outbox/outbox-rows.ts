/** Lists and drops unsent rows of all processes on this machine, without sending any (specification/sending.md §2). */
import type { UnsentRow } from "../base/api-types.ts";
import type { Store } from "../store/store.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { isScheduled } from "./send-queue.ts";

type Deps = { store: Pick<Store, "outbox" | "remove" | "alive">; owner: string };

/** Why a row of a killed command waits. */
export const KILLED_RUN = "of a run that was killed";

/** Whether another running process owns the row and may be sending it. */
const isOwnedByOther = ({ store, owner }: Deps, row: OutboxRow): boolean =>
  row.owner !== owner && store.alive(row.owner);

const textOf = ({ action }: OutboxRow): string | undefined => {
  if (action.kind === "send") return action.message.text ?? "";
  return action.kind === "edit" ? (action.set.text as string | undefined) : undefined;
};

/** Oldest first. Throws `StoreFailure` when the disk cannot be read. */
export function unsentRows(deps: Deps): UnsentRow[] {
  return deps.store.outbox().map((row) => {
    const killed = row.once === true && (row.state === "failed" || !deps.store.alive(row.owner));
    const text = textOf(row);
    const shared = row.action.kind === "send" && row.action.message.shared_location;
    return {
      id: row.messageId,
      cid: row.cid,
      kind: row.action.kind,
      ...(text !== undefined && { text }),
      ...(shared && { shared_location: shared }),
      state: row.state,
      tries: row.tries,
      created_at: new Date(row.createdAt).toISOString(),
      ...(isScheduled(row) && { send_at: new Date(row.action.at).toISOString() }),
      ...(killed ? { killed } : row.error && { reason: row.error.message }),
      busy: isOwnedByOther(deps, row),
    };
  });
}

/** Deletes the rows of a message; false when another running process owns one, undefined when there are none. */
export function dropUnsent(deps: Deps, messageId: string): boolean | undefined {
  const rows = deps.store.outbox().filter((row) => row.messageId === messageId);
  if (rows.length === 0) return undefined;
  if (rows.some((row) => isOwnedByOther(deps, row))) return false;
  for (const row of rows) deps.store.remove(row.seq);
  return true;
}
