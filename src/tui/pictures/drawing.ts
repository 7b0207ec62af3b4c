/** Draws pictures in the form the terminal supports: as rows of text, or as bytes over blank cells. */
import type { PictureRoute } from "../../config/picture-route.ts";
import { Album, pictureKey } from "./album.ts";
import { Decoder } from "./decoder.ts";
import type { Decoded, PictureForm, Refused } from "./decoding.ts";
import { halfBlockRows } from "./half-blocks.ts";
import { DiskCache } from "./disk-cache.ts";
import { MOST_CELLS, placeholderRows } from "./kitty.ts";
import { iterm2Bytes } from "./iterm2.ts";
import { PictureUploads, type UploadOutput } from "./uploads.ts";
import type { Cells, Pixels } from "./size.ts";

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
  line: UploadOutput;
  fetch(url: string, file: string, how: { signal: AbortSignal; most: number }): Promise<string>;
  changed(): void;
}

const FORMS = {
  kitty: "png",
  iterm2: "file",
  sixel: "sixel",
  "half-blocks": "pixels",
} as const satisfies Record<string, PictureForm>;

/** Maximum size of a picture in half blocks, to limit the bytes per frame. */
const MOST_BLOCKS: Cells = { cols: 80, rows: 30 };

export class Drawing {
  readonly album: Album;
  readonly #parts: DrawingParts;
  readonly #uploads: PictureUploads;
  readonly #known = new WeakMap<Decoded, DrawnPicture>();

  constructor(parts: DrawingParts) {
    this.#parts = parts;
    const { folder, fetch, cell, changed } = parts;
    this.album = new Album({
      kept: new DiskCache(folder),
      decoder: new Decoder(),
      fetch,
      cell,
      changed,
    });
    this.#uploads = new PictureUploads(parts.line, parts.route.tmux, Math.floor(Math.random() * 0xff_ff_ff));
    this.#uploads.onGone = (key) => {
      this.album.touch(key.slice(0, key.indexOf(" ")));
      changed();
    };
  }

  /** Draws a picture in at most these cells, with the route for the message list (`stream`) or the panel. */
  draw(url: string, where: "stream" | "panel", box: Cells): DrawnPicture {
    const way = this.#parts.route[where];
    if (way === "off") return { kind: "waiting" };
    const most = way === "kitty" ? { cols: MOST_CELLS, rows: MOST_CELLS } : MOST_BLOCKS;
    const room =
      way === "iterm2" || way === "sixel"
        ? box
        : { cols: Math.min(box.cols, most.cols), rows: Math.min(box.rows, most.rows) };
    const asked = { url, form: FORMS[way], box: room };
    const found = this.album.find(asked);
    if (found.kind === "waiting") return found;
    if (found.kind === "refused") return { kind: "refused", refused: found };
    return this.#drawn(pictureKey(asked), found);
  }

  /** Caches the drawn form, because every frame requests it. */
  #drawn(key: string, found: Decoded): DrawnPicture {
    // Its kitty id may have changed, so it is not cached.
    if (found.form === "png") return this.#made(key, found);
    let drawn = this.#known.get(found);
    if (!drawn) this.#known.set(found, (drawn = this.#made(key, found)));
    return drawn;
  }

  #made(key: string, found: Decoded): DrawnPicture {
    const cells = { cols: found.cols, rows: found.rows };
    const { route, level } = this.#parts;
    switch (found.form) {
      case "png": {
        const id = this.#uploads.idOf(key, found.data, cells);
        return { kind: "rows", rows: placeholderRows(id, cells, route.tmux), cells };
      }
      case "pixels":
        return { kind: "rows", rows: halfBlockRows(found.data, found.size, level), cells };
      case "file":
        return { kind: "bytes", bytes: iterm2Bytes(found.data, cells), cells };
      case "sixel":
        return { kind: "bytes", bytes: Buffer.from(found.data).toString("latin1"), cells };
    }
  }

  /** The bytes that remove all pictures from the terminal. */
  takeDown(): string {
    return this.#uploads.takeDown();
  }

  close(): void {
    this.album.close();
  }
}
