/** Makes one typed call: address, headers, token, answer, and the few repeats that are allowed (specification/wire.md §4, §11; specification/auth.md §4, specification/sending.md §4). */
import { endpoints, type EndpointName, type EndpointRow, type ReplyOf } from "../../wire/endpoints/index.ts";
import { ApiError, TransportError } from "../../model/errors.ts";
import type { RateLimit } from "../../wire/rate-limits.ts";
import type { CallArgs, WriteStep } from "../base/api-types.ts";
import { delay } from "../base/delay.ts";
import type { Clock, Log, Random } from "../base/ports.ts";
import { validateCall } from "../base/validate-call.ts";
import { wait } from "../base/wait.ts";
import { Expired, isServerCall, OneTry, type OneTryDeps } from "./one-try.ts";
import type { PendingCall, UploadBody } from "./request.ts";
import { SignInNeeded } from "./token.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

interface ApiCallerDeps extends OneTryDeps {
  clock: Clock;
  random: Random;
  log: Log;
  /** Runs before each call that changes something; a throw keeps it from being sent (specification/command-line.md §5). */
  beforeWrite?: WriteStep;
  /** Something to wait for before a call goes out: the first connection attempt (specification/auth.md §4). */
  ready?(): Promise<void> | undefined;
}

export type ApiCall = <K extends EndpointName>(name: K, args?: CallArgs<K>) => Promise<ReplyOf<K>>;

export interface ApiCaller {
  call: ApiCall;
  /** A call with a multipart body; its timeout is none unless given (specification/wire.md §4). */
  upload<K extends EndpointName>(name: K, args: CallArgs<K>, upload: UploadBody): Promise<ReplyOf<K>>;
  /** The numbers of the last answer of an operation (D14). */
  rateLimit(op: string): RateLimit | undefined;
}

/** Repeated when asked for: what changes nothing, and the channel query, which makes the same channel again. */
const repeatable = (row: EndpointRow): boolean => row.safe || row.op === "GetOrCreateChannel";

/** Worth repeating as it stands: no answer, a broken one, or a fault of the provider. */
const passing = (error: unknown): boolean =>
  (error instanceof TransportError && error.retryable) || (error instanceof ApiError && error.status >= 500);

/** Refused because the connection it wanted to watch with is gone. */
function lostItsConnection(error: unknown, { body, query }: CallArgs<EndpointName>): boolean {
  const asked = { ...query, ...body } as { watch?: unknown; presence?: unknown };
  return error instanceof ApiError && error.code === INPUT_ERROR && Boolean(asked.watch ?? asked.presence);
}

export function createApiCaller(deps: ApiCallerDeps): ApiCaller {
  const once = new OneTry(deps);
  const { tokens, clock, random, log } = deps;

  /** One try, and one more with a new token when the first was refused with code 40 (specification/auth.md §8). */
  async function renewed(call: PendingCall): Promise<Record<string, unknown>> {
    for (let replay = false; ; replay = true) {
      try {
        return await once.run(call);
      } catch (error) {
        if (!(error instanceof Expired)) throw error;
        const server = isServerCall(call) || tokens.userId === undefined;
        if (server || !tokens.refreshable || replay) throw error.answer;
        try {
          await tokens.refresh(error.token);
        } catch (failure) {
          throw failure instanceof SignInNeeded ? error.answer : failure;
        }
      }
    }
  }

  async function perform(
    name: EndpointName,
    args: CallArgs<EndpointName>,
    upload?: UploadBody,
  ): Promise<Record<string, unknown>> {
    validateCall(name, args, tokens.hasSecret);
    const row: EndpointRow = endpoints[name];
    if (!row.safe) await deps.beforeWrite?.(name, args);
    const requestId = random.uuid();
    const call: PendingCall = { name, row, args, requestId, upload };
    const tries = 1 + (repeatable(row) ? Math.max(0, args.retries ?? 0) : 0);
    if (!row.open && name !== "getApp" && name !== "longPoll") await deps.ready?.();
    let moved = false;
    let lost: unknown;
    for (let n = 1; ; n++) {
      const connectionId = deps.connectionId();
      try {
        return await renewed(call);
      } catch (error) {
        // The link was replaced under the call: asked again on the new one, or without watching (specification/realtime.md §8).
        if (!moved && lostItsConnection(error, args) && deps.connectionId() !== connectionId) {
          moved = true;
          continue;
        }
        // An earlier try may have arrived: that the last one found nobody does not take it back.
        if (error instanceof TransportError && !error.neverSent) lost = error;
        const known = error instanceof TransportError ? (lost ?? error) : error;
        if (n >= tries || !passing(error) || args.signal?.aborted) throw known;
        log.debug("call repeated", { op: row.op, requestId, failures: n });
        await wait(clock, delay(n, random.float()), args.signal);
        if (args.signal?.aborted) throw new TransportError("ERR_CANCELED", "cancelled", requestId);
      }
    }
  }

  return {
    call: (name, args = {}) => perform(name, args as CallArgs<EndpointName>) as Promise<never>,
    upload: (name, args, upload) => perform(name, args as CallArgs<EndpointName>, upload) as Promise<never>,
    rateLimit: (op) => once.limits.get(op),
  };
}
