/** Renders the reactions of a message as chips, with one's own marked. */
import { reactionGlyph } from "../../text/emoji.ts";
import { cellWidth } from "../../text/width.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import { safeLine, type RowContext } from "./context.ts";
import { spot } from "./spots.ts";

const MAX_CHIPS = 24;

interface Chip {
  text: string;
  cells: number;
}

/** One chip per type, oldest first according to `reaction_groups` (specification/messages.md §9.3). */
export function reactionChips(message: Message, width: number, ctx: RowContext): Chip[] {
  const groups = message.reaction_groups ?? {};
  const types = Object.keys(groups);
  // Older stored messages have only the counts.
  const counts = types.length ? undefined : (message.reaction_counts ?? {});
  const order = counts
    ? Object.keys(counts)
    : types.toSorted((a, b) => compareTimes(groups[a]!.first_reaction_at, groups[b]!.first_reaction_at));
  const ownTypes = new Set((message.own_reactions ?? []).map((reaction) => reaction.type));
  const chips: Chip[] = [];
  for (const type of order) {
    const count = counts ? counts[type]! : groups[type]!.count;
    if (!(count > 0)) continue;
    if (chips.length === MAX_CHIPS) {
      chips.push({ text: ctx.theme.dim("…"), cells: 1 });
      break;
    }
    const own = ownTypes.has(type);
    const plain = safeLine(ctx, `${reactionGlyph(type)} ${count}`, width - 2);
    // Without colours one's own reactions are in brackets, which take the place of the blanks around the others.
    const text =
      own && ctx.theme.level === 0
        ? `[${plain}]`
        : ctx.theme.surface(` ${own ? ctx.theme.own(plain) : plain} `);
    chips.push({ text: spot(ctx, "react", text, type), cells: cellWidth(text) });
  }
  return chips;
}

/** Lays out chips and a last item (the reply count) on as few rows as possible. */
export function chipRows(
  chips: readonly Chip[],
  last: Chip | undefined,
  width: number,
  between = " ",
): string[] {
  const rows: string[] = [];
  let row = "";
  let cells = 0;
  const add = (chip: Chip, before: string): void => {
    if (cells > 0 && cells + before.length + chip.cells > width) {
      rows.push(row);
      row = "";
      cells = 0;
    }
    if (cells > 0) {
      row += before;
      cells += before.length;
    }
    row += chip.text;
    cells += chip.cells;
  };
  for (const chip of chips) add(chip, between);
  if (last) add(last, "  ");
  if (cells > 0) rows.push(row);
  return rows;
}
