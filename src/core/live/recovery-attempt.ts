/** One recovery: buffered events, its progress, and the retries of each step (R-REC). */
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { retryWait } from "../../wire/rate-limits.ts";
import type { Message } from "../../wire/entities/message.ts";
import { ApiError } from "../../model/errors.ts";
import type { State } from "../../model/state.ts";
import { delay } from "../base/delay.ts";
import { wait } from "../base/wait.ts";
import type { StateMachine } from "../state/machine.ts";
import type { EventReader } from "./attempts.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import type { Services } from "../http/services.ts";

/** Steps that watch channels. */
const WATCHING: ReadonlySet<string> = new Set(["list", "channels"]);
/** Tries of a failing step. */
const STEP_TRIES = 3;
/** Runs in a row after which a refusal of the channels is final. */
const MAX_REFUSED_RUNS = 5;
/** Longest pause of a step, milliseconds. */
const MAX_STEP_PAUSE = 60_000;

export interface RecoveryDeps extends Pick<Services, "call" | "clock" | "random" | "log"> {
  machine: Pick<StateMachine, "state" | "apply" | "dispatch" | "revision" | "offset">;
  reader: EventReader;
  /** The channel on screen: it is reloaded first. */
  openCid(): string | undefined;
  /** The query of the channel list, repeated so that new channels appear. */
  listQuery(): QueryChannelsBody | undefined;
  /** Takes how far the first recovery has read the list, where a start waits for it. */
  listing?(): ((upTo: number | undefined) => void) | undefined;
  /** Provider time up to which an earlier run received everything. */
  checkpoint?: string | undefined;
  /** Creates a local event with provider time. */
  local(type: string, fields?: Record<string, unknown>): AnyEvent;
}

export class RecoveryAttempt {
  readonly deps: RecoveryDeps;
  /** Channels loaded when the connection was lost: messages may be missing before pages loaded later. */
  readonly loadedAtLoss: State["channels"];
  /** A long-poll session was resumed: the provider has buffered its events. */
  readonly resumed: boolean;
  /** Live events to deliver after the recovery. */
  readonly buffer: AnyEvent[];
  /** Number of buffered events that are older than the reloaded channels. */
  replayed = 0;
  /** Pages loaded backwards, of all channels together. */
  pagesWalked = 0;
  /** Channel → oldest reloaded message, if there are more before it. */
  readonly oldest = new Map<string, Message>();
  /** No step has failed. */
  complete = true;
  /** A step failed that may succeed later. */
  shouldRetry = false;
  readonly #abort = new AbortController();
  /** Failed runs in a row before this one. */
  readonly #failures: number;

  constructor(
    deps: RecoveryDeps,
    heldAtLoss: State["channels"],
    resumed: boolean,
    failures: number,
    buffer: AnyEvent[] = [],
  ) {
    this.deps = deps;
    this.loadedAtLoss = heldAtLoss;
    this.resumed = resumed;
    this.#failures = failures;
    this.buffer = buffer;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Runs a step with retries; undefined when it failed. Throws only when the connection is lost. */
  async step<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    for (let n = 1; ; n++) {
      try {
        const answer = await work();
        if (this.signal.aborted) throw new Error("the link closed");
        return answer;
      } catch (error) {
        if (this.signal.aborted) throw error;
        const api = error instanceof ApiError ? error : undefined;
        this.deps.log.warn("a recovery step failed", { what, try: n, status: api?.status, code: api?.code });
        if ((api && !api.retryable) || n === STEP_TRIES) return this.#giveUp(what, api);
        await wait(this.deps.clock, this.#pause(n, api), this.signal);
        if (this.signal.aborted) throw error;
      }
    }
  }

  #giveUp(what: string, api: ApiError | undefined): undefined {
    this.complete = false;
    // The refusal may come from a connection that was lost already: then a later run succeeds.
    const mayPass = api?.code === INPUT_ERROR && WATCHING.has(what) && this.#failures < MAX_REFUSED_RUNS;
    if (!api || api.retryable || mayPass) this.shouldRetry = true;
  }

  #pause(failures: number, api: ApiError | undefined): number {
    const { clock, random, machine } = this.deps;
    const requested = api?.status === 429 ? retryWait(api, clock.now() + machine.offset()) : undefined;
    return Math.min(MAX_STEP_PAUSE, Math.max(delay(failures, random.float()), requested ?? 0));
  }
}
