/** Draws pictures in the form the terminal supports: as rows of text, or as bytes over blank cells. */
import type { Cells, Pixels } from "./size.ts";
import type { PictureRoute } from "../../config/picture-route.ts";
import { PictureLoader, pictureKey } from "./loader.ts";
import { Decoder } from "./decoder.ts";
import type { Decoded, PictureForm, Refused } from "./decoding.ts";
import { halfBlockRows } from "./half-blocks.ts";
import { DiskCache } from "./disk-cache.ts";
import { MAX_PICTURE_CELLS, placeholderRows } from "./kitty.ts";
import { PictureUploads, type UploadOutput } from "./uploads.ts";

/** The sequence of an inline file, stretched to its cells. */
export function iterm2Bytes(file: Uint8Array, { cols, rows }: Cells): string {
  const data = Buffer.from(file.buffer, file.byteOffset, file.length).toString("base64");
  return `\x1b]1337;File=inline=1;size=${file.length};width=${cols};height=${rows};preserveAspectRatio=0;doNotMoveCursor=1:${data}\x07`;
}

/** The present state of a picture. */
export type DrawnPicture =
  | { kind: "waiting" }
  | { kind: "refused"; refused: Refused }
  | { kind: "rows"; rows: readonly string[]; cells: Cells }
  /** To be written over blank cells. */
  | { kind: "bytes"; bytes: string; cells: Cells };

export interface DrawingParts {
  route: PictureRoute;
  level: 2 | 3;
  /** The cache folder. */
  folder: string;
  cell(): Pixels;
  output: UploadOutput;
  fetch(url: string, file: string, options: { signal: AbortSignal; maxBytes: number }): Promise<string>;
  changed(): void;
}

const FORMS = {
  kitty: "png",
  iterm2: "file",
  sixel: "sixel",
  "half-blocks": "pixels",
} as const satisfies Record<string, PictureForm>;

/** Maximum size of a picture in half blocks, to limit the bytes per frame. */
const MAX_HALF_BLOCKS = { stream: { cols: 80, rows: 30 }, panel: { cols: 160, rows: 48 } } as const;

export class Drawing {
  readonly loader: PictureLoader;
  readonly #parts: DrawingParts;
  readonly #uploads: PictureUploads;
  readonly #cache = new WeakMap<Decoded, DrawnPicture>();

  constructor(parts: DrawingParts) {
    this.#parts = parts;
    const { folder, fetch, cell, changed } = parts;
    this.loader = new PictureLoader({
      diskCache: new DiskCache(folder),
      decoder: new Decoder(),
      fetch,
      cell,
      changed,
    });
    this.#uploads = new PictureUploads(
      parts.output,
      parts.route.tmux,
      Math.floor(Math.random() * 0xff_ff_ff),
    );
    this.#uploads.onRemoved = (key) => {
      this.loader.invalidate(key.slice(0, key.indexOf(" ")));
      changed();
    };
  }

  /** Draws a picture in at most these cells, with the route for the message list (`stream`) or the panel. */
  draw(url: string, where: "stream" | "panel", box: Cells): DrawnPicture {
    const method = this.#parts.route[where];
    if (method === "off") return { kind: "waiting" };
    const limit =
      method === "kitty" ? { cols: MAX_PICTURE_CELLS, rows: MAX_PICTURE_CELLS } : MAX_HALF_BLOCKS[where];
    const cells =
      method === "iterm2" || method === "sixel"
        ? box
        : { cols: Math.min(box.cols, limit.cols), rows: Math.min(box.rows, limit.rows) };
    const request = { url, form: FORMS[method], box: cells };
    const state = this.loader.stateOf(request);
    if (state.kind === "waiting") return state;
    if (state.kind === "refused") return { kind: "refused", refused: state };
    return this.#cachedResult(pictureKey(request), state);
  }

  /** Caches the drawn form, because every frame requests it. */
  #cachedResult(key: string, decoded: Decoded): DrawnPicture {
    // Its kitty id may have changed, so it is not cached.
    if (decoded.form === "png") return this.#drawDecoded(key, decoded);
    let result = this.#cache.get(decoded);
    if (!result) this.#cache.set(decoded, (result = this.#drawDecoded(key, decoded)));
    return result;
  }

  #drawDecoded(key: string, decoded: Decoded): DrawnPicture {
    const cells = { cols: decoded.cols, rows: decoded.rows };
    const { route, level } = this.#parts;
    switch (decoded.form) {
      case "png": {
        const id = this.#uploads.idOf(key, decoded.data, cells);
        return { kind: "rows", rows: placeholderRows(id, cells, route.tmux), cells };
      }
      case "pixels":
        return { kind: "rows", rows: halfBlockRows(decoded.data, decoded.size, level), cells };
      case "file":
        return { kind: "bytes", bytes: iterm2Bytes(decoded.data, cells), cells };
      case "sixel":
        return { kind: "bytes", bytes: Buffer.from(decoded.data).toString("latin1"), cells };
    }
  }

  /** The bytes that remove all pictures from the terminal. */
  removeAll(): string {
    return this.#uploads.deleteAll();
  }

  close(): void {
    this.loader.close();
  }
}
