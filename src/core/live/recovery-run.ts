/** One recovery: events buffered until its end, what it has learned so far, and the attempts of each step (R-REC). */
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { askedWait } from "../../wire/rate-limits.ts";
import type { Message } from "../../wire/entities/message.ts";
import { ApiError } from "../../model/errors.ts";
import type { State } from "../../model/state.ts";
import { delay } from "../base/delay.ts";
import { wait } from "../base/wait.ts";
import type { StateMachine } from "../state/machine.ts";
import type { EventReader } from "./connection-attempt.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import type { Services } from "../http/services.ts";

/** Steps that ask to watch. */
const WATCHING: ReadonlySet<string> = new Set(["list", "channels"]);
/** Tries of one failing step. */
const STEP_TRIES = 3;
/** Runs in a row after which a refusal of the channels is believed. */
const REFUSED_RUNS = 5;
/** Milliseconds a rate limit may hold a step up. */
const LONGEST_PAUSE = 60_000;

export interface RecoveryDeps extends Pick<Services, "call" | "clock" | "random" | "log"> {
  machine: Pick<StateMachine, "state" | "apply" | "dispatch" | "revision" | "offset">;
  reader: EventReader;
  /** The channel on screen: it comes first. */
  openCid(): string | undefined;
  /** The query of the channel list, asked again so that new channels appear. */
  listQuery(): QueryChannelsBody | undefined;
  /** Provider time up to which everything was seen, kept from an earlier run. */
  checkpoint?: string | undefined;
  /** A local event, with provider time. */
  local(type: string, fields?: Record<string, unknown>): AnyEvent;
}

export class RecoveryRun {
  readonly deps: RecoveryDeps;
  /** What was held when news stopped coming: a page that came later on says nothing about what is missing before it. */
  readonly heldAtLoss: State["channels"];
  /** A session goes on: its news have been gathered all the time. */
  readonly resumed: boolean;
  /** Live events that are held back. */
  readonly buffer: AnyEvent[];
  /** So many of them waited at the provider and are older than the snapshots. */
  early = 0;
  /** Pages walked back, of all channels together. */
  walked = 0;
  /** Oldest message told anew of each channel that has more before it. */
  readonly oldest = new Map<string, Message>();
  /** No step has failed for good. */
  complete = true;
  /** A step failed that may succeed later. */
  again = false;
  readonly #abort = new AbortController();
  /** Runs in a row before this one whose steps failed. */
  readonly #failures: number;

  constructor(
    deps: RecoveryDeps,
    heldAtLoss: State["channels"],
    resumed: boolean,
    failures: number,
    buffer: AnyEvent[] = [],
  ) {
    this.deps = deps;
    this.heldAtLoss = heldAtLoss;
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

  /** Tries one step alone a few times; undefined when it failed for good. Throws only when the link is gone. */
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
    // The connection that was to watch may have been gone already: that refusal passes with it.
    const passes = api?.code === INPUT_ERROR && WATCHING.has(what) && this.#failures < REFUSED_RUNS;
    if (!api || api.retryable || passes) this.again = true;
  }

  #pause(failures: number, api: ApiError | undefined): number {
    const { clock, random, machine } = this.deps;
    const asked = api?.status === 429 ? askedWait(api, clock.now() + machine.offset()) : undefined;
    return Math.min(LONGEST_PAUSE, Math.max(delay(failures, random.float()), asked ?? 0));
  }
}
