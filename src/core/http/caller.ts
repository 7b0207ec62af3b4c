/** One typed call: address, headers, token, answer, and the few repeats that are allowed (specification/wire.md §4, §11; specification/auth.md §4, specification/sending.md §4). */
import { LIST_ANSWER_LIMIT, REQUEST_TIMEOUT } from "../../wire/constants.ts";
import { endpoints, fillPath } from "../../wire/endpoints/index.ts";
import type { EndpointName, EndpointRow, ReplyOf } from "../../wire/endpoints/index.ts";
import { NOT_ALLOWED, TOKEN_EXPIRED, refusesCredentials } from "../../wire/errors.ts";
import { transportError } from "../../model/transport.ts";
import { wellFormedJson } from "../../text/well-formed.ts";
import { validateCall } from "../base/validate-call.ts";
import type { CallArgs, WriteStep } from "../base/api-types.ts";
import { ApiError, TransportError } from "../../model/errors.ts";
import type { RateLimit } from "../../model/errors.ts";
import { delay } from "../base/delay.ts";
import type { Clock, HttpReply, HttpRequest, Log, Random, RequestPort } from "../base/ports.ts";
import { decodeReply, rateLimitOf } from "./decode.ts";
import { SignInNeeded } from "./token.ts";
import type { Tokens } from "./token.ts";
import { makeUrl } from "./url.ts";
import type { QueryValue } from "./url.ts";
import { wait } from "../base/wait.ts";
import { createXsrf } from "./xsrf.ts";

export interface CallerDeps {
  /** Asked anew for each call: an embedded provider may have moved. */
  baseUrl(): string;
  apiKey: string;
  clientName: string;
  request: RequestPort;
  /** Answers are a test's own and leave out what it does not look at. */
  unchecked?: boolean | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  tokens: Tokens;
  /** Only while the connection is open (specification/realtime.md §13). */
  connectionId(): string | undefined;
  /** Runs before each call that changes something; a throw keeps it from being sent (specification/command-line.md §5). */
  beforeWrite?: WriteStep;
  /** Something to wait for before a call goes out: the first connection attempt (specification/auth.md §4). */
  ready?(): Promise<void> | undefined;
  /** A call got no answer: the link may be dead too. */
  suspect?(): void;
  /** The user's credentials were refused: those of the link may be, too. */
  refused?(): void;
  /** The provider's clock as a `Date` header shows it, milliseconds since the epoch. */
  clockSeen?(date: number): void;
}

/** A multipart body and what goes with it; JSON calls leave it out. */
export interface UploadBody {
  body: Exclude<HttpRequest["body"], string | undefined>;
  contentType: string;
  onProgress?(sent: number, total: number): void;
}

export type ApiCall = <K extends EndpointName>(name: K, args?: CallArgs<K>) => Promise<ReplyOf<K>>;

export interface Caller {
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
  return error instanceof ApiError && error.code === 4 && Boolean(asked.watch ?? asked.presence);
}

/** Of a single call code 17 speaks of what it wanted to do, not of who made it. */
const refusesUser = (code: number | undefined): boolean => code !== NOT_ALLOWED && refusesCredentials(code);

/** Without an open connection nothing can be watched: that part is left out, the data still comes (specification/realtime.md §13). */
function withoutWatching(data: Record<string, unknown>): Record<string, unknown> {
  const { watch: _watch, presence: _presence, ...rest } = data;
  return rest;
}

export function createCaller(deps: CallerDeps): Caller {
  const xsrf = createXsrf();
  const limits = new Map<string, RateLimit>();

  async function once(
    name: EndpointName,
    args: CallArgs<EndpointName>,
    requestId: string,
    upload: UploadBody | undefined,
  ): Promise<Record<string, unknown>> {
    const row: EndpointRow = endpoints[name];
    const { tokens } = deps;
    let token = "";
    let authType = "jwt";
    let userId: string | undefined;
    if (!row.open) {
      ({ token, authType, userId } = await tokens.credential(
        row.serverOnly === true || args.server === true,
      ));
    }
    const connectionId = row.open ? undefined : deps.connectionId();
    let data = (args.query ?? {}) as Record<string, unknown>;
    let json = (args.body ?? {}) as Record<string, unknown>;
    if (connectionId === undefined) {
      data = withoutWatching(data);
      json = withoutWatching(json);
    }
    const identity: Record<string, QueryValue> = row.open
      ? {}
      : { api_key: deps.apiKey, user_id: userId, connection_id: connectionId };
    const query = row.payload ? { payload: data, ...identity } : { ...identity, ...data };
    const hasBody = row.method !== "GET" && row.method !== "DELETE";
    const request: HttpRequest = {
      method: row.method,
      url: makeUrl(
        deps.baseUrl(),
        fillPath(row.path, (args.path ?? {}) as Record<string, string>),
        query as Record<string, QueryValue>,
      ),
      headers: {
        accept: "application/json",
        "X-Stream-Client": deps.clientName,
        "x-client-request-id": requestId,
        ...(args.key !== undefined && { "idempotency-key": args.key }),
        ...(!row.open && { "stream-auth-type": authType }),
        ...(token !== "" && { Authorization: token }),
        ...xsrf.header(),
        ...(upload
          ? { "content-type": upload.contentType }
          : hasBody && { "content-type": "application/json" }),
      },
      ...(upload ? { body: upload.body } : hasBody && { body: wellFormedJson(json) }),
      timeout: args.timeout ?? (upload ? 0 : REQUEST_TIMEOUT),
      ...(args.signal && { signal: args.signal }),
      maxBytes: LIST_ANSWER_LIMIT,
      ...(upload?.onProgress && { onProgress: upload.onProgress }),
    };
    let reply: HttpReply;
    try {
      reply = await deps.request(request);
    } catch (error) {
      const failure = transportError(row.op, error, requestId);
      if (failure.code === "ERR_NETWORK" || failure.code === "ETIMEDOUT") deps.suspect?.();
      throw failure;
    }
    xsrf.seen(reply.headers["set-cookie"]);
    const date = Date.parse(reply.headers.date ?? "");
    if (Number.isFinite(date)) deps.clockSeen?.(date);
    const numbers = rateLimitOf(reply.headers);
    if (numbers) limits.set(row.op, numbers);
    try {
      const value = decodeReply(name, reply, requestId, deps.unchecked);
      tokens.worked(token);
      return value;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (userId !== undefined && refusesUser(error.code)) deps.refused?.();
      if (error.code === TOKEN_EXPIRED) throw new Expired(error, token);
      throw error;
    }
  }

  /** One try, and one more with a new token when the first was refused with code 40 (specification/auth.md §8). */
  async function renewed(
    name: EndpointName,
    args: CallArgs<EndpointName>,
    requestId: string,
    upload: UploadBody | undefined,
  ): Promise<Record<string, unknown>> {
    const row: EndpointRow = endpoints[name];
    for (let replay = false; ; replay = true) {
      try {
        return await once(name, args, requestId, upload);
      } catch (error) {
        if (!(error instanceof Expired)) throw error;
        const server = row.serverOnly === true || args.server === true || deps.tokens.userId === undefined;
        if (server || !deps.tokens.refreshable || replay) throw error.answer;
        try {
          await deps.tokens.refresh(error.token);
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
    validateCall(name, args, deps.tokens.hasSecret);
    const row: EndpointRow = endpoints[name];
    if (!row.safe) await deps.beforeWrite?.(name, args);
    const requestId = deps.random.uuid();
    const tries = 1 + (repeatable(row) ? Math.max(0, args.retries ?? 0) : 0);
    if (!row.open && name !== "getApp" && name !== "longPoll") await deps.ready?.();
    let moved = false;
    for (let n = 1; ; n++) {
      const connectionId = deps.connectionId();
      try {
        return await renewed(name, args, requestId, upload);
      } catch (error) {
        // The link was replaced under the call: asked again on the new one, or without watching (specification/realtime.md §8).
        if (!moved && lostItsConnection(error, args) && deps.connectionId() !== connectionId) {
          moved = true;
          continue;
        }
        if (n >= tries || !passing(error) || args.signal?.aborted) throw error;
        deps.log.debug("call repeated", { op: row.op, requestId, failures: n });
        await wait(deps.clock, delay(n, deps.random.float()), args.signal);
        if (args.signal?.aborted) throw new TransportError("ERR_CANCELED", "cancelled", requestId);
      }
    }
  }

  return {
    call: (name, args = {}) => perform(name, args as CallArgs<EndpointName>) as Promise<never>,
    upload: (name, args, upload) => perform(name, args as CallArgs<EndpointName>, upload) as Promise<never>,
    rateLimit: (op) => limits.get(op),
  };
}

/** Carries the token that was refused up to where it is replaced; never leaves this file. */
class Expired extends Error {
  readonly answer: ApiError;
  readonly token: string;
  constructor(answer: ApiError, token: string) {
    super(answer.message);
    this.answer = answer;
    this.token = token;
  }
}
