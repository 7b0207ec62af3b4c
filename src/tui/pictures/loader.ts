/** Fetches and decodes requested pictures, and caches them in memory up to a limit. */
import { TooLarge } from "../../commands/base/files/fetch-file.ts";
import type { Decoder } from "./decoder.ts";
import type { Animation, Decoded, PictureForm, Refused } from "./decoding.ts";
import type { DiskCache } from "./disk-cache.ts";
import { MAX_PICTURE_BYTES } from "./limits.ts";
import type { Cells, Pixels } from "./size.ts";

export interface PictureRequest {
  url: string;
  form: PictureForm;
  box: Cells;
}

export type PictureState = { kind: "waiting" } | Decoded | Refused;

const WAITING = { kind: "waiting" } as const;

/** Bytes of decoded pictures cached, and number of pictures with a known state. */
const MAX_CACHED_BYTES = 12_000_000;
const MAX_STATES = 400;
/** Concurrent fetches, and the time limit of one in milliseconds. */
const MAX_CONCURRENT = 3;
const FETCH_TIMEOUT_MS = 30_000;

interface LoaderParts {
  diskCache: DiskCache;
  decoder: Pick<Decoder, "decode" | "animate" | "close">;
  /** Writes the content of a URL to a new file and returns its SHA-256. */
  fetch(url: string, file: string, options: { signal: AbortSignal; maxBytes: number }): Promise<string>;
  /** Size of a cell in pixels. */
  cell(): Pixels;
  /** Called when a requested picture is decoded or refused. */
  changed(): void;
}

export const pictureKey = ({ url, form, box }: PictureRequest): string =>
  `${url} ${form} ${box.cols}x${box.rows}`;

export class PictureLoader {
  readonly #parts: LoaderParts;
  readonly #states = new Map<string, PictureState>();
  readonly #versions = new Map<string, number>();
  readonly #closing = new AbortController();
  /** The one picture that moves. */
  #moving: { key: string; animation?: Animation } | undefined;
  #cachedBytes = 0;
  #fetching = 0;
  #queue: (() => void)[] = [];

  constructor(parts: LoaderParts) {
    this.#parts = parts;
  }

  /** The present state of a picture; starts loading it if it is unknown. */
  stateOf(request: PictureRequest): PictureState {
    const key = pictureKey(request);
    const state = this.#states.get(key);
    if (state) {
      this.#states.delete(key);
      this.#states.set(key, state);
      return state;
    }
    this.#states.set(key, WAITING);
    void this.#load(request).then((state) => this.#store(key, request.url, state));
    return WAITING;
  }

  /** The frames of a picture that moves, once they are known: those of one picture at a time. */
  animationOf(request: PictureRequest): Animation | undefined {
    const key = pictureKey(request);
    if (this.#moving?.key !== key) {
      this.#moving = { key };
      void this.#loadAnimation(request, key).catch(() => {});
    }
    return this.#moving.animation;
  }

  dropAnimation(): void {
    this.#moving = undefined;
  }

  async #loadAnimation({ url, form, box }: PictureRequest, key: string): Promise<void> {
    const file = await this.#limited(() => this.#fileOf(url));
    const answer = await this.#parts.decoder.animate({ file, form, box, cell: this.#parts.cell() });
    if (this.#moving?.key !== key || answer?.kind !== "animation") return;
    this.#moving = { key, animation: answer };
    this.invalidate(url);
    this.#parts.changed();
  }

  /** A number that changes whenever the state of a URL's pictures changes. */
  version(url: string): number {
    return this.#versions.get(url) ?? 0;
  }

  /** Makes a URL's pictures be drawn again, for example because the terminal dropped them. */
  invalidate(url: string): void {
    this.#versions.set(url, this.version(url) + 1);
  }

  /** Makes all pictures be drawn again. */
  invalidateAll(): void {
    for (const url of this.#versions.keys()) this.invalidate(url);
  }

  /** Drops failed fetches of a URL, so that the next request tries again. */
  dropFailed(url: string): void {
    for (const [key, state] of this.#states)
      if (key.startsWith(`${url} `) && state.kind === "refused" && state.why === "fetch")
        this.#states.delete(key);
  }

  close(): void {
    this.#closing.abort();
    this.#parts.decoder.close();
  }

  #store(key: string, url: string, state: PictureState | undefined): void {
    if (this.#closing.signal.aborted) return;
    this.#states.delete(key);
    // An undefined result was skipped in favour of later requests; it can be requested again.
    if (state) {
      this.#states.set(key, state);
      this.#cachedBytes += bytesOf(state);
    }
    this.#trim();
    this.invalidate(url);
    this.#parts.changed();
  }

  /** Drops the least recently used pictures, except those still loading. */
  #trim(): void {
    for (const [key, state] of this.#states) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES && this.#states.size <= MAX_STATES) return;
      if (state.kind === "waiting") continue;
      this.#states.delete(key);
      this.#cachedBytes -= bytesOf(state);
    }
  }

  async #load({ url, form, box }: PictureRequest): Promise<PictureState | undefined> {
    let file: string;
    try {
      file = await this.#limited(() => this.#fileOf(url));
    } catch (error) {
      return { kind: "refused", why: error instanceof TooLarge ? "bytes" : "fetch" };
    }
    return this.#parts.decoder.decode({ file, form, box, cell: this.#parts.cell() });
  }

  #fileOf(url: string): Promise<string> {
    const { diskCache, fetch } = this.#parts;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    return diskCache.fileOf(url, (file) => fetch(url, file, { signal, maxBytes: MAX_PICTURE_BYTES }));
  }

  /** Limits concurrency; the latest request runs first. */
  async #limited<T>(run: () => Promise<T>): Promise<T> {
    if (this.#fetching >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#fetching++;
    try {
      return await run();
    } finally {
      this.#fetching--;
      this.#queue.pop()?.();
    }
  }
}

const bytesOf = (state: PictureState): number => (state.kind === "decoded" ? state.data.length : 0);
