/** The interface of route handlers: their context and results. The domain depends on nothing else of the transport. */
import type { LinkPreview } from "../../wire/entities/attachment.ts";
import type { EndpointName, ResultOf } from "../../wire/endpoints/index.ts";
import type { Code } from "../../wire/errors.ts";
import type { Emit } from "./emit.ts";
import type { Database } from "./database.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";

/** Who calls, authenticated before the handler runs (specification/auth.md §3). */
export interface Caller {
  kind: "user" | "server" | "anonymous";
  /** The acting user: from the token, or named by a server-side call in body or query; absent when a server names none. */
  userId: string | undefined;
  role: string;
  /** When the user's token was issued, whole microseconds; absent when the token has no `iat`. */
  issuedAt?: number;
  /** When the token expires, whole microseconds; absent when it never does. */
  endsAt?: number;
}

export type SpoolKind = "exports" | "imports";

/**
 * Files of long jobs under the data folder, by a name without folders; written and read in small pieces. A job stores its
 * position in its own transaction, so bytes that were written but not committed are cut off by the next write.
 */
export interface JobFiles {
  /** Writes a text at byte `offset` (0 creates the file) and truncates the file after it; returns the new length in bytes. */
  write(kind: SpoolKind, name: string, offset: number, text: string): number;
  /** At most `length` bytes from byte `offset`; fewer at the end. */
  read(kind: SpoolKind, name: string, offset: number, length: number): Buffer;
  /** Size in bytes; undefined when there is no such file. */
  size(kind: SpoolKind, name: string): number | undefined;
  remove(kind: SpoolKind, name: string): void;
  /** Absolute signed address, valid for 24 hours: to read an export (exports of users have a separate path) or to write an import. */
  address(kind: SpoolKind, name: string, contents?: "users"): string;
}

/** Calls to other servers. None of them rejects, and each has a time limit. */
export interface External {
  /** The preview of a page, within PAGE_TIME; undefined when the page cannot be read or describes nothing. */
  page(url: string): Promise<LinkPreview | undefined>;
  /** Translates a text; codes are ISO 639-1, `from` is `""` when unknown. Undefined: not possible. */
  translate(text: string, from: string, to: string): Promise<string | undefined>;
  /** Calls a hook of the app; absent where there is no network. */
  callHook?: CallHook;
}

/** One signed request to a hook on this machine, within HOOK_ANSWER_LIMIT: no status = no answer, no `json` = no JSON object with 2xx. */
export type CallHook = (
  url: string,
  body: Record<string, unknown>,
) => Promise<{ status: number | undefined; json: Record<string, unknown> | undefined }>;

/** Work after the transaction of a call: once the promise resolves, `run` is called in a second transaction. */
export type AfterCommit = <T>(
  promise: Promise<T>,
  run: (context: Pick<RouteCall, "db" | "emit" | "now" | "uuid">, value: T) => void,
) => void;

interface Uploads {
  /** Removes an uploaded file from disk (by its stored path) once its deletion is committed. */
  discard(path: string): void;
}

export interface RouteCall {
  name: EndpointName;
  op: string;
  path: Record<string, string>;
  query: Record<string, string>;
  /** The JSON body, or the parsed `payload=`; `{}` when there is none. */
  body: Record<string, unknown>;
  caller: Caller;
  /** `connection_id` of the query, whether or not it is live. */
  connectionId: string | undefined;
  requestId: string | undefined;
  db: Database;
  emit: Emit;
  /** Provider time in whole microseconds; strictly increasing within the process. */
  now(): number;
  /** UUID v4. */
  uuid(): string;
  /** The result of the route's prefetch. */
  prepared?: unknown;
  /** Absent where nothing is on disk (simulations). */
  jobFiles?: JobFiles;
  /** Absent where nothing is on disk. */
  uploads?: Uploads;
  /** Absent where no other server may be called (simulations). */
  external?: External;
  request?: RequestInfo;
  afterCommit?: AfterCommit;
}

/** A call before its transaction: nothing can be emitted or written yet. */
export type PreCommitCall = Omit<RouteCall, "emit" | "prepared">;
/**
 * Asynchronous work before the transaction (fetching a page, calling a hook); its result becomes `call.prepared`.
 * Returns undefined when this call needs none. It runs after authentication and before every other check, so it only reads,
 * and a failure of another server is a result, not a throw.
 */
export type Prefetch = (call: PreCommitCall) => Promise<unknown> | undefined;
export type Prefetches = Partial<Record<EndpointName, Prefetch>>;

/** The JSON of a route's 2xx answer without `duration`. */
export type Reply<K extends EndpointName> = ResultOf<K>;

/** Runs synchronously inside one transaction: a throw undoes all its changes and events. */
export type Handler<K extends EndpointName> = (call: RouteCall) => Reply<K>;
export type HandlersOf<K extends EndpointName> = { readonly [N in K]: Handler<N> };

/** Routes without a handler, because their answer is asynchronous: the long poll, and uploads in parts. */
const UPLOADS = ["uploadFile", "uploadImage", "uploadChannelFile", "uploadChannelImage"] as const;
export type UploadRoute = (typeof UPLOADS)[number];
export const isUpload = (name: EndpointName): name is UploadRoute => UPLOADS.some((route) => route === name);
type AsyncRoute = "longPoll" | UploadRoute;
/** Routes that the transport answers: connections, the event log, rate limits and stored files. */
type TransportRoute =
  | "hi"
  | "sync"
  | "stopWatching"
  | "getRateLimits"
  | "deleteFile"
  | "deleteImage"
  | "deleteChannelFile"
  | "deleteChannelImage";

/** The domain creates the guest; the transport signs its token, because only the transport has the secret. */
export type NewGuest = (call: RouteCall) => Omit<Reply<"createGuest">, "access_token">;
export type DomainHandlers = HandlersOf<
  Exclude<EndpointName, TransportRoute | AsyncRoute | "createGuest">
> & {
  readonly createGuest: NewGuest;
};
/** All routes with a handler; a missing one does not compile. */
export type Handlers = HandlersOf<Exclude<EndpointName, AsyncRoute>>;

interface ProblemOptions {
  fields?: Record<string, string>;
  status?: number;
}

const problemOf =
  (code: Code) =>
  (reason: string, options?: ProblemOptions): ApiProblem =>
    new ApiProblem(code, reason, options);

/** Refuses a call with a code of the wire's table, a reason and the invalid fields. */
export class ApiProblem extends Error {
  static readonly accessKey = problemOf(2);
  static readonly input = problemOf(4);
  static readonly authentication = problemOf(5);
  static readonly nameTaken = problemOf(6);
  static readonly rateLimit = problemOf(9);
  static readonly notFound = problemOf(16);
  static readonly notAllowed = problemOf(17);
  static readonly eventNotSupported = problemOf(18);
  static readonly featureOff = problemOf(19);
  static readonly messageTooLong = problemOf(20);
  static readonly nesting = problemOf(21);
  static readonly tooBig = problemOf(22);
  static readonly timedOut = problemOf(23);
  static readonly headersTooBig = problemOf(24);
  static readonly tokenExpired = problemOf(40);
  static readonly tokenNotYetValid = problemOf(41);
  static readonly tokenBeforeIssued = problemOf(42);
  static readonly tokenSignature = problemOf(43);
  static readonly commandEndpointMissing = problemOf(44);
  static readonly commandEndpointFailed = problemOf(45);
  static readonly cooldown = problemOf(60);
  static readonly noAccess = problemOf(70);
  static readonly moderationFailed = problemOf(73);
  static readonly suspended = problemOf(99);

  readonly code: number;
  readonly fields: Record<string, string> | undefined;
  readonly status: number | undefined;
  constructor(code: number, reason: string, options: ProblemOptions = {}) {
    super(reason);
    this.name = "ApiProblem";
    this.code = code;
    this.fields = options.fields;
    this.status = options.status;
  }
}
