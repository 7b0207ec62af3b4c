/** Empties what the event log, waiting webhooks and stored answers contain of deleted messages, polls, channels and users, in steps. */
import type { AnyEvent } from "../../../../wire/events.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { eventWithoutGone, hasThreadOf, subjectsOf, withoutGone, type Gone } from "../../../../wire/gone.ts";
import { copiesOf, forgetCopy, noteCopies, storeCopy, type Copy } from "../../../store/copies.ts";
import {
  extendErasure,
  finishErasure,
  isErasing,
  nextErasure,
  removalsOf,
  removeLogOf,
  rowsFrom,
  recordProgress,
  type Erasure,
} from "../../../store/erasures.ts";
import { fillUses } from "../../uploads/storage/uses.ts";
import { emptyBlankPages, fillFreePages, mergeIndex, type Leftover } from "../storage/leftovers.ts";
import { eventsOfLostChannels, findGone } from "../storage/gone.ts";

/** Stored texts per step, which takes a few hundredths of a second. */
const COPIES_PER_STEP = 100;
const ROWS_PER_STEP = 200;
const MESSAGES_PER_STEP = 2000;
const PAGES_PER_STEP = 500;

/** Writes the text back without what is gone, and returns what is left; events that say nothing more are removed. */
function clean(
  db: Database,
  { place, seq, json }: Omit<Copy, "subject">,
  more: Partial<Gone> = {},
): object | undefined {
  const value = JSON.parse(json) as AnyEvent;
  const gone = { ...findGone(db, subjectsOf(value)), ...more };
  const left = place === "log" ? eventWithoutGone(value, gone) : withoutGone(value, gone);
  if (left !== value) storeCopy(db, place, seq, left && JSON.stringify(left));
  return left;
}

/**
 * One part of a message's, poll's or channel's copies. Those that a soft deletion leaves a thread in stay noted, since an
 * erasure of the message takes that too. Returns how many these are so far, from which it goes on; undefined after the last.
 */
function cleanSubject(
  db: Database,
  { kind, id, done }: Pick<Erasure, "kind" | "id" | "done">,
): number | undefined {
  const isErased = kind !== "message" || stateOf(db, id) === "erased";
  const copies = copiesOf(db, id, COPIES_PER_STEP, isErased ? 0 : done);
  let kept = done;
  for (const copy of copies) {
    const left = clean(db, copy, kind === "channel" ? { channel: (cid) => cid === id } : {});
    if (!isErased && hasThreadOf(left, id)) kept++;
    else forgetCopy(db, copy);
  }
  return copies.length < COPIES_PER_STEP ? undefined : kept;
}

/** One part of the copies of a queued deletion; true when none is left. */
function cleanQueued(db: Database, erasure: Erasure): boolean {
  const next = cleanSubject(db, erasure);
  if (next !== undefined) recordProgress(db, erasure, next);
  return next === undefined;
}

/** Empties the copies of a message at once; to be called before it is brought back without the content that they have. */
export function emptyCopiesOf(db: Database, messageId: string): void {
  let done: number | undefined = 0;
  while (done !== undefined) done = cleanSubject(db, { kind: "message", id: messageId, done });
}

const stateOf = (db: Database, messageId: string): ReturnType<Gone["message"]> =>
  findGone(db, { messages: new Set([messageId]), polls: new Set(), channels: new Set() }).message(messageId);

/** Whether a queued message or poll was brought back before its copies were emptied. */
function isBack(db: Database, { kind, id }: Erasure): boolean {
  const [messages, polls] = kind === "message" ? [[id], []] : [[], [id]];
  const gone = findGone(db, { messages: new Set(messages), polls: new Set(polls), channels: new Set() });
  return kind === "message" ? gone.message(id) === undefined : !gone.poll(id);
}

function cleanChannel(db: Database, erasure: Erasure): boolean {
  if (removeLogOf(db, erasure, ROWS_PER_STEP) === ROWS_PER_STEP) return false;
  for (const { seq, json } of removalsOf(db, erasure))
    clean(db, { place: "log", seq, json }, { channel: (cid) => cid === erasure.id });
  return cleanQueued(db, erasure);
}

/** A user's name is in too many texts to note each: all are read once. The user's own answers go. */
function cleanAllOf(db: Database, queued: Erasure): boolean {
  const erasure = queued.done === 0 ? extendErasure(db, queued) : queued;
  const { rows, next } = rowsFrom(db, erasure, ROWS_PER_STEP);
  const { id } = erasure;
  for (const row of rows)
    if (row.owner === id) storeCopy(db, row.place, row.seq, undefined);
    else if (row.json.includes(`"${id}"`)) clean(db, row, { user: (userId) => userId === id });
  if (next !== undefined) recordProgress(db, erasure, next);
  return next === undefined;
}

/** Texts that an older version stored: their copies are noted, and what was deleted since is emptied. */
function cleanOld(db: Database, erasure: Erasure): boolean {
  const { rows, next } = rowsFrom(db, erasure, ROWS_PER_STEP);
  const lost = eventsOfLostChannels(
    db,
    rows.filter(({ place }) => place === "log").map(({ seq }) => seq),
  );
  for (const row of rows) {
    if (row.place === "log" && lost.has(row.seq)) {
      storeCopy(db, "log", row.seq, undefined);
      continue;
    }
    noteCopies(db, row.place, row.seq, JSON.parse(row.json));
    clean(db, row);
  }
  if (next !== undefined) recordProgress(db, erasure, next);
  return next === undefined;
}

const LEFTOVERS: Record<Leftover, (db: Database, erasure: Erasure) => boolean> = {
  copies: cleanOld,
  files(db, erasure) {
    const read = fillUses(db, erasure.done, MESSAGES_PER_STEP);
    if (read !== undefined) recordProgress(db, erasure, read);
    return read === undefined;
  },
  index(db, erasure) {
    recordProgress(db, erasure, 1);
    return mergeIndex(db, erasure.done === 0);
  },
  pages(db, erasure) {
    if (erasure.done === 1) return emptyBlankPages(db, PAGES_PER_STEP);
    if (fillFreePages(db, PAGES_PER_STEP)) recordProgress(db, erasure, 1);
    return false;
  },
};

const STEPS: Record<Erasure["kind"], (db: Database, erasure: Erasure) => boolean> = {
  message: (db, erasure) => isBack(db, erasure) || cleanQueued(db, erasure),
  poll: (db, erasure) => isBack(db, erasure) || cleanQueued(db, erasure),
  channel: cleanChannel,
  user: cleanAllOf,
  upgrade: (db, erasure) => LEFTOVERS[erasure.id as Leftover](db, erasure),
};

/** Begins in the turn after the deletion; meanwhile readers of these texts leave out what is gone. */
export const copiesWork: DueWork = {
  name: "copies of deleted content",
  next: (db) => (isErasing(db) ? 0 : undefined),
  run({ db }: DueContext) {
    for (let read = 0; read < COPIES_PER_STEP; read += 10) {
      const erasure = nextErasure(db);
      if (!erasure) return;
      if (STEPS[erasure.kind](db, erasure)) finishErasure(db, erasure);
      else return;
    }
  },
};
