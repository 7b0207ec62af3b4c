/** Makes one attempt of a call: credential, request, and what the headers of its answer tell (specification/wire.md §11, specification/auth.md §8). */
import { NOT_ALLOWED, TOKEN_EXPIRED, refusesCredentials } from "../../wire/errors.ts";
import { transportError } from "../../model/transport.ts";
import { ApiError } from "../../model/errors.ts";
import type { RateLimit } from "../../wire/rate-limits.ts";
import type { HttpReply, RequestPort } from "../base/ports.ts";
import { decodeReply, rateLimitOf } from "./decode.ts";
import { requestOf, type PendingCall } from "./request.ts";
import type { Credential, Tokens } from "./token.ts";
import { createXsrf } from "./xsrf.ts";

/** Carries the token that was refused up to where it is replaced. */
export class Expired extends Error {
  readonly answer: ApiError;
  readonly token: string;
  constructor(answer: ApiError, token: string) {
    super(answer.message);
    this.answer = answer;
    this.token = token;
  }
}

/** Of a single call code 17 speaks of what it wanted to do, not of who made it. */
const refusesUser = (code: number | undefined): boolean => code !== NOT_ALLOWED && refusesCredentials(code);

/** It goes with the server token whoever is set. */
export const isServerCall = ({ row, args }: PendingCall): boolean =>
  row.serverOnly === true || args.server === true;

export interface OneTryDeps {
  /** Asked anew for each call: an embedded provider may have moved. */
  baseUrl(): string;
  apiKey: string;
  clientName: string;
  request: RequestPort;
  /** Answers are a test's own and leave out what it does not look at. */
  unchecked?: boolean | undefined;
  tokens: Tokens;
  /** Only while the connection is open (specification/realtime.md §13). */
  connectionId(): string | undefined;
  /** A call got no answer: the link may be dead too. */
  suspect?(): void;
  /** The user's credentials were refused: those of the link may be, too. */
  refused?(): void;
  /** The provider's clock as a `Date` header shows it, milliseconds since the epoch. */
  clockSeen?(date: number): void;
}

export class OneTry {
  readonly #deps: OneTryDeps;
  readonly #xsrf = createXsrf();
  /** Operation → the numbers of its last answer (D14). */
  readonly limits = new Map<string, RateLimit>();

  constructor(deps: OneTryDeps) {
    this.#deps = deps;
  }

  /** Rejects with `Expired` when the token has to be renewed. */
  async run(call: PendingCall): Promise<Record<string, unknown>> {
    const { row } = call;
    let credential: Credential | undefined;
    if (!row.open) credential = await this.#deps.tokens.credential(isServerCall(call));
    const request = requestOf(call, {
      baseUrl: this.#deps.baseUrl(),
      apiKey: this.#deps.apiKey,
      clientName: this.#deps.clientName,
      credential,
      connectionId: row.open ? undefined : this.#deps.connectionId(),
      xsrf: this.#xsrf.header(),
    });
    let reply: HttpReply;
    try {
      reply = await this.#deps.request(request);
    } catch (error) {
      throw this.#lost(call, error);
    }
    this.#note(row.op, reply);
    return this.#decode(call, reply, credential);
  }

  #lost({ row, requestId }: PendingCall, error: unknown): Error {
    const failure = transportError(row.op, error, requestId);
    if (failure.code === "ERR_NETWORK" || failure.code === "ETIMEDOUT") this.#deps.suspect?.();
    return failure;
  }

  #note(op: string, { headers }: HttpReply): void {
    this.#xsrf.seen(headers["set-cookie"]);
    const date = Date.parse(headers.date ?? "");
    if (Number.isFinite(date)) this.#deps.clockSeen?.(date);
    const numbers = rateLimitOf(headers);
    if (numbers) this.limits.set(op, numbers);
  }

  #decode(
    { name, requestId }: PendingCall,
    reply: HttpReply,
    { token, userId }: Partial<Credential> = {},
  ): Record<string, unknown> {
    try {
      const value = decodeReply(name, reply, requestId, this.#deps.unchecked);
      this.#deps.tokens.worked(token ?? "");
      return value;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (userId !== undefined && refusesUser(error.code)) this.#deps.refused?.();
      if (error.code === TOKEN_EXPIRED) throw new Expired(error, token ?? "");
      throw error;
    }
  }
}
