/** Runs imports: reads the file in chunks, one per step, first to check all items, then to store them (specification/admin.md §10). */
import {
  type ImportItem,
  type ImportType,
  COUNTED_AS,
  type ImportResult,
} from "../../../../wire/entities/import.ts";
import { putChannel, putMember } from "./import-channels.ts";
import { putMessage, putReaction, recountImportedChannel, updateReactedMessages } from "./import-messages.ts";
import { putBanOfFuture, putDevice, putUser } from "./import-people.ts";
import type { ImportContext } from "./import-context.ts";
import { splitItems, itemForm, type SplitItems } from "../../../../wire/imports/items.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { firstClearingAt, firstUserClearingAt } from "../../messages/storage/clearings.ts";
import { attemptPart } from "../../query/attempt.ts";
import { requireJobFiles } from "./export-channels.ts";
import { ItemCheck, readItem, roundOf, ROUNDS } from "./import-check.ts";
import { enterState, importFileName } from "./imports.ts";
import { jobKeys, hasJobKey, storeJobKey, jobKeyPage } from "../storage/job-keys.ts";
import { imports, openImport, type ImportRow } from "../storage/imports.ts";

const STORE_BY_TYPE: Record<ImportType, (context: ImportContext, item: ImportItem) => void> = {
  user: putUser,
  device: putDevice,
  future_channel_ban: putBanOfFuture,
  channel: putChannel,
  member: putMember,
  message: putMessage,
  reaction: putReaction,
};

const applyItem = (context: ImportContext, item: ImportItem): void => STORE_BY_TYPE[item.type](context, item);

const CHUNK_BYTES = 128 * 1024;
/** Longer items fail the import. */
const MAX_ITEM_BYTES = 4 * 1024 * 1024;
/** The most errors reported; a file with more is not read to its end. */
const MAX_ERRORS = 1000;
const CHANNELS_PER_STEP = 20;

export const importWork: DueWork = {
  name: "imports",
  next(db) {
    const row = openImport(db);
    return row && !mustWait(db, row) ? row.updated_at : undefined;
  },
  run(due) {
    const row = openImport(due.db);
    if (!row) return;
    const outcome = attemptPart(due, () => runStep(due, row));
    if ("value" in outcome) return;
    const description =
      outcome.thrown instanceof ApiProblem ? outcome.thrown.message : "internal system error";
    // The step was undone; reads the row again, because the step changed its object.
    const before = openImport(due.db)!;
    const result = JSON.parse(before.result) as ImportResult;
    result.errors.push({ error: `Import error: ${description}`, item_type: "", item: null });
    imports.update(due.db, before, { result: JSON.stringify(result) });
    endImport(due, before, before.state === "importing" ? "failed" : "analyze_failed");
  },
};

/** A clearing in progress erases all messages up to its time, so imported messages have to wait until it has finished. */
const mustWait = (db: Database, { state }: ImportRow): boolean =>
  (state === "waiting_confirmation" || state === "importing") &&
  (firstClearingAt(db) ?? firstUserClearingAt(db)) !== undefined;

function runStep(due: DueContext, row: ImportRow): void {
  if (row.state === "uploaded") {
    jobKeys.remove(due.db, { job_id: row.id });
    enterState(due.db, row, "analyzing", due.now());
  } else if (row.state === "analyzing") analyze(due, row);
  // A valid file needs no confirmation.
  else if (row.state === "waiting_confirmation") enterState(due.db, row, "importing", due.now());
  else if (row.rank < roundsOf(due.db, row)) storeChunk(due, row);
  else recountChannels(due, row);
}

function endImport(due: DueContext, row: ImportRow, state: "analyze_failed" | "completed" | "failed"): void {
  jobKeys.remove(due.db, { job_id: row.id });
  enterState(due.db, row, state, due.now());
}

/** The whole items of the next chunk; tries a bigger chunk once for an item that does not fit. */
function readChunk(due: DueContext, row: ImportRow): SplitItems & { last: boolean } {
  const disk = requireJobFiles(due);
  const name = importFileName(row.path)!;
  const head = disk.read("imports", name, 0, 64 * 1024);
  const form = itemForm(head) ?? "lines";
  for (const length of [CHUNK_BYTES, MAX_ITEM_BYTES]) {
    const bytes = disk.read("imports", name, row.at, length);
    const last = row.at + bytes.length >= row.size;
    const split = splitItems(bytes, form, { isFirst: row.at === 0, last });
    if (split.consumed > 0 || last) return { ...split, last: last && split.consumed === bytes.length };
  }
  throw ApiProblem.input(`the item at byte ${row.at} is longer than ${MAX_ITEM_BYTES} bytes`);
}

/**
 * The first pass over the file collects what it defines and checks each item by itself. A second pass follows only if an item
 * refers to something not defined before it.
 */
function analyze(due: DueContext, row: ImportRow): void {
  const { db } = due;
  const { items, consumed, last } = readChunk(due, row);
  const result = JSON.parse(row.result) as ImportResult;
  const checkText = row.rank === 0 ? collectItem : checkReferences;
  const check = new ItemCheck(db, row.id, due.now());
  for (const text of items) {
    if (result.errors.length >= MAX_ERRORS) break;
    checkText({ db, row, check, result }, text);
  }
  imports.update(db, row, {
    at: row.at + consumed,
    result: JSON.stringify(result),
    updated_at: due.now(),
  });
  if (result.errors.length < MAX_ERRORS) {
    if (!last) return;
    if (row.rank === 0 && hasJobKey(db, row.id, "later", SECOND_PASS)) return rewind(db, row, 1);
  }
  if (result.errors.length > 0) return endImport(due, row, "analyze_failed");
  const outOfOrder = isOutOfOrder(db, row);
  jobKeys.remove(db, { job_id: row.id });
  if (outOfOrder) storeJobKey(db, row.id, "later", OUT_OF_ORDER);
  rewind(db, row, 0);
  enterState(db, row, "waiting_confirmation", due.now());
}

/** Back to the beginning of the file, for pass or round `rank`. */
const rewind = (db: Database, row: ImportRow, rank: number): void =>
  void imports.update(db, row, { at: 0, rank });

/** Keys of kind "later": the file needs a second pass; its items are not in the order in which they must be stored. */
const SECOND_PASS = "again";
const OUT_OF_ORDER = "mixed";
const ROUND_PREFIX = "round ";

interface Analysis {
  db: Database;
  row: ImportRow;
  check: ItemCheck;
  result: ImportResult;
}

function collectItem({ db, row, check, result }: Analysis, text: string): void {
  const read = readItem(text);
  if ("error" in read) return void result.errors.push(read.error);
  const { item } = read;
  const counted = COUNTED_AS[item.type];
  if (counted) result.stats.total[counted]++;
  const error = check.checkItem(item);
  if (error) return void result.errors.push(error);
  const round = roundOf(item);
  for (let after = round + 1; after < ROUNDS.length; after++)
    if (hasJobKey(db, row.id, "later", ROUND_PREFIX + after)) storeJobKey(db, row.id, "later", OUT_OF_ORDER);
  storeJobKey(db, row.id, "later", ROUND_PREFIX + round);
  if (check.checkReferences(item)) storeJobKey(db, row.id, "later", SECOND_PASS);
}

function checkReferences({ check, result }: Analysis, text: string): void {
  const read = readItem(text);
  const error = "item" in read ? check.checkReferencesOfValid(read.item) : undefined;
  if (error) result.errors.push(error);
}

/** Stores the items of one chunk. A file in another order is read once for each round. */
function storeChunk(due: DueContext, row: ImportRow): void {
  const { db } = due;
  const { items, consumed, last } = readChunk(due, row);
  const context: ImportContext = {
    db,
    importId: row.id,
    now: due.now(),
    mode: row.mode,
    merge: row.merge_custom === 1,
    reactedMessageIds: new Set(),
    unused: (JSON.parse(row.result) as ImportResult).unused ?? [],
  };
  const outOfOrder = isOutOfOrder(db, row);
  for (const text of items) {
    const item = parseItem(text);
    if (!outOfOrder || roundOf(item) === row.rank) applyItem(context, item);
  }
  updateReactedMessages(context);
  if (context.unused.length > 0) {
    const result = { ...(JSON.parse(row.result) as ImportResult), unused: context.unused };
    imports.update(db, row, { result: JSON.stringify(result) });
  }
  imports.update(db, row, {
    at: last ? 0 : row.at + consumed,
    rank: row.rank + Number(last),
    updated_at: due.now(),
  });
}

const isOutOfOrder = (db: Database, row: ImportRow): boolean => hasJobKey(db, row.id, "later", OUT_OF_ORDER);
const roundsOf = (db: Database, row: ImportRow): number => (isOutOfOrder(db, row) ? ROUNDS.length : 1);

function parseItem(text: string): ImportItem {
  const read = readItem(text);
  if ("error" in read) throw ApiProblem.input(read.error.error);
  return read.item;
}

function recountChannels(due: DueContext, row: ImportRow): void {
  const { db } = due;
  const cids = jobKeyPage(db, row.id, "channel", "", CHANNELS_PER_STEP);
  if (cids.length === 0) return endImport(due, row, "completed");
  for (const cid of cids) {
    recountImportedChannel({ db, importId: row.id }, cid);
    jobKeys.remove(db, { job_id: row.id, kind: "channel", key: cid });
  }
  imports.update(db, row, { updated_at: due.now() });
}
