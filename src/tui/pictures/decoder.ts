/** Decodes pictures on a worker thread, the latest request first; a thread that takes too long is replaced. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Animation, Decoded, Refused, DecodeRequest } from "./decoding.ts";

/** Time limit for a picture, and idle time before the thread ends (ms). */
const DECODE_TIMEOUT_MS = 5000;
const IDLE_TIMEOUT_MS = 10_000;
/** Older requests beyond this number are skipped: their pictures have scrolled out of view. */
const MAX_WAITING = 24;

/** The worker's file: beside this one in the sources, a separate entry in the bundle. */
function threadFile(): URL {
  const source = new URL("decoding-thread.ts", import.meta.url);
  return existsSync(fileURLToPath(source)) ? source : new URL("../pictures.js", import.meta.url);
}

/** What the thread is sent. */
export interface DecodeTask {
  request: DecodeRequest;
  /** All frames of a moving picture. */
  moving?: true;
}

interface Waiting {
  task: DecodeTask;
  /** Undefined = the request was skipped. */
  resolve(answer: Answer | undefined): void;
}

type Answer = Decoded | Animation | Refused;

interface Limits {
  timeoutMs: number;
  idleMs: number;
}

export class Decoder {
  readonly #limits: Limits;
  #thread: Worker | undefined;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: Waiting[] = [];

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { timeoutMs: DECODE_TIMEOUT_MS, idleMs: IDLE_TIMEOUT_MS, ...limits };
  }

  /** Whether the thread is running, for tests and the debug line. */
  get running(): boolean {
    return this.#thread !== undefined;
  }

  decode(request: DecodeRequest): Promise<Decoded | Refused | undefined> {
    return this.#request({ request }) as Promise<Decoded | Refused | undefined>;
  }

  /** The frames of a moving picture; anything else is refused. */
  animate(request: DecodeRequest): Promise<Animation | Refused | undefined> {
    return this.#request({ request, moving: true }) as Promise<Animation | Refused | undefined>;
  }

  #request(task: DecodeTask): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ task, resolve });
      if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()!.resolve(undefined);
      this.#next();
    });
  }

  close(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
    this.#endThread(undefined);
  }

  #next(): void {
    if (this.#current) return;
    const next = this.#waiting.pop();
    clearTimeout(this.#timer);
    if (next) {
      this.#current = next;
      this.#openThread().postMessage(next.task);
    }
    if (!this.#thread) return;
    this.#timer = next
      ? setTimeout(() => this.#endThread({ kind: "refused", why: "time" }), this.#limits.timeoutMs)
      : setTimeout(() => this.#endThread(undefined), this.#limits.idleMs);
    this.#timer.unref();
  }

  #openThread(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(threadFile(), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // The GIF library writes warnings, which would be drawn over the screen.
      stdout: true,
    });
    // It does not keep the process alive.
    thread.unref();
    thread.on("message", (answer: Answer) => thread === this.#thread && this.#answer(answer));
    const failed = (): void => {
      if (thread === this.#thread) this.#endThread({ kind: "refused", why: "damaged" });
    };
    thread.on("error", failed);
    thread.on("exit", failed);
    return (this.#thread = thread);
  }

  #answer(answer: Answer | undefined): void {
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(answer);
    this.#next();
  }

  /** Ends the thread; the current request is resolved with `answer`. */
  #endThread(answer: Refused | undefined): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
    if (this.#current) this.#answer(answer);
  }
}
