/** Draws pictures in the form the terminal supports: as rows of text, or as bytes over blank cells. */
import type { Cells, Pixels } from "./size.ts";
import type { PictureRoute } from "../../config/picture-route.ts";
import { PictureLoader, pictureKey, type PictureRequest } from "./loader.ts";
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

/** The picture that may move, and where. */
export interface MovingPicture {
  url: string;
  where: "stream" | "panel";
}

interface Moving extends MovingPicture {
  frame: number;
  timer?: NodeJS.Timeout;
  /** Milliseconds that it has moved. */
  shown: number;
}

/** A picture that nobody touches moves so long, milliseconds. */
const LONGEST_PLAY_MS = 60_000;

export class Drawing {
  readonly loader: PictureLoader;
  readonly #parts: DrawingParts;
  readonly #uploads: PictureUploads;
  readonly #cache = new WeakMap<Decoded, DrawnPicture>();
  #moving: Moving | undefined;

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
    return this.#movingFrame(request, where) ?? this.#cachedResult(pictureKey(request), state);
  }

  /** Lets this picture move, if it is one that does, and no other. */
  play(picture: MovingPicture | undefined): void {
    const before = this.#moving;
    if (before?.url === picture?.url && before?.where === picture?.where) return;
    clearTimeout(before?.timer);
    this.loader.dropAnimation();
    this.#moving = picture && { ...picture, frame: 0, shown: 0 };
    for (const one of [before, picture]) if (one) this.loader.invalidate(one.url);
    this.#parts.changed();
  }

  /** The present frame of the picture that moves; each one that is drawn asks for the next. */
  #movingFrame(request: PictureRequest, where: "stream" | "panel"): DrawnPicture | undefined {
    const moving = this.#moving;
    if (moving?.url !== request.url || moving.where !== where) return undefined;
    const { frames } = this.loader.animationOf(request) ?? {};
    const frame = frames?.[moving.frame % frames.length];
    if (!frame) return undefined;
    if (moving.shown < LONGEST_PLAY_MS)
      moving.timer ??= setTimeout(() => this.#next(frame.ms), frame.ms).unref();
    return this.#cachedResult(`${pictureKey(request)} ${moving.frame % frames!.length}`, frame.picture);
  }

  #next(ms: number): void {
    const moving = this.#moving;
    if (!moving) return;
    const { timer: _over, ...rest } = moving;
    this.#moving = { ...rest, frame: moving.frame + 1, shown: moving.shown + ms };
    this.loader.invalidate(moving.url);
    this.#parts.changed();
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
    clearTimeout(this.#moving?.timer);
    this.loader.close();
  }
}
