/** Idempotency keys: a repeated write with the same key gets the first answer and changes nothing (D11). */
import { SYNC_AGE } from "../../wire/constants.ts";
import type { EndpointRow } from "../../wire/endpoints/index.ts";
import type { RouteCall } from "../base/handler.ts";
import type { Database } from "../base/database.ts";

/** Header that names a write; the protocol's request id names attempts for the log and may be any text. */
export const IDEMPOTENCY_HEADER = "idempotency-key";
const KEY = /^[\w.:-]{1,128}$/;
/** Answers kept, and writes between two looks at what is too old. */
const KEPT = 20_000;
const TRIM_EVERY = 500;

/** The key of a request; undefined when it has none, may not be repeated differently, or only reads. */
export function idempotencyKeyOf(header: unknown, row: Pick<EndpointRow, "safe">): string | undefined {
  return !row.safe && typeof header === "string" && KEY.test(header) ? header : undefined;
}

/** Runs `work` unless the same caller's same operation under this key has succeeded before; inside the call's transaction. */
export function runOnce(call: RouteCall, key: string | undefined, work: () => string): string {
  const { userId } = call.caller;
  if (key === undefined || userId === undefined) return work();
  const about = [userId, key, call.name, JSON.stringify(call.path)] as const;
  const done = call.db.value<string>(
    "SELECT json FROM done_once WHERE user_id = ? AND key = ? AND op = ? AND path = ?",
    ...about,
  );
  if (done !== undefined) return done;
  const json = work();
  const { lastInsertRowid } = call.db.run(
    "INSERT INTO done_once (user_id, key, op, path, json, at) VALUES (?, ?, ?, ?, ?, ?)",
    ...about,
    json,
    call.now(),
  );
  if (Number(lastInsertRowid) % TRIM_EVERY === 0) trim(call.db, call.now());
  return json;
}

/** As long as a client may be away at all, and no more than a bounded number. */
function trim(db: Database, now: number): void {
  db.run("DELETE FROM done_once WHERE at < ?", now - SYNC_AGE * 1000);
  db.run("DELETE FROM done_once WHERE seq <= (SELECT coalesce(max(seq), 0) FROM done_once) - ?", KEPT);
}
