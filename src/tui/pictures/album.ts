/** Fetches and decodes requested pictures, and caches them in memory up to a limit. */
import { TooLarge } from "../../commands/base/files/fetch-file.ts";
import type { Decoder } from "./decoder.ts";
import type { Decoded, PictureForm, Refused } from "./decoding.ts";
import type { DiskCache } from "./disk-cache.ts";
import { MOST_BYTES } from "./limits.ts";
import type { Cells, Pixels } from "./size.ts";

export interface PictureRequest {
  url: string;
  form: PictureForm;
  box: Cells;
}

export type PictureState = { kind: "waiting" } | Decoded | Refused;

const WAITING = { kind: "waiting" } as const;

/** Bytes of decoded pictures cached, and number of pictures with a known state. */
const MOST_HELD = 12_000_000;
const MOST_KNOWN = 400;
/** Concurrent fetches, and the time limit of one in milliseconds. */
const AT_ONCE = 3;
const FETCH_MS = 30_000;

interface AlbumParts {
  kept: DiskCache;
  decoder: Pick<Decoder, "decode" | "close">;
  /** Writes the content of a URL to a new file and returns its SHA-256. */
  fetch(url: string, file: string, how: { signal: AbortSignal; most: number }): Promise<string>;
  /** Size of a cell in pixels. */
  cell(): Pixels;
  /** Called when a requested picture is decoded or refused. */
  changed(): void;
}

export const pictureKey = ({ url, form, box }: PictureRequest): string =>
  `${url} ${form} ${box.cols}x${box.rows}`;

export class Album {
  readonly #parts: AlbumParts;
  readonly #found = new Map<string, PictureState>();
  readonly #versions = new Map<string, number>();
  readonly #leaving = new AbortController();
  #held = 0;
  #fetching = 0;
  #queue: (() => void)[] = [];

  constructor(parts: AlbumParts) {
    this.#parts = parts;
  }

  /** The present state of a picture; starts loading it if it is unknown. */
  find(asked: PictureRequest): PictureState {
    const key = pictureKey(asked);
    const known = this.#found.get(key);
    if (known) {
      this.#found.delete(key);
      this.#found.set(key, known);
      return known;
    }
    this.#found.set(key, WAITING);
    void this.#get(asked).then((found) => this.#take(key, asked.url, found));
    return WAITING;
  }

  /** A number that changes whenever the state of a URL's pictures changes. */
  version(url: string): number {
    return this.#versions.get(url) ?? 0;
  }

  /** Makes a URL's pictures be drawn again, for example because the terminal dropped them. */
  touch(url: string): void {
    this.#versions.set(url, this.version(url) + 1);
  }

  /** Makes all pictures be drawn again. */
  touchAll(): void {
    for (const url of this.#versions.keys()) this.touch(url);
  }

  /** Drops failed fetches of a URL, so that the next request tries again. */
  forget(url: string): void {
    for (const [key, found] of this.#found)
      if (key.startsWith(`${url} `) && found.kind === "refused" && found.why === "fetch")
        this.#found.delete(key);
  }

  close(): void {
    this.#leaving.abort();
    this.#parts.decoder.close();
  }

  #take(key: string, url: string, found: PictureState | undefined): void {
    if (this.#leaving.signal.aborted) return;
    this.#found.delete(key);
    // An undefined result was skipped in favour of later requests; it can be requested again.
    if (found) {
      this.#found.set(key, found);
      this.#held += sizeOf(found);
    }
    this.#trim();
    this.touch(url);
    this.#parts.changed();
  }

  /** Drops the least recently used pictures, except those still loading. */
  #trim(): void {
    for (const [key, found] of this.#found) {
      if (this.#held <= MOST_HELD && this.#found.size <= MOST_KNOWN) return;
      if (found.kind === "waiting") continue;
      this.#found.delete(key);
      this.#held -= sizeOf(found);
    }
  }

  async #get({ url, form, box }: PictureRequest): Promise<PictureState | undefined> {
    let file: string;
    try {
      file = await this.#inTurn(() => this.#fileOf(url));
    } catch (error) {
      return { kind: "refused", why: error instanceof TooLarge ? "bytes" : "fetch" };
    }
    return this.#parts.decoder.decode({ file, form, box, cell: this.#parts.cell() });
  }

  #fileOf(url: string): Promise<string> {
    const { kept, fetch } = this.#parts;
    const signal = AbortSignal.any([this.#leaving.signal, AbortSignal.timeout(FETCH_MS)]);
    return kept.fileOf(url, (file) => fetch(url, file, { signal, most: MOST_BYTES }));
  }

  /** Limits concurrency; the latest request runs first. */
  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#fetching >= AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#fetching++;
    try {
      return await run();
    } finally {
      this.#fetching--;
      this.#queue.pop()?.();
    }
  }
}

const sizeOf = (found: PictureState): number => (found.kind === "decoded" ? found.data.length : 0);
