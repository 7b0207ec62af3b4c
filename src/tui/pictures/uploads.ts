/** Sends pictures to a kitty terminal piece by piece between frames, and deletes them again. */
import { abortCommand, deleteSequence, imageId, uploadCommands } from "./kitty.ts";
import type { Cells } from "./size.ts";

/** Maximum number of pictures stored in the terminal. */
const MAX_PICTURES = 64;
/** UTF-16 units written at once; the next ones wait until the terminal has read them. */
const MAX_WRITE_UNITS = 32_000;

export interface UploadOutput {
  /** Writes outside the frames. */
  write(bytes: string): void;
  /** Calls `go` when the terminal has read everything written. */
  drained(callback: () => void): void;
}

interface Upload {
  id: number;
  /** Commands not written yet. */
  pending: string[];
  started: boolean;
}

export class PictureUploads {
  readonly #output: UploadOutput;
  readonly #tmux: boolean;
  readonly #firstId: number;
  readonly #uploads = new Map<string, Upload>();
  #count = 0;
  #running = false;
  /** Called when a picture was removed to make room. */
  onRemoved: (key: string) => void = () => {};

  /** `start` should differ between programs in one terminal. */
  constructor(output: UploadOutput, tmux: boolean, firstId: number) {
    this.#output = output;
    this.#tmux = tmux;
    this.#firstId = firstId;
  }

  get length(): number {
    return this.#uploads.size;
  }

  /** The kitty id of the picture; sends it if the terminal does not have it. */
  idOf(key: string, png: Uint8Array, cells: Cells): number {
    const known = this.#uploads.get(key);
    if (known) return known.id;
    const id = imageId(this.#firstId, this.#count++, this.#tmux);
    this.#uploads.set(key, { id, pending: uploadCommands(id, png, cells, this.#tmux), started: false });
    for (const [oldest, upload] of this.#uploads) {
      if (this.#uploads.size <= MAX_PICTURES) break;
      // A picture being sent cannot be removed: nothing may come between its pieces.
      if (upload.started && upload.pending.length > 0) continue;
      this.#uploads.delete(oldest);
      if (upload.started) this.#output.write(deleteSequence(upload.id, this.#tmux));
      this.onRemoved(oldest);
    }
    this.#schedule();
    return id;
  }

  /** The bytes that delete all pictures; afterwards they have to be sent again. */
  deleteAll(): string {
    let bytes = "";
    const started = [...this.#uploads.values()].filter(({ started }) => started);
    if (started.some(({ pending }) => pending.length > 0)) bytes += abortCommand(this.#tmux);
    for (const { id } of started) bytes += deleteSequence(id, this.#tmux);
    this.#uploads.clear();
    return bytes;
  }

  #schedule(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => this.#writeChunk());
  }

  /** The picture to continue with: one already begun, else the newest. */
  #next(): Upload | undefined {
    const waiting = [...this.#uploads.values()].filter(({ pending }) => pending.length > 0);
    return waiting.find(({ started }) => started) ?? waiting.at(-1);
  }

  #writeChunk(): void {
    let bytes = "";
    for (let upload = this.#next(); upload && bytes.length < MAX_WRITE_UNITS; upload = this.#next()) {
      upload.started = true;
      bytes += upload.pending.shift()!;
    }
    if (bytes !== "") this.#output.write(bytes);
    if (this.#next()) this.#output.drained(() => this.#writeChunk());
    else this.#running = false;
  }
}
