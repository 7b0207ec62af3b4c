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
const FRAME_PARTS =
  /\x1b\[([\d;?]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[78]|[\n\r]|[^\x1b\n\r]+/g;

/** Follows the cursor through a frame, which begins at an unknown position and first moves up to its first row. */
class CursorTracker {
  /** Undefined until the row is known. */
  y: number | undefined;
  x = 0;
  readonly #rows: number;

  constructor(rows: number) {
    this.#rows = rows;
  }

  move(parameters: string, final: string): void {
    const [first = "", second = ""] = parameters.split(";");
    const count = Number(first) || 1;
    if (final === "H") [this.y, this.x] = [count - 1, (Number(second) || 1) - 1];
    else if (final === "G") this.x = count - 1;
    else if (final === "C") this.x += count;
    else if (final === "D") this.x = Math.max(0, this.x - count);
    else if (final === "A") this.y = this.#rowAbove(count);
    else if (this.y !== undefined && (final === "B" || final === "E")) this.y += count;
    if (final === "E") this.x = 0;
  }

  /** Moving up by about the height of the screen ends in the first row. */
  #rowAbove(count: number): number | undefined {
    if (this.y !== undefined) return Math.max(0, this.y - count);
    return count >= this.#rows - 2 ? 0 : undefined;
  }
}

/** Whether a frame writes or erases in the rectangle; true if that cannot be determined. `rows` = height of the screen. */
export function writesIn(frame: string, { x, y, width, height }: Rect, rows: number): boolean {
  const cursor = new CursorTracker(rows);
  const overlaps = (from: number, to: number): boolean =>
    cursor.y === undefined || (cursor.y >= y && cursor.y < y + height && from < x + width && to > x);
  for (const [piece, parameters = "", final] of frame.matchAll(FRAME_PARTS)) {
    if (final === "J") return true;
    if (final === "K" || final === "X") {
      if (overlaps(parameters === "" || parameters === "0" || final === "X" ? cursor.x : 0, Infinity))
        return true;
    } else if (final !== undefined) cursor.move(parameters, final);
    else if (piece === "\n") {
      if (cursor.y !== undefined) cursor.y++;
      cursor.x = 0;
    } else if (piece === "\r") cursor.x = 0;
    else if (!piece.startsWith("\x1b")) {
      const cells = cellWidth(piece);
      if (overlaps(cursor.x, cursor.x + cells)) return true;
      cursor.x += cells;
    }
  }
  return false;
}

const bytesAt = ({ x, y }: Rect, bytes: string): string => `\x1b[${y + 1};${x + 1}H${bytes}`;

/** Saves and restores the cursor around the bytes. */
const withSavedCursor = (bytes: string): string => `\x1b7\x1b[0m${bytes}\x1b8`;

function drawBytes({ rect, bytes }: Layer): string {
  return withSavedCursor(bytesAt(rect, bytes));
}

/** Overwrites the pixels with blanks. */
function eraseBytes({ rect }: Layer): string {
  const blank = " ".repeat(rect.width);
  return withSavedCursor(
    Array.from({ length: rect.height }, (_, i) => bytesAt({ ...rect, y: rect.y + i }, blank)).join(""),
  );
}

const isSame = (a: Layer | undefined, b: Layer | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.bytes === b.bytes && bytesAt(a.rect, "") === bytesAt(b.rect, ""));

export class PixelLayer {
  /** The layer on the screen, and the requested one. */
  #shown: Layer | undefined;
  #requested: Layer | undefined;

  /** Sets the requested layer; true if it changed. */
  request(layer: Layer | undefined): boolean {
    if (isSame(layer, this.#requested)) return false;
    this.#requested = layer;
    return true;
  }

  /** The screen was erased or switched. */
  markErased(): void {
    this.#shown = undefined;
  }

  /** Adds the bytes that draw or remove the layer to a frame, which may be empty. */
  addTo(frame: string, rows: number): string {
    const shown = this.#shown;
    const requested = this.#requested;
    if (!shown && !requested) return frame;
    this.#shown = requested;
    if (!isSame(shown, requested))
      return (shown ? eraseBytes(shown) : "") + frame + (requested ? drawBytes(requested) : "");
    return writesIn(frame, requested!.rect, rows) ? frame + drawBytes(requested!) : frame;
  }
}
