/** Clickable spots in the rows of a message: marked when the rows are made, and read out of them. */
import { cellWidth } from "../../text/width.ts";
import { LINK_END } from "../../text/wrap.ts";
import type { RowContext } from "./context.ts";

/** What pressing a spot does; `link` opens an address. */
const DOES = [
  "react",
  "vote",
  "button",
  "thread",
  "quote",
  "reveal",
  "about",
  "person",
  "mentioned",
  "jump",
  "full",
  "map",
  "stop",
  "edit",
  "retry",
  "drop",
] as const;
export type SpotName = (typeof DOES)[number] | "link";

export interface Spot {
  name: SpotName;
  /** The type of a reaction, the number of a button or an option, the address of a link or a message, the id of who is mentioned, else nothing. */
  value: string;
  row: number;
  /** Cells from the left of the row. */
  x: number;
  cells: number;
}

const SCHEME = "spot:";
const LINK = /\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;

/** Marks a part of a row, where rows are made to find such parts: a hyperlink of a kind that no text can hold, so that it is wrapped like one. */
export function spot(
  ctx: Pick<RowContext, "spots">,
  name: Exclude<SpotName, "link">,
  label: string,
  value = "",
): string {
  if (!ctx.spots || label === "") return label;
  return `\x1b]8;;${SCHEME}${name}:${encodeURIComponent(value)}\x1b\\${label}${LINK_END}`;
}

function readSpot(address: string): Pick<Spot, "name" | "value"> {
  if (!address.startsWith(SCHEME)) return { name: "link", value: address };
  const [name, value] = address.slice(SCHEME.length).split(":") as [string, string];
  return { name: DOES.find((each) => each === name)!, value: decodeURIComponent(value) };
}

function spotsOfRow(text: string, row: number): Spot[] {
  const found: Spot[] = [];
  let from = 0;
  let x = 0;
  let open = "";
  for (const match of text.matchAll(LINK)) {
    const cells = cellWidth(text.slice(from, match.index));
    if (open !== "" && cells > 0) found.push({ ...readSpot(open), row, x, cells });
    x += cells;
    from = match.index + match[0].length;
    open = match[1]!;
  }
  return found;
}

/** The spots of rows that were made with `spots`, from the top and from the left; what is wrapped stands once a row. */
export const spotsIn = (rows: readonly string[]): Spot[] =>
  rows.flatMap((row, i) => (row.includes("\x1b]8;") ? spotsOfRow(row, i) : []));
