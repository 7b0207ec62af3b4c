/** Makes one attempt of a call: adds the credential, sends the request and reads the headers of the answer (specification/wire.md §11, specification/auth.md §8). */
import { NOT_ALLOWED, TOKEN_EXPIRED, refusesCredentials } from "../../wire/errors.ts";
import { transportError } from "../../model/transport.ts";
import { ApiError } from "../../model/errors.ts";
import type { HttpReply, RequestPort } from "../base/ports.ts";
import type { AnsweredHeaders } from "./answered-limits.ts";
import { decodeReply } from "./decode.ts";
import { DryRuns } from "./dry-run.ts";
import type { Oddities } from "./oddities.ts";
import { buildRequest, type PendingCall } from "./request.ts";
import type { Credential, Tokens } from "./token.ts";

/** The embedded provider sets no such cookie. */
export const XSRF_COOKIE = "XSRF-TOKEN";
export const XSRF_HEADER = "X-XSRF-TOKEN";

/** Values that are safe in a header: nothing that would end its line. */
const VALUE = /^[\x21-\x7e]{1,1024}$/;

interface Xsrf {
  /** Stores the cookie of an answer; an empty or invalid one clears it. */
  readCookie(setCookie: string | undefined): void;
  header(): Record<string, string>;
}

export function createXsrf(): Xsrf {
  let value = "";
  return {
    readCookie(setCookie) {
      const found = new RegExp(`(?:^|[,;]\\s*)${XSRF_COOKIE}=([^;,]*)`).exec(setCookie ?? "");
      if (found) value = VALUE.test(found[1]!) ? found[1]! : "";
    },
    header: (): Record<string, string> => (value === "" ? {} : { [XSRF_HEADER]: value }),
  };
}

/** The token was refused as expired: the caller renews it. */
export class TokenExpired extends Error {
  readonly answer: ApiError;
  readonly token: string;
  constructor(answer: ApiError, token: string) {
    super(answer.message);
    this.answer = answer;
    this.token = token;
  }
}

/** For a single call code 17 refuses the action, not the user. */
const refusesUser = (code: number | undefined): boolean => code !== NOT_ALLOWED && refusesCredentials(code);

/** Sent with the server token even when a user is set. */
export const isServerCall = ({ row, args }: PendingCall): boolean =>
  row.serverOnly === true || args.server === true;

export interface CallAttemptDeps {
  /** Evaluated for each call: an embedded provider may have changed its port. */
  baseUrl(): string;
  apiKey: string;
  clientName: string;
  request: RequestPort;
  /** For tests: the shape of answers is not checked. */
  unchecked?: boolean | undefined;
  oddities?: Oddities;
  answered?: AnsweredHeaders;
  tokens: Tokens;
  /** Only while the connection is open (specification/realtime.md §13). */
  connectionId(): string | undefined;
  onNoAnswer?(): void;
  /** The user's credentials were refused: those of the connection may be invalid too. */
  onCredentialsRefused?(): void;
  /** Time of the answer's `Date` header, milliseconds since the epoch. */
  onServerDate?(date: number): void;
}

export class CallAttempt {
  readonly #deps: CallAttemptDeps;
  readonly #xsrf = createXsrf();
  readonly #dryRuns = new DryRuns();

  constructor(deps: CallAttemptDeps) {
    this.#deps = deps;
  }

  /** Rejects with `TokenExpired` when the token must be renewed. */
  async run(call: PendingCall): Promise<Record<string, unknown>> {
    const { row } = call;
    let credential: Credential | undefined;
    if (!row.open) credential = await this.#deps.tokens.credential(isServerCall(call));
    const request = buildRequest(call, {
      baseUrl: this.#deps.baseUrl(),
      apiKey: this.#deps.apiKey,
      clientName: this.#deps.clientName,
      credential,
      connectionId: row.open ? undefined : this.#deps.connectionId(),
      xsrf: this.#xsrf.header(),
    });
    let reply: HttpReply;
    try {
      reply = await this.#deps.request(call.args.dry ? this.#dryRuns.asking(call, request) : request);
    } catch (error) {
      throw this.#noAnswer(call, error);
    }
    this.#readHeaders(reply);
    this.#deps.answered?.set(row.op, reply.headers);
    const value = this.#decode(call, reply, credential);
    if (call.args.dry) this.#dryRuns.answered(call, request, value);
    return value;
  }

  #noAnswer({ row, requestId }: PendingCall, error: unknown): Error {
    const failure = transportError(row.op, error, requestId);
    if (failure.code === "ERR_NETWORK" || failure.code === "ETIMEDOUT") this.#deps.onNoAnswer?.();
    return failure;
  }

  #readHeaders({ headers }: HttpReply): void {
    this.#xsrf.readCookie(headers["set-cookie"]);
    const date = Date.parse(headers.date ?? "");
    if (Number.isFinite(date)) this.#deps.onServerDate?.(date);
  }

  #decode(
    { name, row, requestId }: PendingCall,
    reply: HttpReply,
    { token, userId }: Partial<Credential> = {},
  ): Record<string, unknown> {
    try {
      const { unchecked, oddities } = this.#deps;
      const value = decodeReply(name, reply, requestId, { unchecked, note: oddities?.of(row.op) });
      this.#deps.tokens.markWorking(token ?? "");
      return value;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (userId !== undefined && refusesUser(error.code)) this.#deps.onCredentialsRefused?.();
      if (error.code === TOKEN_EXPIRED) throw new TokenExpired(error, token ?? "");
      throw error;
    }
  }
}
