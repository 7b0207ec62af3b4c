/** Makes one typed call, with token renewal and the retries that are allowed (specification/wire.md §4, §11; specification/auth.md §4, specification/sending.md §4). */
import { endpoints, type EndpointName, type EndpointRow, type ReplyOf } from "../../wire/endpoints/index.ts";
import { ApiError, LocalError, TransportError } from "../../model/errors.ts";
import type { ApiCall, CallArgs, WriteStep } from "../base/api-types.ts";
import { delay } from "../base/delay.ts";
import type { Clock, Log, Random } from "../base/ports.ts";
import { validateCall } from "../base/validate-call.ts";
import { wait } from "../base/wait.ts";
import { TokenExpired, isServerCall, CallAttempt, type CallAttemptDeps } from "./call-attempt.ts";
import { answersDryRuns } from "./dry-run.ts";
import type { PendingCall, UploadBody } from "./request.ts";
import { SignInNeeded } from "./token.ts";
import { limitedWait } from "../../wire/rate-limits.ts";
import { RatePace } from "./rate-pace.ts";
import { CALLS_PER_USER } from "../../wire/constants.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import { lookUpWrite } from "./look-up.ts";

interface ApiCallerDeps extends CallAttemptDeps {
  clock: Clock;
  random: Random;
  log: Log;
  /** Runs before each call that changes something; a throw prevents it (specification/command-line.md §5). */
  beforeWrite?: WriteStep;
  /** Provider time, milliseconds. */
  now?(): number;
  /** Awaited before a call is sent: the first connection attempt (specification/auth.md §4). */
  ready?(): Promise<void> | undefined;
}

/** How long a call may still wait for its rate limit, milliseconds. */
interface Patience {
  left: number;
}

export interface ApiCaller {
  call: ApiCall;
  /** A call with a multipart body; without a timeout by default (specification/wire.md §4). */
  upload<K extends EndpointName>(name: K, args: CallArgs<K>, upload: UploadBody): Promise<ReplyOf<K>>;
}

/** Calls that change nothing may be repeated, and the channel query, which creates the same channel again. */
const isRepeatable = (row: EndpointRow): boolean => row.safe || row.op === "GetOrCreateChannel";

/** No answer, a broken answer, or an error of the provider. */
const isWorthRepeating = (error: unknown): boolean =>
  (error instanceof TransportError && error.retryable) || (error instanceof ApiError && error.status >= 500);

/** A write that was answered with something that is not JSON: whether it was made is not known. */
const isUnreadWrite = (row: EndpointRow, error: unknown): boolean =>
  !row.safe && error instanceof TransportError && error.kind === "badAnswer";

/** Refused because the connection that should watch is closed. */
function needsConnection(error: unknown, { body, query }: CallArgs<EndpointName>): boolean {
  const { watch, presence } = { ...query, ...body } as { watch?: unknown; presence?: unknown };
  return error instanceof ApiError && error.code === INPUT_ERROR && Boolean(watch ?? presence);
}

/** Throws `LocalError` where a dry run could be taken for the write itself. */
function requireDryRuns({ baseUrl, apiKey }: Pick<ApiCallerDeps, "baseUrl" | "apiKey">): void {
  if (!answersDryRuns(baseUrl(), apiKey)) throw new LocalError("This provider does not answer dry runs");
}

/** How long to wait for the rate limit before the call is repeated; undefined when it is none, or would take too long. */
function rateWait(error: unknown, remaining: number, providerNow: number): number | undefined {
  if (!(error instanceof ApiError) || error.status !== 429) return undefined;
  const ms = limitedWait(error, providerNow);
  return ms <= remaining ? ms : undefined;
}

/** Shorter waits are not mentioned: ms. */
const MENTIONED_WAIT = 1000;

export function createApiCaller(deps: ApiCallerDeps): ApiCaller {
  const { tokens, clock, random, log } = deps;
  const isServer = (call: PendingCall): boolean => isServerCall(call) || tokens.userId === undefined;
  /** The calls that share a rate limit: of one operation, and of one platform. */
  const rateOf = (call: PendingCall): string => `${call.row.op}${isServer(call) ? " server" : ""}`;
  const pace = new RatePace();
  const attempt = new CallAttempt({ ...deps, onRate: (call, limit) => pace.note(rateOf(call), limit) });
  const providerNow = (): number => deps.now?.() ?? clock.now();

  /** One try, and one more with a new token when the first was refused with code 40 (specification/auth.md §8). */
  async function runWithFreshToken(call: PendingCall): Promise<Record<string, unknown>> {
    for (let replay = false; ; replay = true) {
      try {
        return await attempt.run(call);
      } catch (error) {
        if (!(error instanceof TokenExpired)) throw error;
        if (isServer(call) || !tokens.refreshable || replay) throw error.answer;
        try {
          await tokens.refresh(error.token);
        } catch (failure) {
          throw failure instanceof SignInNeeded ? error.answer : failure;
        }
      }
    }
  }

  /** Waits for the rate limit, within the patience of the call. */
  async function pause({ row, args, requestId }: PendingCall, ms: number, patience: Patience): Promise<void> {
    patience.left -= ms;
    if (ms >= MENTIONED_WAIT) args.onPatience?.(ms);
    log.debug("call waits for its rate", { op: row.op, requestId, ms });
    await wait(clock, ms, args.signal);
    if (args.signal?.aborted) throw new TransportError("ERR_CANCELED", "cancelled", requestId);
  }

  /** A patient call waits for its turn, so that it is not refused; the embedded provider counts calls and refuses none. */
  async function runInPace(call: PendingCall, patience: Patience): Promise<Record<string, unknown>> {
    if (patience.left <= 0 || answersDryRuns(deps.baseUrl(), deps.apiKey)) return runWithFreshToken(call);
    const turn = {
      of: rateOf(call),
      perUser: isServer(call) ? Infinity : CALLS_PER_USER,
      now: providerNow,
      pause: async (ms: number) => (ms <= patience.left ? pause(call, ms, patience) : undefined),
    };
    return pace.run(turn, () => runWithFreshToken(call));
  }

  async function perform(
    name: EndpointName,
    args: CallArgs<EndpointName>,
    upload?: UploadBody,
  ): Promise<Record<string, unknown>> {
    validateCall(name, args, tokens.hasSecret);
    const row: EndpointRow = endpoints[name];
    if (args.dry) requireDryRuns(deps);
    else if (!row.safe) await deps.beforeWrite?.(name, args);
    const requestId = random.uuid();
    const call: PendingCall = { name, row, args, requestId, upload };
    const tries = 1 + (isRepeatable(row) ? Math.max(0, args.retries ?? 0) : 0);
    if (!row.open && name !== "getApp" && name !== "longPoll") await deps.ready?.();
    const patience = { left: isRepeatable(row) ? (args.patience ?? 0) : 0 };
    let resent = false;
    let noAnswer: unknown;
    for (let n = 1; ; n++) {
      const connectionId = deps.connectionId();
      try {
        return await runInPace(call, patience);
      } catch (error) {
        // The connection was replaced meanwhile: sent again with the new one, or without watching (specification/realtime.md §8).
        if (!resent && needsConnection(error, args) && deps.connectionId() !== connectionId) {
          resent = true;
          continue;
        }
        const ms = rateWait(error, patience.left, providerNow());
        if (ms !== undefined) {
          n -= 1;
          await pause(call, ms, patience);
          continue;
        }
        // If an earlier try may have arrived, report that one: the last error would say that nothing was sent.
        if (error instanceof TransportError && !error.neverSent) noAnswer = error;
        const reported = error instanceof TransportError ? (noAnswer ?? error) : error;
        if (isUnreadWrite(row, error) && !args.dry) {
          const found = await lookUpWrite(name, args, tokens.userId, apiCall);
          if (found) return found;
        }
        if (n >= tries || !isWorthRepeating(error) || args.signal?.aborted) throw reported;
        log.debug("call repeated", { op: row.op, requestId, failures: n });
        await wait(clock, delay(n, random.float()), args.signal);
        if (args.signal?.aborted) throw new TransportError("ERR_CANCELED", "cancelled", requestId);
      }
    }
  }

  const apiCall: ApiCall = (name, args = {}) =>
    perform(name, args as CallArgs<EndpointName>) as Promise<never>;

  return {
    call: apiCall,
    upload: (name, args, upload) => perform(name, args as CallArgs<EndpointName>, upload) as Promise<never>,
  };
}
