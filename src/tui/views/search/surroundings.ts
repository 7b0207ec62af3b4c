/** What is around the selected result: the messages before and after it that are loaded, below the results. */
import { plainTextOf } from "../../../model/message-words.ts";
import { userName } from "../../../model/channels.ts";
import { isPresent } from "../../../model/message-state.ts";
import { parentOf, setsOf } from "../../../model/select.ts";
import type { ClientMessage, State } from "../../../model/state.ts";
import { wordsOf } from "../../../text/searched-words.ts";
import { shortWhen } from "../../../text/times.ts";
import { cellWidth, fitTerminal, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { SearchState } from "../../screen/search.ts";
import { placeOf } from "../messages/jump.ts";
import { withMatches, type SearchLook } from "./excerpts.ts";
import { selectedHit } from "./lines.ts";

/** Messages shown on each side, if there is room. */
const NEIGHBOURS = 3;
/** A smaller panel has room for the results only. */
const MIN_WIDTH = 40;
const MIN_HEIGHT = 24;
const MAX_ROWS = 16;
const HIT_ROWS = 4;
const NEIGHBOUR_ROWS = 2;

interface Surroundings {
  before: readonly Message[];
  after: readonly Message[];
  /** No more have to be asked for. */
  isWhole: boolean;
}

/** Undefined if the result is in no loaded part of its channel or thread. */
export function surroundingsOf(state: State, hit: Message): Surroundings | undefined {
  const place = placeOf(hit);
  const set = setsOf(state, place).find(({ messages }) => messages.indexOf(hit.id) >= 0);
  if (!set) return undefined;
  const { messages, hasPrev, hasNext } = set;
  const at = messages.indexOf(hit.id);
  const before = messages.slice(Math.max(0, at - NEIGHBOURS), at);
  const after = messages.slice(at + 1, at + 1 + NEIGHBOURS);
  const isWhole = (!hasPrev || before.length === NEIGHBOURS) && (!hasNext || after.length === NEIGHBOURS);
  const parent =
    place.parentId !== undefined && !hasPrev && before.length < NEIGHBOURS
      ? parentOf(state, place.cid, place.parentId)
      : undefined;
  const shown = (some: readonly ClientMessage[]): ClientMessage[] => some.filter(isPresent);
  return { before: shown([...(parent ? [parent] : []), ...before]), after: shown(after), isWhole };
}

/** Rows that the results leave to it: none in a small panel, or without a result. */
export function surroundingsHeight(
  { width, height }: Pick<SearchLook, "width" | "height">,
  { found, faults }: SearchState,
): number {
  if (width < MIN_WIDTH || height < MIN_HEIGHT || found.results.length === 0 || faults.length > 0) return 0;
  return Math.min(MAX_ROWS, Math.floor(height * 0.4));
}

/** The text on at most so many rows. */
function textRows(look: SearchLook, message: Message, most: number): string[] {
  const width = Math.max(1, look.width - 4);
  const rows = wrapText(fitTerminal(plainTextOf(message), look.glyphs), width);
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most - 1), truncate(`${rows[most - 1]!} ${rows[most]!}`, width)];
}

function headRow({ theme, width, now, utc, glyphs }: SearchLook, message: Message): string {
  const when = shortWhen(timeToMs(message.created_at), now, utc === undefined ? {} : { utc });
  const name = fitTerminal(userName(message.user), glyphs);
  return `${theme.bold(truncate(name, Math.max(1, width - cellWidth(when) - 4)))}  ${theme.dim(when)}`;
}

const neighbourRows = (look: SearchLook, message: Message): string[] => [
  ` ${headRow(look, message)}`,
  ...textRows(look, message, NEIGHBOUR_ROWS).map((row) => `   ${look.theme.dim(row)}`),
];

/** The result has the bar of a cursor. */
function hitRows(look: SearchLook, hit: Message, queryWords: readonly string[]): string[] {
  const bar = look.theme.accent("▌");
  const rows = textRows(look, hit, HIT_ROWS).map((row) => withMatches(look.theme, row, queryWords));
  return [bar + headRow(look, hit), ...rows.map((row) => `${bar}  ${row}`)];
}

/** The result and as many neighbours as there is room for, the nearest of both sides first. */
function fittingRows(look: SearchLook, hit: readonly string[], around: Surroundings, room: number): string[] {
  let rows = [...hit];
  const before = around.before.toReversed();
  const full = { before: false, after: false };
  for (let i = 0; i < NEIGHBOURS + 1; i++) {
    for (const side of ["before", "after"] as const) {
      const message = (side === "before" ? before : around.after)[i];
      const more = message && !full[side] ? neighbourRows(look, message) : [];
      if (rows.length + more.length > room) full[side] = true;
      else rows = side === "before" ? [...more, ...rows] : [...rows, ...more];
    }
  }
  return rows;
}

/** A rule, and the selected result among its neighbours. */
export function surroundingsRows(look: SearchLook, state: State, search: SearchState): string[] {
  const height = surroundingsHeight(look, search);
  const hit = height > 0 ? selectedHit(state, search) : undefined;
  if (!hit) return [];
  const label = ` ${words.search.around} `;
  const strokes = "─".repeat(Math.max(0, look.width - cellWidth(label) - 4));
  const rule = ` ${look.theme.line("──")}${look.theme.dim(label)}${look.theme.line(strokes)} `;
  const around = surroundingsOf(state, hit) ?? { before: [], after: [], isWhole: false };
  return [rule, ...fittingRows(look, hitRows(look, hit, wordsOf(search.query.words)), around, height - 2)];
}
