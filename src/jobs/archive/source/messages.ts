/** Pages of messages of an archived channel or thread, single messages, their reactions, and votes of polls. */
import type { Message, Reaction } from "../../../wire/entities/message.ts";
import type { Poll, PollVote } from "../../../wire/entities/poll.ts";
import { MESSAGE_ANCHORS, type MessageAnchor } from "../../../wire/entities/query.ts";
import { QUERY_MESSAGES_LIMIT } from "../../../wire/constants.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import {
  LAST_ID,
  type ArchivedMessage,
  type ArchivedPlace,
  type MessagePosition,
  type PageBound,
} from "../read.ts";
import { timeKey } from "../writer.ts";
import { fitsFilter, valueOfField } from "./filter.ts";
import type { Shelf } from "./shelf.ts";

/** The side that an option asks for; around is the page up to it and the one after it. */
const SIDES: Readonly<Record<MessageAnchor, PageBound["side"] | "around">> = {
  id_lt: "<",
  id_lte: "<=",
  id_gt: ">",
  id_gte: ">=",
  id_around: "around",
  created_at_before: "<",
  created_at_before_or_equal: "<=",
  created_at_after: ">",
  created_at_after_or_equal: ">=",
  created_at_around: "around",
};

/** All messages of a moment lie on one side of its bound. */
const ofTime = (time: string, side: PageBound["side"]): PageBound => ({
  side,
  at: timeKey(time),
  id: side === "<" || side === ">=" ? "" : LAST_ID,
});

const beside = (position: MessagePosition, side: PageBound["side"]): PageBound => ({ ...position, side });

/** As many as were asked for, within the limits of a call. */
export function countIn(fields: Fields, [usual, most]: readonly [number, number]): number {
  const asked = Math.trunc(Number(fields.limit ?? usual));
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 1), most) : usual;
}

/** Oldest first (PAGE-1…5); undefined where the option names a message that the archive does not have. */
export function pageIn(shelf: Shelf, place: ArchivedPlace, asked: Fields): Message[] | undefined {
  const { reader } = shelf;
  const count = countIn(asked, QUERY_MESSAGES_LIMIT);
  const shown = (page: ArchivedMessage[]): Message[] => page.map((one) => shelf.message(one));
  const option = MESSAGE_ANCHORS.find((one) => asked[one] !== undefined);
  if (option === undefined) return shown(reader.page(place, undefined, count));
  const value = String(asked[option]);
  const position = option.startsWith("id_") ? reader.positionOf(value) : undefined;
  if (option.startsWith("id_") && !position) return undefined;
  const bound = (side: PageBound["side"]): PageBound =>
    position ? beside(position, side) : ofTime(value, side);
  const side = SIDES[option];
  if (side !== "around") return shown(reader.page(place, bound(side), count));
  const newer = Math.floor((count - 1) / 2);
  const older = reader.page(place, bound("<="), count - newer);
  return shown([...older, ...(newer > 0 ? reader.page(place, bound(">"), newer) : [])]);
}

export function archivedMessage(shelf: Shelf, id: unknown): Message | undefined {
  const found = shelf.reader.message(String(id));
  return found && shelf.message(found);
}

/** A page of a list that is made as a whole; the cursor is the place of its first item. */
export function pageFrom<T>(
  items: readonly T[],
  fields: Fields,
  limits: readonly [number, number],
): { page: T[]; next?: string } {
  const from = Number(fields.next ?? fields.offset ?? 0) || 0;
  const end = from + countIn(fields, limits);
  return { page: items.slice(from, end), ...(end < items.length && { next: String(end) }) };
}

/** Those that the filter of the call is met by. */
export function fitting<T extends object>(items: readonly T[], { filter }: Fields): T[] {
  return isObject(filter)
    ? items.filter((one) => fitsFilter(filter, (field) => valueOfField(one, field)))
    : [...items];
}

/** Newest first. */
export function archivedReactions(shelf: Shelf, id: unknown): Reaction[] | undefined {
  const found = shelf.reader.message(String(id));
  return found?.reactions.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

const messageWithPoll = (shelf: Shelf, poll: unknown): ArchivedMessage | undefined => {
  const row = shelf.db.prepare("SELECT message_id FROM polls WHERE id = ?").get(String(poll));
  return row && shelf.reader.message(String(row.message_id));
};

export function archivedPoll(shelf: Shelf, id: unknown): Poll | undefined {
  const found = messageWithPoll(shelf, id);
  return (found && shelf.message(found).poll) ?? undefined;
}

export const archivedVotes = (shelf: Shelf, id: unknown): PollVote[] | undefined =>
  messageWithPoll(shelf, id)?.votes;
