/** Runs imports: reads a piece of the file a step, first to check every item, then to store them (specification/admin.md §10). */
import { cutItems, itemForm, type Cut } from "../../../../wire/imports/items.ts";
import { itemProblem } from "../../../../wire/imports/forms.ts";
import { COUNTED_AS, type ImportItem, type ImportResult } from "../../../../wire/entities/import.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { firstClearingAt, firstUserClearingAt } from "../../messages/storage/clearings.ts";
import { attemptPart } from "../../query/attempt.ts";
import { diskOf } from "./export-channels.ts";
import { applyItem } from "./import-apply.ts";
import { type ImportContext } from "./import-context.ts";
import { ItemCheck, readItem, roundOf, ROUNDS } from "./import-check.ts";
import { settleChannel, settleReacted } from "./import-messages.ts";
import { enter, fileOf } from "./imports.ts";
import { forget, isRemembered, rememberKey, rememberedPage, forgetOne } from "../storage/seen.ts";
import {
  openImport,
  setImportResult,
  storeAnalysis,
  storeProgress,
  rewindImport,
  touchImport,
  type ImportRow,
} from "../storage/imports.ts";

/** Bytes of the file read in one step. */
const PIECE = 128 * 1024;
/** The longest item that is read at all. */
const LONGEST = 4 * 1024 * 1024;
/** Errors that are reported; a file with more is not read to its end. */
const ERRORS = 1000;
/** Channels whose counts are settled in one step. */
const SETTLED = 20;

export const importWork: DueWork = {
  name: "imports",
  next(db) {
    const row = openImport(db);
    return row && !mustWait(db, row) ? row.updated_at : undefined;
  },
  run(due) {
    const row = openImport(due.db);
    if (!row) return;
    const outcome = attemptPart(due, () => step(due, row));
    if ("value" in outcome) return;
    const description =
      outcome.thrown instanceof ApiProblem ? outcome.thrown.message : "internal system error";
    // The step is undone, so this is the row as it was before.
    const before = openImport(due.db)!;
    const result = JSON.parse(before.result) as ImportResult;
    result.errors.push({ error: `Import error: ${description}`, item_type: "", item: null });
    setImportResult(due.db, before.id, JSON.stringify(result));
    end(due, before, before.state === "importing" ? "failed" : "analyze_failed");
  },
};

/** What is still being emptied takes all messages up to its moment with it: those of a file come after that. */
const mustWait = (db: Database, { state }: ImportRow): boolean =>
  (state === "waiting_confirmation" || state === "importing") &&
  (firstClearingAt(db) ?? firstUserClearingAt(db)) !== undefined;

function step(due: DueContext, row: ImportRow): void {
  if (row.state === "uploaded") {
    forget(due.db, row.id);
    enter(due.db, row, "analyzing", due.now());
  } else if (row.state === "analyzing") analyze(due, row);
  // Nobody has to confirm here: a good file is imported at once.
  else if (row.state === "waiting_confirmation") enter(due.db, row, "importing", due.now());
  else if (row.rank < roundsOf(due.db, row)) store(due, row);
  else settle(due, row);
}

function end(due: DueContext, row: ImportRow, state: "analyze_failed" | "completed" | "failed"): void {
  forget(due.db, row.id);
  enter(due.db, row, state, due.now());
}

/** The whole items of the next piece; an item that does not fit is read in a bigger piece, once. */
function piece(due: DueContext, row: ImportRow): Cut & { last: boolean } {
  const disk = diskOf(due);
  const name = fileOf(row.path)!;
  const head = disk.read("imports", name, 0, 64 * 1024);
  const form = itemForm(head) ?? "lines";
  for (const length of [PIECE, LONGEST]) {
    const bytes = disk.read("imports", name, row.at, length);
    const last = row.at + bytes.length >= row.size;
    const cut = cutItems(bytes, form, last);
    if (cut.used > 0 || last) return { ...cut, last: last && cut.used === bytes.length };
  }
  throw ApiProblem.input(`the item at byte ${row.at} is longer than ${LONGEST} bytes`);
}

/**
 * The first round over the file gathers what it brings and looks at each item by itself; a second one follows only when an
 * item speaks of something that had not come yet.
 */
function analyze(due: DueContext, row: ImportRow): void {
  const { db } = due;
  const { items, used, last } = piece(due, row);
  const result = JSON.parse(row.result) as ImportResult;
  const round = row.rank === 0 ? gather : compare;
  for (const text of items) {
    if (result.errors.length >= ERRORS) break;
    round(db, row, text, result);
  }
  storeAnalysis(db, {
    id: row.id,
    at: row.at + used,
    result: JSON.stringify(result),
    updated_at: due.now(),
  });
  if (result.errors.length < ERRORS) {
    if (!last) return;
    if (row.rank === 0 && isRemembered(db, row.id, "later", AGAIN)) return rewindImport(db, row.id, 1);
  }
  if (result.errors.length > 0) return end(due, row, "analyze_failed");
  const mixed = isRemembered(db, row.id, "later", MIXED);
  forget(db, row.id);
  if (mixed) rememberKey(db, row.id, "later", MIXED);
  rewindImport(db, row.id, 0);
  enter(db, row, "waiting_confirmation", due.now());
}

/** Keys of kind "later": an item must be looked at again; items stand in another order than they are stored in. */
const AGAIN = "again";
const MIXED = "mixed";
const ROUND = "round ";

function gather(db: Database, row: ImportRow, text: string, result: ImportResult): void {
  const read = readItem(text);
  if ("error" in read) return void result.errors.push(read.error);
  const { item } = read;
  const counted = COUNTED_AS[item.type];
  if (counted) result.stats.total[counted]++;
  const check = new ItemCheck(db, row.id);
  const error = check.bring(item);
  if (error) return void result.errors.push(error);
  const round = roundOf(item);
  for (let after = round + 1; after < ROUNDS.length; after++)
    if (isRemembered(db, row.id, "later", ROUND + after)) rememberKey(db, row.id, "later", MIXED);
  rememberKey(db, row.id, "later", ROUND + round);
  if (check.fit(item)) rememberKey(db, row.id, "later", AGAIN);
}

function compare(db: Database, row: ImportRow, text: string, result: ImportResult): void {
  const read = readItem(text);
  const error =
    "item" in read && !itemProblem(read.item) ? new ItemCheck(db, row.id).fit(read.item) : undefined;
  if (error) result.errors.push(error);
}

/** One piece in one transaction: all of it is stored, or nothing. A file in another order is read once for each kind. */
function store(due: DueContext, row: ImportRow): void {
  const { db } = due;
  const { items, used, last } = piece(due, row);
  const context: ImportContext = {
    db,
    importId: row.id,
    now: due.now(),
    insertOnly: row.mode === "insert",
    merge: row.merge_custom === 1,
    reacted: new Set(),
  };
  const mixed = isMixed(db, row);
  for (const text of items) {
    const item = itemOf(text);
    if (!mixed || roundOf(item) === row.rank) applyItem(context, item);
  }
  settleReacted(context);
  storeProgress(db, {
    id: row.id,
    at: last ? 0 : row.at + used,
    rank: row.rank + Number(last),
    updated_at: due.now(),
  });
}

const isMixed = (db: Database, row: ImportRow): boolean => isRemembered(db, row.id, "later", MIXED);
const roundsOf = (db: Database, row: ImportRow): number => (isMixed(db, row) ? ROUNDS.length : 1);

function itemOf(text: string): ImportItem {
  const read = readItem(text);
  if ("error" in read) throw ApiProblem.input(read.error.error);
  return read.item;
}

function settle(due: DueContext, row: ImportRow): void {
  const { db } = due;
  const cids = rememberedPage(db, row.id, "channel", "", SETTLED);
  if (cids.length === 0) return end(due, row, "completed");
  for (const cid of cids) {
    settleChannel({ db, importId: row.id }, cid);
    forgetOne(db, row.id, "channel", cid);
  }
  touchImport(db, row.id, due.now());
}
