/** Marks clickable spots in the rows of a message, and reads them back out of the rows. */
import { cellWidth } from "../../text/width.ts";
import { LINK_END } from "../../text/wrap.ts";
import type { RowContext } from "./context.ts";

/** The actions of spots; `link` opens a URL. */
const SPOT_NAMES = [
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
export type SpotName = (typeof SPOT_NAMES)[number] | "link";

export interface Spot {
  name: SpotName;
  /** The reaction type, button or option number, URL, message address, or id of the mentioned user; else empty. */
  value: string;
  row: number;
  /** Cells from the left of the row. */
  x: number;
  cells: number;
}

const SCHEME = "spot:";
const LINK = /\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;

/** Marks a part of a row, if `ctx.spots` is set. It is encoded as a hyperlink with a private scheme, so that wrapping preserves it. */
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
  return { name: SPOT_NAMES.find((each) => each === name)!, value: decodeURIComponent(value) };
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

/** The spots of rows rendered with `spots`, from top and left; a wrapped spot occurs once per row. */
export const spotsIn = (rows: readonly string[]): Spot[] =>
  rows.flatMap((row, i) => (row.includes("\x1b]8;") ? spotsOfRow(row, i) : []));
