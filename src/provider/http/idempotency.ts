/** Idempotency keys: a repeated write with the same key gets the first answer and changes nothing (D11). */
import { SYNC_AGE } from "../../wire/constants.ts";
import type { EndpointRow } from "../../wire/endpoints/index.ts";
import type { RouteCall } from "../base/handler.ts";
import type { Database } from "../base/database.ts";
import { NOTHING_GONE } from "../../wire/gone.ts";
import type { FindGone } from "../base/ports.ts";
import { noteCopies, textWithoutGone } from "../store/copies.ts";

/** The header with the key of a write. The protocol's request id is different: it names one attempt in the log. */
export const IDEMPOTENCY_HEADER = "idempotency-key";
const KEY = /^[\w.:-]{1,128}$/;
/** Most answers stored, and how many writes pass between two clean-ups. */
const MAX_ANSWERS = 20_000;
const TRIM_EVERY = 500;

/** The key of a request; undefined without a valid one, or when the route only reads. */
export function idempotencyKeyOf(header: unknown, row: Pick<EndpointRow, "safe">): string | undefined {
  return !row.safe && typeof header === "string" && KEY.test(header) ? header : undefined;
}

/** Runs `work`, unless the same caller's same operation with this key has succeeded before; then returns that answer. Part of the call's transaction. */
export function runOnce(
  call: RouteCall,
  key: string | undefined,
  work: () => string,
  findGone: FindGone = () => NOTHING_GONE,
): string {
  const { userId } = call.caller;
  // Saving a draft again is harmless, and a stored answer would keep its text when the draft is gone.
  if (key === undefined || userId === undefined || call.name === "saveDraft") return work();
  const identity = [userId, key, call.name, JSON.stringify(call.path)] as const;
  const earlierAnswer = call.db.value<string>(
    "SELECT json FROM done_once WHERE user_id = ? AND key = ? AND op = ? AND path = ?",
    ...identity,
  );
  if (earlierAnswer !== undefined) return textWithoutGone(call.db, earlierAnswer, findGone);
  const json = work();
  const stored = withoutDrafts(json);
  const { lastInsertRowid } = call.db.run(
    "INSERT INTO done_once (user_id, key, op, path, json, at) VALUES (?, ?, ?, ?, ?, ?)",
    ...identity,
    stored,
    call.now(),
  );
  noteCopies(call.db, "answer", lastInsertRowid, JSON.parse(stored));
  if (Number(lastInsertRowid) % TRIM_EVERY === 0) trim(call.db, call.now());
  return json;
}

/** The caller's drafts that messages of an answer carry may be gone when it is given again. */
const withoutDrafts = (json: string): string =>
  json.includes('"draft":')
    ? JSON.stringify(JSON.parse(json, (key, value) => (isDraft(key, value) ? undefined : value)))
    : json;

const isDraft = (key: string, value: unknown): boolean =>
  key === "draft" && typeof value === "object" && value !== null && "channel_cid" in value;

/** Drops answers older than a client may be away (`SYNC_AGE`), and the oldest beyond the maximum. */
function trim(db: Database, now: number): void {
  db.run("DELETE FROM done_once WHERE at < ?", now - SYNC_AGE * 1000);
  db.run("DELETE FROM done_once WHERE seq <= (SELECT coalesce(max(seq), 0) FROM done_once) - ?", MAX_ANSWERS);
}
