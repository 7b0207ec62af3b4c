/** Draws a pixel picture over the cells of a frame, and redraws it when a frame writes over it. */
import { cellWidth } from "../../text/width.ts";

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layer {
  rect: Rect;
  /** Written with the cursor on the first cell. */
  bytes: string;
}

/** Splits a frame of Ink into sequences, line ends and text. */
const PIECES = /\x1b\[([\d;?]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[78]|[\n\r]|[^\x1b\n\r]+/g;

/** Follows the cursor through a frame, which begins at an unknown position and first moves up to its first row. */
class Pen {
  /** Undefined until the row is known. */
  y: number | undefined;
  x = 0;
  readonly #rows: number;

  constructor(rows: number) {
    this.#rows = rows;
  }

  move(parameters: string, final: string): void {
    const [first = "", second = ""] = parameters.split(";");
    const by = Number(first) || 1;
    if (final === "H") [this.y, this.x] = [by - 1, (Number(second) || 1) - 1];
    else if (final === "G") this.x = by - 1;
    else if (final === "C") this.x += by;
    else if (final === "D") this.x = Math.max(0, this.x - by);
    else if (final === "A") this.y = this.#above(by);
    else if (this.y !== undefined && (final === "B" || final === "E")) this.y += by;
    if (final === "E") this.x = 0;
  }

  /** Moving up by about the height of the screen ends in the first row. */
  #above(by: number): number | undefined {
    if (this.y !== undefined) return Math.max(0, this.y - by);
    return by >= this.#rows - 2 ? 0 : undefined;
  }
}

/** Whether a frame writes or erases in the rectangle; true if that cannot be determined. `rows` = height of the screen. */
export function writesIn(frame: string, { x, y, width, height }: Rect, rows: number): boolean {
  const pen = new Pen(rows);
  const hits = (from: number, to: number): boolean =>
    pen.y === undefined || (pen.y >= y && pen.y < y + height && from < x + width && to > x);
  for (const [piece, parameters = "", final] of frame.matchAll(PIECES)) {
    if (final === "J") return true;
    if (final === "K" || final === "X") {
      if (hits(parameters === "" || parameters === "0" || final === "X" ? pen.x : 0, Infinity)) return true;
    } else if (final !== undefined) pen.move(parameters, final);
    else if (piece === "\n") {
      if (pen.y !== undefined) pen.y++;
      pen.x = 0;
    } else if (piece === "\r") pen.x = 0;
    else if (!piece.startsWith("\x1b")) {
      const cells = cellWidth(piece);
      if (hits(pen.x, pen.x + cells)) return true;
      pen.x += cells;
    }
  }
  return false;
}

const at = ({ x, y }: Rect, bytes: string): string => `\x1b[${y + 1};${x + 1}H${bytes}`;

/** Saves and restores the cursor around the bytes. */
const aside = (bytes: string): string => `\x1b7\x1b[0m${bytes}\x1b8`;

function drawn({ rect, bytes }: Layer): string {
  return aside(at(rect, bytes));
}

/** Overwrites the pixels with blanks. */
function blanked({ rect }: Layer): string {
  const blank = " ".repeat(rect.width);
  return aside(Array.from({ length: rect.height }, (_, i) => at({ ...rect, y: rect.y + i }, blank)).join(""));
}

const isSame = (a: Layer | undefined, b: Layer | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.bytes === b.bytes && at(a.rect, "") === at(b.rect, ""));

export class PixelLayer {
  /** The layer on the screen, and the requested one. */
  #there: Layer | undefined;
  #wanted: Layer | undefined;

  /** Sets the requested layer; true if it changed. */
  want(layer: Layer | undefined): boolean {
    if (isSame(layer, this.#wanted)) return false;
    this.#wanted = layer;
    return true;
  }

  /** The screen was erased or switched. */
  lost(): void {
    this.#there = undefined;
  }

  /** Adds the bytes that draw or remove the layer to a frame, which may be empty. */
  around(frame: string, rows: number): string {
    const there = this.#there;
    const wanted = this.#wanted;
    if (!there && !wanted) return frame;
    this.#there = wanted;
    if (!isSame(there, wanted)) return (there ? blanked(there) : "") + frame + (wanted ? drawn(wanted) : "");
    return writesIn(frame, wanted!.rect, rows) ? frame + drawn(wanted!) : frame;
  }
}
