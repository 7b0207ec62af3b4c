/** Copies of content outside its own rows: in the event log, in waiting webhooks and in answers stored by key. A deletion empties them (specification/embedded-provider.md §5). */
import type { Database } from "../base/database.ts";
import { subjectsOf, withoutGone } from "../../wire/gone.ts";
import type { FindGone } from "../base/ports.ts";

/** A copy is one JSON text of one of these places. */
export type Place = "log" | "hook" | "answer";

export const PLACES: Readonly<Record<Place, { table: string; column: string }>> = {
  log: { table: "event_log", column: "json" },
  hook: { table: "hook_queue", column: "body" },
  answer: { table: "done_once", column: "json" },
};

/** The JSON text without what is gone, the same text when nothing in it is. */
export function textWithoutGone(db: Database, json: string, findGone: FindGone): string {
  const value = JSON.parse(json) as object;
  const clean = withoutGone(value, findGone(db, subjectsOf(value)));
  return clean === value ? json : JSON.stringify(clean);
}

const PLACE_NUMBERS: Readonly<Record<Place, number>> = { log: 0, hook: 1, answer: 2 };

/** Notes which messages, polls and channels a stored text has copies of, so that their deletion finds it. */
export function noteCopies(db: Database, place: Place, seq: number | bigint, value: unknown): void {
  const { messages, polls, channels } = subjectsOf(value);
  // Rows of the log name their channel themselves.
  for (const subject of [...messages, ...polls, ...(place === "log" ? [] : channels)])
    db.run(
      "INSERT OR IGNORE INTO content_copies (subject, place, seq) VALUES (?, ?, ?)",
      subject,
      PLACE_NUMBERS[place],
      seq,
    );
}

export interface Copy {
  subject: string;
  place: Place;
  seq: number;
  json: string;
}

/** At most `limit` stored texts with copies of a message, a poll or a channel, after the first `skipped`. */
export function copiesOf(db: Database, subject: string, limit: number, skipped = 0): Copy[] {
  const rows = db.all<{ place: number; seq: number }>(
    "SELECT place, seq FROM content_copies WHERE subject = ? ORDER BY place, seq LIMIT ? OFFSET ?",
    subject,
    limit,
    skipped,
  );
  return rows.map(({ place: number, seq }) => {
    const place = (Object.keys(PLACE_NUMBERS) as Place[]).find((each) => PLACE_NUMBERS[each] === number)!;
    const { table, column } = PLACES[place];
    return {
      subject,
      place,
      seq,
      json: db.value<string>(`SELECT ${column} FROM ${table} WHERE seq = ?`, seq)!,
    };
  });
}

/** Replaces a stored text; undefined removes its row. */
export function storeCopy(db: Database, place: Place, seq: number, json: string | undefined): void {
  const { table, column } = PLACES[place];
  if (json === undefined) db.run(`DELETE FROM ${table} WHERE seq = ?`, seq);
  else db.run(`UPDATE ${table} SET ${column} = ? WHERE seq = ?`, json, seq);
}

export function forgetCopy(db: Database, { subject, place, seq }: Omit<Copy, "json">): void {
  db.run(
    "DELETE FROM content_copies WHERE subject = ? AND place = ? AND seq = ?",
    subject,
    PLACE_NUMBERS[place],
    seq,
  );
}
