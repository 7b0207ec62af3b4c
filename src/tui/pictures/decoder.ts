/** Decodes pictures on a thread, the latest request first; a thread that takes too long is replaced. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Decoded, Refused, DecodeRequest } from "./decoding.ts";

/** Milliseconds a picture may take, and that the thread waits for another one. */
const LONGEST_MS = 5000;
const IDLE_MS = 10_000;
/** More that wait than this have scrolled by. */
const MOST_WAITING = 24;

/** From the sources it is a file beside this one, in the bundle an entry of its own. */
function threadFile(): URL {
  const beside = new URL("decoding-thread.ts", import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL("../pictures.js", import.meta.url);
}

interface Waiting {
  request: DecodeRequest;
  /** Undefined: it was never looked at. */
  resolve(answer: Decoded | Refused | undefined): void;
}

interface Limits {
  longestMs: number;
  idleMs: number;
}

export class Decoder {
  readonly #limits: Limits;
  #thread: Worker | undefined;
  #at: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: Waiting[] = [];

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { longestMs: LONGEST_MS, idleMs: IDLE_MS, ...limits };
  }

  /** The thread stands, for tests and the debug line. */
  get running(): boolean {
    return this.#thread !== undefined;
  }

  decode(request: DecodeRequest): Promise<Decoded | Refused | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ request, resolve });
      if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()!.resolve(undefined);
      this.#next();
    });
  }

  close(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
    this.#end(undefined);
  }

  #next(): void {
    if (this.#at) return;
    const next = this.#waiting.pop();
    clearTimeout(this.#timer);
    if (next) {
      this.#at = next;
      this.#open().postMessage(next.request);
    }
    if (!this.#thread) return;
    this.#timer = next
      ? setTimeout(() => this.#end({ kind: "refused", why: "time" }), this.#limits.longestMs)
      : setTimeout(() => this.#end(undefined), this.#limits.idleMs);
    this.#timer.unref();
  }

  #open(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(threadFile(), { resourceLimits: { maxOldGenerationSizeMb: 256 } });
    // It never keeps the program.
    thread.unref();
    thread.on("message", (answer: Decoded | Refused) => thread === this.#thread && this.#answer(answer));
    const gone = (): void => {
      if (thread === this.#thread) this.#end({ kind: "refused", why: "damaged" });
    };
    thread.on("error", gone);
    thread.on("exit", gone);
    return (this.#thread = thread);
  }

  #answer(answer: Decoded | Refused | undefined): void {
    const at = this.#at;
    this.#at = undefined;
    at?.resolve(answer);
    this.#next();
  }

  /** The thread goes; what it was at gets this answer. */
  #end(answer: Refused | undefined): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
    if (this.#at) this.#answer(answer);
  }
}
