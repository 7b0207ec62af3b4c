/** What a step of the check of a provider works with: the clients, what was made, and the events so far. */
import type { CallArgs, Core } from "../../../../core/core.ts";
import { endpoints, type EndpointName, type ReplyOf } from "../../../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../../../wire/events.ts";
import { ApiError } from "../../../../model/errors.ts";
import { isOutcomeUnknown } from "../../../../wire/errors.ts";
import { makeCid } from "../../../../wire/ids.ts";
import { limitedWait } from "../../../../wire/rate-limits.ts";
import { sleep } from "../../../../commands/base/poll-task.ts";

/** How long a step waits for an answer, for an event, and for what is written to be found; ms. */
const ANSWER_MS = 20_000;
const EVENT_MS = 5000;
const LOOK_AGAIN_MS = 50;

/** What the uploaded file holds. */
export const FILE_TEXT = "a test of parley profile test --full\n";

/** The provider answered otherwise than its documentation says. */
export class Difference extends Error {}

/** The provider has no such call. */
export class Absence extends Error {}

/** The step cannot run, for this reason. */
export class Skip extends Error {}

/** Throws `Difference` unless it is so. */
export function agree(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Difference(otherwise);
}

/** `what` names for the user what could not be removed. */
type Undo = [what: string, undo: () => Promise<unknown>];

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && !isOutcomeUnknown(error.status);

/** How long calls wait that are refused for their rate. */
export interface Patience {
  /** For each call, ms. */
  patience: number;
  onPatience(ms: number): void;
  /** The provider's time, ms. */
  now(): number;
}

/** Makes calls in the pace that the provider allows: one that is refused for its rate did nothing, so each may be repeated. */
export class CheckPace {
  readonly #limits: Patience;

  constructor(limits: Patience) {
    this.#limits = limits;
  }

  async run<T>(call: () => Promise<T>, signal = new AbortController().signal): Promise<T> {
    const { patience, onPatience, now } = this.#limits;
    for (let left = patience; ;) {
      try {
        return await call();
      } catch (error) {
        // A refused upload names the refusal as its cause.
        const refusal = error instanceof ApiError ? error : (error as Error).cause;
        const isLimited = refusal instanceof ApiError && refusal.status === 429;
        const ms = isLimited ? limitedWait(refusal, now()) : Infinity;
        if (ms > left) throw error;
        left -= ms;
        onPatience(ms);
        await sleep(ms, signal);
      }
    }
  }
}

/** What was made or opened, to be undone in the opposite order. */
export class Made {
  readonly #undo: Undo[] = [];
  readonly #pace: CheckPace;

  constructor(pace: CheckPace) {
    this.#pace = pace;
  }

  add(what: string, undo: () => Promise<unknown>): void {
    this.#undo.push([what, undo]);
  }

  /** Makes something. Registered before: the call may make it and be answered otherwise. What was refused was not made. */
  async making<T>(what: string, undo: () => Promise<unknown>, make: () => Promise<T>): Promise<T> {
    const entry: Undo = [what, undo];
    this.#undo.push(entry);
    try {
      return await this.#pace.run(make);
    } catch (error) {
      if (isRefusal(error)) this.undone(undo);
      throw error;
    }
  }

  /** The step itself has undone it. */
  undone(undo: Undo[1]): void {
    const at = this.#undo.findIndex(([, known]) => known === undo);
    if (at >= 0) this.#undo.splice(at, 1);
  }

  /** Undoes all; resolves to what is left behind. */
  async remove(): Promise<string[]> {
    const left: string[] = [];
    for (const [what, undo] of this.#undo.toReversed())
      await this.#pace.run(undo).catch(() => void left.push(what));
    return left;
  }
}

export class Probe {
  /** The client of the user who is checked. */
  readonly user: Core;
  readonly signal: AbortSignal;
  /** Makes ids and words that nothing else has. */
  readonly random: string;
  /** A file with `FILE_TEXT`. */
  readonly file: string;
  readonly made: Made;
  readonly pace: CheckPace;
  /** The client of the app, if there is a secret. */
  readonly server: Core | undefined;
  /** The client of a second person, if the check has made one. */
  readonly other: Core | undefined;
  /** The channel of the check, once it is made. */
  #channel: { type: string; id: string } | undefined;
  #message: string | undefined;
  isConnected = false;
  readonly #events: AnyEvent[] = [];
  /** Operations that were called for the current step; the client makes others by itself. */
  readonly #called = new Set<string>();

  constructor(
    parts: Pick<Probe, "user" | "signal" | "random" | "file" | "made" | "pace" | "server" | "other">,
  ) {
    const { user } = parts;
    this.user = user;
    this.signal = parts.signal;
    this.random = parts.random;
    this.file = parts.file;
    this.made = parts.made;
    this.pace = parts.pace;
    this.server = parts.server;
    this.other = parts.other;
    user.on("all", (event) => void this.#events.push(event));
    user.use({ called: ({ name }) => void this.#called.add(endpoints[name].op) });
  }

  get me(): string {
    if (this.user.userId === undefined) throw new Skip("there is no user");
    return this.user.userId;
  }

  get channel(): { type: string; id: string } {
    if (!this.#channel) throw new Skip("no channel was made");
    return this.#channel;
  }
  set channel(made: { type: string; id: string }) {
    this.#channel = made;
  }
  get cid(): string {
    return makeCid(this.channel.type, this.channel.id);
  }

  /** The id of the first message of the check. */
  get message(): string {
    if (this.#message === undefined) throw new Skip("no message was sent");
    return this.#message;
  }
  set message(id: string) {
    this.#message = id;
  }

  /** A step begins: what it calls is its own from now on. */
  begin(): void {
    this.#called.clear();
  }
  /** Whether an oddity is of a call of the current step, or of an event. */
  isOfStep(field: string): boolean {
    const [of = ""] = field.split(" ");
    return of.includes(".") || this.#called.has(of);
  }

  /** One call of the user, or of another client. */
  call<K extends EndpointName>(name: K, args: CallArgs<K> = {}, as: Core = this.user): Promise<ReplyOf<K>> {
    const { signal } = this;
    return this.pace.run(() => as.call(name, { timeout: ANSWER_MS, ...args, signal }), signal);
  }

  /** Repeats a look until it succeeds or the time of an event is over. */
  async soon(is: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
    for (const until = performance.now() + EVENT_MS; !(await is());) {
      agree(performance.now() < until, otherwise);
      await sleep(LOOK_AGAIN_MS, this.signal);
    }
  }

  /** Waits for an event about the channel of the check. */
  async hears(type: string, matches: (event: AnyEvent) => boolean = () => true): Promise<void> {
    if (!this.isConnected) throw new Skip("there is no live connection");
    await this.soon(
      () => this.#events.some((event) => event.type === type && event.cid === this.cid && matches(event)),
      `the event ${type} did not arrive within ${EVENT_MS / 1000} s`,
    );
  }
}
