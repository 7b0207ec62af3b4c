/** The pool of reading threads: at most two, one call per user at a time; a thread that hangs is replaced. */
import { Worker } from "node:worker_threads";
import { ApiProblem, type RouteCall } from "../base/handler.ts";
import { FULL_BUDGET, BudgetExceeded } from "../store/budget.ts";
import { deserializeError, serializeError } from "./thread-errors.ts";
import type { WatchAnswer, Job, WatchQuestion, ThreadMessage, ThreadOptions, WatcherInfo } from "./job.ts";

const THREADS = 2;
/** Limit of the young generation: answers are short-lived, and a space that grew would not shrink again. */
const YOUNG_MIB = 3;
/** Most calls that wait for a thread; further ones are refused at once. */
const QUEUE = 200;
/** A running thread that has not answered after this long is terminated: it is stuck inside SQLite. */
const STUCK_MS = FULL_BUDGET.ms * 4;
/** A new thread loads its code first, which says nothing about the call and takes long on a busy machine. */
const START_MS = 60_000;
/** A thread that was idle this long is terminated, because it takes some 30 MiB. */
const IDLE_MS = 60_000;
const WAIT_MS = FULL_BUDGET.ms * 4;

interface ReadRequest {
  job: Omit<Job, "id" | "now" | "elapsed" | "online">;
  /** When the call began, by `performance.now()`. */
  start: number;
  /** Answers who watches; with `question.watch`, the call's connection starts watching first. */
  watchers(question: WatchQuestion): Record<string, WatcherInfo>;
}

export interface ReaderReply {
  json: Uint8Array;
  /** Users whose presence the call's connection subscribes to. */
  presence: readonly string[];
}

interface QueuedRead {
  request: ReadRequest;
  key: string;
  queuedAt: number;
  resolve(read: ReaderReply): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  flag: Int32Array;
  /** Its code is loaded. */
  isReady: boolean;
  current: (QueuedRead & { id: number; timer: NodeJS.Timeout }) | undefined;
  idle: NodeJS.Timeout | undefined;
}

export class Readers {
  readonly #start: Omit<ThreadOptions, "flag">;
  readonly #file: URL;
  readonly #now: () => number;
  readonly #online: () => string[];
  readonly #threads: Thread[] = [];
  #queue: QueuedRead[] = [];
  #lastId = 0;
  #closed = false;

  readonly #stuckAfter: number;
  readonly #idleFor: number;

  /** `file`: the code of a thread; `stuckAfter` and `idleFor` in milliseconds. */
  constructor(
    file: URL,
    start: Omit<ThreadOptions, "flag">,
    now: () => number,
    online: () => string[],
    { stuckAfter = STUCK_MS, idleFor = IDLE_MS } = {},
  ) {
    this.#file = file;
    this.#stuckAfter = stuckAfter;
    this.#idleFor = idleFor;
    this.#start = start;
    this.#now = now;
    this.#online = online;
  }

  /** Resolves to the JSON of the reply. Rejects with the handler's error, or code 23 when it took too long. */
  read(request: ReadRequest): Promise<ReaderReply> {
    const { caller } = request.job.call;
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#queue.length >= QUEUE) return reject(new BudgetExceeded("time"));
      const key = caller.userId ?? caller.kind;
      this.#queue.push({ request, key, queuedAt: performance.now(), resolve, reject });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const read of this.#queue.splice(0)) read.reject(ApiProblem.timedOut("the provider is stopping"));
    const ended = this.#threads.splice(0).map((thread) => this.#end(thread, "the provider is stopping"));
    await Promise.all(ended);
  }

  /** Assigns waiting calls to threads in order, skipping users whose call is running already. */
  #assign(): void {
    // While all threads still start, nobody waits because of another call.
    const isWaiting = this.#threads.some(({ isReady }) => isReady);
    const oldest = isWaiting ? performance.now() - WAIT_MS : 0;
    for (const read of this.#queue.filter(({ queuedAt }) => queuedAt < oldest)) {
      this.#queue.splice(this.#queue.indexOf(read), 1);
      read.reject(new BudgetExceeded("time"));
    }
    const busy = new Set(this.#threads.map(({ current }) => current?.key));
    const read = this.#queue.find(({ key }) => !busy.has(key));
    const thread = read && (this.#threads.find(({ current }) => !current) ?? this.#open());
    if (!read || !thread) return;
    this.#queue.splice(this.#queue.indexOf(read), 1);
    this.#send(thread, read);
    this.#assign();
  }

  #send(thread: Thread, read: QueuedRead): void {
    const id = ++this.#lastId;
    clearTimeout(thread.idle);
    thread.current = { ...read, id, timer: this.#startTimer(thread) };
    const { job, start } = read.request;
    thread.worker.postMessage({
      ...job,
      id,
      now: this.#now(),
      online: this.#online(),
      elapsed: performance.now() - start,
    } satisfies Job);
  }

  /** Ends the thread if it does not answer, or does not start, in time. */
  #startTimer(thread: Thread): NodeJS.Timeout {
    const limit = thread.isReady ? this.#stuckAfter : START_MS;
    return setTimeout(() => void this.#end(thread, undefined), limit).unref();
  }

  #open(): Thread | undefined {
    if (this.#threads.length >= THREADS || this.#closed) return undefined;
    const flag = new SharedArrayBuffer(4);
    const file = this.#file;
    const worker = new Worker(file, {
      workerData: { ...this.#start, flag } satisfies ThreadOptions,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    // The thread must not keep the process alive; a call that waits for it does.
    worker.unref();
    const thread: Thread = {
      worker,
      flag: new Int32Array(flag),
      isReady: false,
      current: undefined,
      idle: undefined,
    };
    worker.on("message", (message: ThreadMessage) => this.#onMessage(thread, message));
    worker.on("error", (error) => this.#remove(thread, error));
    worker.on("exit", () => this.#remove(thread, new Error("a reading thread ended")));
    this.#threads.push(thread);
    return thread;
  }

  #onMessage(thread: Thread, message: ThreadMessage): void {
    const { current } = thread;
    if (message.kind === "ready") {
      thread.isReady = true;
      if (!current) return;
      clearTimeout(current.timer);
      current.timer = this.#startTimer(thread);
      return;
    }
    if (current?.id !== message.id) return;
    if (message.kind === "question") return this.#reply(thread, current, message.question);
    clearTimeout(current.timer);
    thread.current = undefined;
    if (message.kind === "answer") current.resolve(message);
    else current.reject(deserializeError(message.fault));
    this.#assign();
    if (!thread.current) this.#startIdleTimer(thread);
  }

  #startIdleTimer(thread: Thread): void {
    thread.idle = setTimeout(() => void this.#end(thread, undefined), this.#idleFor);
    thread.idle.unref();
  }

  #reply(thread: Thread, { request }: QueuedRead, question: WatchQuestion): void {
    let answer: WatchAnswer;
    try {
      answer = { ok: true, watchers: request.watchers(question) };
    } catch (error) {
      answer = { ok: false, fault: serializeError(error) };
    }
    thread.worker.postMessage(answer);
    Atomics.store(thread.flag, 0, 1);
    Atomics.notify(thread.flag, 0);
  }

  #remove(thread: Thread, error: Error): void {
    const index = this.#threads.indexOf(thread);
    if (index >= 0) this.#threads.splice(index, 1);
    clearTimeout(thread.idle);
    if (thread.current) clearTimeout(thread.current.timer);
    thread.current?.reject(error);
    thread.current = undefined;
    if (index >= 0) this.#assign();
  }

  async #end(thread: Thread, reason: string | undefined): Promise<void> {
    this.#remove(thread, reason === undefined ? new BudgetExceeded("time") : ApiProblem.timedOut(reason));
    await thread.worker.terminate();
  }
}

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
