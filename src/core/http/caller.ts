/** Makes one typed call, with the retries that are allowed (specification/wire.md §4, §11; specification/auth.md §4, specification/sending.md §4). */
import { endpoints, type EndpointName, type EndpointRow, type ReplyOf } from "../../wire/endpoints/index.ts";
import { ApiError, LocalError, TransportError } from "../../model/errors.ts";
import { wasTooMuch } from "../../model/page-size.ts";
import type { ApiCall, CallArgs, WriteStep } from "../base/api-types.ts";
import { delay } from "../base/delay.ts";
import type { Random } from "../base/ports.ts";
import { validateCall } from "../base/validate-call.ts";
import { wait } from "../base/wait.ts";
import { answersDryRuns } from "./dry-run.ts";
import type { PendingCall, UploadBody } from "./request.ts";
import { limitedWait } from "../../wire/rate-limits.ts";
import { Tries, type TriesDeps } from "./tries.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import { lookUpWrite } from "./look-up.ts";

interface ApiCallerDeps extends TriesDeps {
  random: Random;
  /** Runs before each call that changes something; a throw prevents it (specification/command-line.md §5). */
  beforeWrite?: WriteStep;
  /** Awaited before a call is sent: the first connection attempt (specification/auth.md §4). */
  ready?(): Promise<void> | undefined;
}

export interface ApiCaller {
  call: ApiCall;
  /** A call with a multipart body; without a timeout by default (specification/wire.md §4). */
  upload<K extends EndpointName>(name: K, args: CallArgs<K>, upload: UploadBody): Promise<ReplyOf<K>>;
}

/** Calls that change nothing may be repeated, and the channel query, which creates the same channel again. */
const isRepeatable = (row: EndpointRow): boolean => row.safe || row.op === "GetOrCreateChannel";

/** No answer, a broken answer, or an error of the provider; whoever can ask for less does so at once. */
const isWorthRepeating = (error: unknown, { shrinks }: CallArgs<EndpointName>): boolean =>
  !(shrinks && wasTooMuch(error)) &&
  ((error instanceof TransportError && error.retryable) ||
    (error instanceof ApiError && error.status >= 500));

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

/** How long to wait for the rate limit before the call is repeated, which was not made then, whatever it changes; undefined when it is none, or would take too long. */
function rateWait(error: unknown, remaining: number, providerNow: number): number | undefined {
  if (!(error instanceof ApiError) || error.status !== 429) return undefined;
  const ms = limitedWait(error, providerNow);
  return ms <= remaining ? ms : undefined;
}

export function createApiCaller(deps: ApiCallerDeps): ApiCaller {
  const tries = new Tries(deps);
  const { tokens, clock, random, log } = deps;
  const providerNow = (): number => deps.now?.() ?? clock.now();

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
    const most = 1 + (isRepeatable(row) ? Math.max(0, args.retries ?? 0) : 0);
    if (!row.open && name !== "getApp" && name !== "longPoll") await deps.ready?.();
    const patience = { left: args.patience ?? 0 };
    let resent = false;
    let noAnswer: unknown;
    for (let n = 1; ; n++) {
      const connectionId = deps.connectionId();
      try {
        return await tries.run(call, patience);
      } catch (error) {
        // The connection was replaced meanwhile: sent again with the new one, or without watching (specification/realtime.md §8).
        if (!resent && needsConnection(error, args) && deps.connectionId() !== connectionId) {
          resent = true;
          continue;
        }
        const ms = rateWait(error, patience.left, providerNow());
        if (ms !== undefined) {
          n -= 1;
          await tries.pause(call, ms, patience);
          continue;
        }
        // If an earlier try may have arrived, report that one: the last error would say that nothing was sent.
        if (error instanceof TransportError && !error.neverSent) noAnswer = error;
        const reported = error instanceof TransportError ? (noAnswer ?? error) : error;
        if (isUnreadWrite(row, error) && !args.dry) {
          const found = await lookUpWrite(name, args, tokens.userId, apiCall);
          if (found) return found;
        }
        if (n >= most || !isWorthRepeating(error, args) || args.signal?.aborted) throw reported;
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
