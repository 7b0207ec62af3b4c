/** Sends pictures to a kitty terminal piece by piece between frames, and deletes them again. */
import { abortCommand, deleteSequence, imageId, uploadCommands } from "./kitty.ts";
import type { Cells } from "./size.ts";

/** Maximum number of pictures stored in the terminal. */
const MOST = 64;
/** UTF-16 units written at once; the next ones wait until the terminal has read them. */
const AT_ONCE = 32_000;

export interface UploadOutput {
  /** Writes outside the frames. */
  write(bytes: string): void;
  /** Calls `go` when the terminal has read everything written. */
  drained(go: () => void): void;
}

interface Held {
  id: number;
  /** Commands not written yet. */
  left: string[];
  begun: boolean;
}

export class PictureUploads {
  readonly #line: UploadOutput;
  readonly #tmux: boolean;
  readonly #start: number;
  readonly #held = new Map<string, Held>();
  #count = 0;
  #running = false;
  /** Called when a picture was removed to make room. */
  onGone: (key: string) => void = () => {};

  /** `start` should differ between programs in one terminal. */
  constructor(line: UploadOutput, tmux: boolean, start: number) {
    this.#line = line;
    this.#tmux = tmux;
    this.#start = start;
  }

  get length(): number {
    return this.#held.size;
  }

  /** The kitty id of the picture; sends it if the terminal does not have it. */
  idOf(key: string, png: Uint8Array, cells: Cells): number {
    const held = this.#held.get(key);
    if (held) return held.id;
    const id = imageId(this.#start, this.#count++, this.#tmux);
    this.#held.set(key, { id, left: uploadCommands(id, png, cells, this.#tmux), begun: false });
    for (const [oldest, one] of this.#held) {
      if (this.#held.size <= MOST) break;
      // A picture being sent cannot be removed: nothing may come between its pieces.
      if (one.begun && one.left.length > 0) continue;
      this.#held.delete(oldest);
      if (one.begun) this.#line.write(deleteSequence(one.id, this.#tmux));
      this.onGone(oldest);
    }
    this.#go();
    return id;
  }

  /** The bytes that delete all pictures; afterwards they have to be sent again. */
  takeDown(): string {
    let bytes = "";
    const held = [...this.#held.values()].filter(({ begun }) => begun);
    if (held.some(({ left }) => left.length > 0)) bytes += abortCommand(this.#tmux);
    for (const { id } of held) bytes += deleteSequence(id, this.#tmux);
    this.#held.clear();
    return bytes;
  }

  #go(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => this.#piece());
  }

  /** The picture to continue with: one already begun, else the newest. */
  #next(): Held | undefined {
    const waiting = [...this.#held.values()].filter(({ left }) => left.length > 0);
    return waiting.find(({ begun }) => begun) ?? waiting.at(-1);
  }

  #piece(): void {
    let bytes = "";
    for (let one = this.#next(); one && bytes.length < AT_ONCE; one = this.#next()) {
      one.begun = true;
      bytes += one.left.shift()!;
    }
    if (bytes !== "") this.#line.write(bytes);
    if (this.#next()) this.#line.drained(() => this.#piece());
    else this.#running = false;
  }
}
