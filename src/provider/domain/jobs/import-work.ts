/** Runs imports: reads a piece of the file a step, first to check every item, then to store them (admin.md §10). */
import { cutItems, formOf, type Cut } from "../../../wire/import-items.ts";
import { COUNTED_AS, type ImportError, type ImportItem, type ImportResult } from "../../../wire/import.ts";
import { Refusal } from "../../handler.ts";
import type { Due, DueWork } from "../../ports.ts";
import type { Database } from "../../store/database.ts";
import { attempt } from "./attempt.ts";
import { diskOf } from "./export-channels.ts";
import { applyItem, type Ground } from "./import-apply.ts";
import { ItemCheck, readItem } from "./import-check.ts";
import { settleChannel, settleReactions } from "./import-messages.ts";
import { enter, fileOf, type ImportRow } from "./imports.ts";
import { forget, rememberedPage } from "./seen.ts";

/** Bytes of the file read in one step. */
const PIECE = 128 * 1024;
/** The longest item that is read at all. */
const LONGEST = 4 * 1024 * 1024;
/** Errors that are reported; a file with more is not read to its end. */
const ERRORS = 1000;
/** Channels whose counts are settled in one step. */
const SETTLED = 20;

const openImport = (db: Database): ImportRow | undefined =>
  db.get<ImportRow>(
    `SELECT * FROM imports WHERE state NOT IN ('analyze_failed', 'completed', 'failed') ORDER BY updated_at, id LIMIT 1`,
  );

export const importWork: DueWork = {
  name: "imports",
  next: (db) => openImport(db)?.updated_at,
  run(due) {
    const row = openImport(due.db);
    if (!row) return;
    const outcome = attempt(due, () => step(due, row));
    if ("value" in outcome) return;
    const description = outcome.thrown instanceof Refusal ? outcome.thrown.message : "internal system error";
    // the row as it was before the step
    const before = openImport(due.db)!;
    const result = JSON.parse(before.result) as ImportResult;
    result.errors.push({ error: `Import error: ${description}`, item_type: "", item: null });
    due.db.run("UPDATE imports SET result = ? WHERE id = ?", JSON.stringify(result), before.id);
    end(due, before, before.state === "importing" ? "failed" : "analyze_failed");
  },
};

function step(due: Due, row: ImportRow): void {
  if (row.state === "uploaded") {
    forget(due.db, row.id);
    enter(due.db, row, "analyzing", due.now());
  } else if (row.state === "analyzing") analyze(due, row);
  // nobody is asked: a good file is imported at once
  else if (row.state === "waiting_confirmation") enter(due.db, row, "importing", due.now());
  else if (row.rank === 0) store(due, row);
  else settle(due, row);
}

function end(due: Due, row: ImportRow, state: "analyze_failed" | "completed" | "failed"): void {
  forget(due.db, row.id);
  enter(due.db, row, state, due.now());
}

/** The whole items of the next piece; an item that does not fit is read in a bigger piece, once. */
function piece(due: Due, row: ImportRow): Cut & { last: boolean } {
  const disk = diskOf(due);
  const name = fileOf(row.path)!;
  const head = disk.read("imports", name, 0, 64 * 1024);
  const form = formOf(head) ?? "lines";
  for (const length of [PIECE, LONGEST]) {
    const bytes = disk.read("imports", name, row.at, length);
    const last = row.at + bytes.length >= row.size;
    const cut = cutItems(bytes, form, last);
    if (cut.used > 0 || last) return { ...cut, last: last && cut.used === bytes.length };
  }
  throw new Refusal(4, `the item at byte ${row.at} is longer than ${LONGEST} bytes`);
}

function analyze(due: Due, row: ImportRow): void {
  const { db } = due;
  const { items, used, last } = piece(due, row);
  const result = JSON.parse(row.result) as ImportResult;
  const check = new ItemCheck(db, row.id, row.rank);
  for (const text of items) {
    if (result.errors.length >= ERRORS) break;
    const read = readItem(text);
    const error: ImportError | undefined = "error" in read ? read.error : check.check(read.item);
    if (error) result.errors.push(error);
    const total = "item" in read ? COUNTED_AS[read.item.type] : undefined;
    if (total) result.stats.total[total]++;
  }
  const full = result.errors.length >= ERRORS;
  db.run(
    "UPDATE imports SET at = ?, rank = ?, result = ?, updated_at = ? WHERE id = ?",
    row.at + used,
    check.rank,
    JSON.stringify(result),
    due.now(),
    row.id,
  );
  if (!last && !full) return;
  if (result.errors.length > 0) return end(due, row, "analyze_failed");
  forget(db, row.id);
  db.run("UPDATE imports SET at = 0, rank = 0 WHERE id = ?", row.id);
  enter(db, row, "waiting_confirmation", due.now());
}

/** One piece in one transaction: all of it is stored, or nothing. */
function store(due: Due, row: ImportRow): void {
  const { db } = due;
  const { items, used, last } = piece(due, row);
  const ground: Ground = {
    db,
    importId: row.id,
    now: due.now(),
    insertOnly: row.mode === "insert",
    merge: row.merge_custom === 1,
    reacted: new Set(),
  };
  for (const text of items) applyItem(ground, itemOf(text));
  settleReactions(ground);
  db.run(
    "UPDATE imports SET at = ?, rank = ?, updated_at = ? WHERE id = ?",
    row.at + used,
    Number(last),
    due.now(),
    row.id,
  );
}

function itemOf(text: string): ImportItem {
  const read = readItem(text);
  if ("error" in read) throw new Refusal(4, read.error.error);
  return read.item;
}

function settle(due: Due, row: ImportRow): void {
  const { db } = due;
  const cids = rememberedPage(db, row.id, "channel", "", SETTLED);
  if (cids.length === 0) return end(due, row, "completed");
  for (const cid of cids) {
    settleChannel({ db, importId: row.id }, cid);
    db.run("DELETE FROM job_seen WHERE job_id = ? AND kind = 'channel' AND key = ?", row.id, cid);
  }
  db.run("UPDATE imports SET updated_at = ? WHERE id = ?", due.now(), row.id);
}
