/** The pool of reading threads: at most two, each user on one of them at a time, replaced when one hangs. */
import { Worker } from "node:worker_threads";
import { ApiProblem, type RouteCall } from "../base/handler.ts";
import { LONG, TooLong } from "../store/budget.ts";
import { deserializedError, faultOf } from "./faults.ts";
import type { Answer, Job, WatchQuestion, Result, Start, Watching } from "./job.ts";

const THREADS = 2;
/** Answers are short-lived: a young space that may grow would keep what it took. */
const YOUNG_MIB = 3;
/** Calls that wait for a thread; beyond them one is refused at once. */
const QUEUE = 200;
/** A thread that has not answered by then is ended: it is inside SQLite and hears nothing. */
const LAST_WORD_MS = LONG.ms * 4;
/** A thread that nobody has asked for so long is ended: it holds some 30 MiB. */
const IDLE_MS = 60_000;
/** A call waits this long for a thread. */
const WAIT_MS = LONG.ms * 4;

interface Reading {
  job: Omit<Job, "id" | "now" | "spent" | "online">;
  /** When the call began, by `performance.now()`. */
  start: number;
  /** Answers a question of the thread: who watches, after the call's connection does where it is asked. */
  watching(question: WatchQuestion): Record<string, Watching>;
}

export interface ReaderReply {
  json: Uint8Array;
  /** Users whose presence the call's connection is to be told. */
  presence: readonly string[];
}

interface Waiting {
  reading: Reading;
  key: string;
  since: number;
  resolve(read: ReaderReply): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  flag: Int32Array;
  at: (Waiting & { id: number; timer: NodeJS.Timeout }) | undefined;
  /** Ends it when nobody asks. */
  idle: NodeJS.Timeout | undefined;
}

export class Readers {
  readonly #start: Omit<Start, "flag">;
  readonly #file: URL;
  readonly #now: () => number;
  readonly #online: () => string[];
  readonly #threads: Thread[] = [];
  #waiting: Waiting[] = [];
  #ids = 0;
  #closed = false;

  readonly #lastWord: number;
  readonly #idleFor: number;

  /** `file`: what a thread runs; `lastWord` and `idleFor` in milliseconds. */
  constructor(
    file: URL,
    start: Omit<Start, "flag">,
    now: () => number,
    online: () => string[],
    { lastWord = LAST_WORD_MS, idleFor = IDLE_MS } = {},
  ) {
    this.#file = file;
    this.#lastWord = lastWord;
    this.#idleFor = idleFor;
    this.#start = start;
    this.#now = now;
    this.#online = online;
  }

  /** Answers with the JSON text of the reply. Rejects with what the handler threw, or code 23 when it took too long. */
  ask(reading: Reading): Promise<ReaderReply> {
    const { caller } = reading.job.call;
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#waiting.length >= QUEUE) return reject(new TooLong("time"));
      const key = caller.userId ?? caller.kind;
      this.#waiting.push({ reading, key, since: performance.now(), resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const one of this.#waiting.splice(0)) one.reject(ApiProblem.timedOut("the provider is stopping"));
    const ended = this.#threads.splice(0).map((thread) => this.#end(thread, "the provider is stopping"));
    await Promise.all(ended);
  }

  /** Gives what waits to a thread: of whoever has none at work yet, in the order they came. */
  #next(): void {
    const late = performance.now() - WAIT_MS;
    for (const one of this.#waiting.filter(({ since }) => since < late)) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.reject(new TooLong("time"));
    }
    const busy = new Set(this.#threads.map(({ at }) => at?.key));
    const one = this.#waiting.find(({ key }) => !busy.has(key));
    const thread = one && (this.#threads.find(({ at }) => !at) ?? this.#open());
    if (!one || !thread) return;
    this.#waiting.splice(this.#waiting.indexOf(one), 1);
    this.#give(thread, one);
    this.#next();
  }

  #give(thread: Thread, one: Waiting): void {
    const id = ++this.#ids;
    clearTimeout(thread.idle);
    const timer = setTimeout(() => void this.#drop(thread), this.#lastWord);
    timer.unref();
    thread.at = { ...one, id, timer };
    const { job, start } = one.reading;
    thread.worker.postMessage({
      ...job,
      id,
      now: this.#now(),
      online: this.#online(),
      spent: performance.now() - start,
    } satisfies Job);
  }

  #open(): Thread | undefined {
    if (this.#threads.length >= THREADS || this.#closed) return undefined;
    const flag = new SharedArrayBuffer(4);
    const file = this.#file;
    const worker = new Worker(file, {
      workerData: { ...this.#start, flag } satisfies Start,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    // The thread alone must not keep the process alive; a call that waits for it does.
    worker.unref();
    const thread: Thread = { worker, flag: new Int32Array(flag), at: undefined, idle: undefined };
    worker.on("message", (result: Result) => this.#heard(thread, result));
    worker.on("error", (error) => this.#gone(thread, error));
    worker.on("exit", () => this.#gone(thread, new Error("a reading thread ended")));
    this.#threads.push(thread);
    return thread;
  }

  #heard(thread: Thread, result: Result): void {
    const { at } = thread;
    if (at?.id !== result.id) return;
    if (result.kind === "asks") return this.#reply(thread, at, result.question);
    clearTimeout(at.timer);
    thread.at = undefined;
    if (result.kind === "answer") at.resolve(result);
    else at.reject(deserializedError(result.fault));
    this.#next();
    if (!thread.at) this.#rest(thread);
  }

  #rest(thread: Thread): void {
    thread.idle = setTimeout(() => void this.#end(thread, undefined), this.#idleFor);
    thread.idle.unref();
  }

  #reply(thread: Thread, { reading }: Waiting, question: WatchQuestion): void {
    let answer: Answer;
    try {
      answer = { ok: true, watching: reading.watching(question) };
    } catch (error) {
      answer = { ok: false, fault: faultOf(error) };
    }
    thread.worker.postMessage(answer);
    Atomics.store(thread.flag, 0, 1);
    Atomics.notify(thread.flag, 0);
  }

  /** A thread that does not answer: the call is told so at once, another thread takes its place. */
  #drop(thread: Thread): void {
    void this.#end(thread, undefined);
    this.#next();
  }

  #gone(thread: Thread, error: Error): void {
    const known = this.#threads.indexOf(thread);
    if (known >= 0) this.#threads.splice(known, 1);
    clearTimeout(thread.idle);
    if (thread.at) clearTimeout(thread.at.timer);
    thread.at?.reject(error);
    thread.at = undefined;
    if (known >= 0) this.#next();
  }

  async #end(thread: Thread, why: string | undefined): Promise<void> {
    this.#gone(thread, why === undefined ? new TooLong("time") : ApiProblem.timedOut(why));
    await thread.worker.terminate();
  }
}

/** What of a call travels. */
export const jobCall = ({
  name,
  op,
  path,
  query,
  body,
  connectionId,
  requestId,
  caller,
}: RouteCall): Job["call"] => ({
  name,
  op,
  path,
  query,
  body,
  connectionId,
  requestId,
  caller,
});
