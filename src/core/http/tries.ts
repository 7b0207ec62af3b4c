/** One try of a call: in the pace of the provider's limits, and with a new token where the old one has expired (specification/errors.md §5, specification/auth.md §8). */
import { TransportError } from "../../model/errors.ts";
import { CALLS_PER_USER } from "../../wire/constants.ts";
import type { Clock, Log } from "../base/ports.ts";
import { wait } from "../base/wait.ts";
import { CallAttempt, TokenExpired, isServerCall, type CallAttemptDeps } from "./call-attempt.ts";
import { answersDryRuns } from "./dry-run.ts";
import { rateLimitOf } from "../../wire/rate-limits.ts";
import type { AnsweredHeaders } from "./answered-limits.ts";
import { RatePace } from "./rate-pace.ts";
import type { PendingCall } from "./request.ts";
import { SignInNeeded } from "./token.ts";

export interface TriesDeps extends CallAttemptDeps {
  clock: Clock;
  log: Log;
  /** Provider time, milliseconds. */
  now?(): number;
}

/** How long a call may still wait for its rate limit, milliseconds. */
interface Patience {
  left: number;
}

/** Shorter waits are not mentioned: ms. */
const MENTIONED_WAIT = 1000;

export class Tries {
  readonly #deps: TriesDeps;
  readonly #attempt: CallAttempt;
  readonly #answered: AnsweredHeaders;
  readonly #pace = new RatePace();

  constructor(deps: TriesDeps) {
    this.#deps = deps;
    this.#answered = deps.answered ?? new Map();
    this.#attempt = new CallAttempt({ ...deps, answered: this.#answered });
  }

  /** A patient call waits for its turn, so that it is not refused; the embedded provider counts calls and refuses none. */
  async run(call: PendingCall, patience: Patience): Promise<Record<string, unknown>> {
    const { baseUrl, apiKey, clock, now = () => clock.now() } = this.#deps;
    if (patience.left <= 0 || answersDryRuns(baseUrl(), apiKey)) return this.#runWithFreshToken(call);
    const turn = {
      of: this.#rateOf(call),
      perUser: this.#isServer(call) ? Infinity : CALLS_PER_USER,
      now,
      pause: async (ms: number) => (ms <= patience.left ? this.pause(call, ms, patience) : undefined),
    };
    return this.#pace.run(turn, () => this.#runWithFreshToken(call).finally(() => this.#notePace(call)));
  }

  #notePace(call: PendingCall): void {
    const limit = rateLimitOf(this.#answered.get(call.row.op) ?? {});
    if (limit) this.#pace.note(this.#rateOf(call), limit);
  }

  /** Waits for the rate limit, which takes from the patience. Throws ERR_CANCELED. */
  async pause({ row, args, requestId }: PendingCall, ms: number, patience: Patience): Promise<void> {
    const { clock, log } = this.#deps;
    patience.left -= ms;
    if (ms >= MENTIONED_WAIT) args.onPatience?.(ms);
    log.debug("call waits for its rate", { op: row.op, requestId, ms });
    await wait(clock, ms, args.signal);
    if (args.signal?.aborted) throw new TransportError("ERR_CANCELED", "cancelled", requestId);
  }

  /** One attempt, and one more with a new token when the first was refused with code 40. */
  async #runWithFreshToken(call: PendingCall): Promise<Record<string, unknown>> {
    const { tokens } = this.#deps;
    for (let replay = false; ; replay = true) {
      try {
        return await this.#attempt.run(call);
      } catch (error) {
        if (!(error instanceof TokenExpired)) throw error;
        if (this.#isServer(call) || !tokens.refreshable || replay) throw error.answer;
        try {
          await tokens.refresh(error.token);
        } catch (failure) {
          throw failure instanceof SignInNeeded ? error.answer : failure;
        }
      }
    }
  }

  #isServer(call: PendingCall): boolean {
    return isServerCall(call) || this.#deps.tokens.userId === undefined;
  }

  /** The calls that share a rate limit: of one operation, and of one platform. */
  #rateOf(call: PendingCall): string {
    return `${call.row.op}${this.#isServer(call) ? " server" : ""}`;
  }
}
