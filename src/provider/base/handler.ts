/** The interface of handlers: what they get and return; all that the domain knows of the transport. */
import type { LinkPreview } from "../../wire/entities/attachment.ts";
import type { EndpointName, ResultOf } from "../../wire/endpoints/index.ts";
import type { Code } from "../../wire/errors.ts";
import type { Emit } from "./emit.ts";
import type { Database } from "./database.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";

/** Who calls: decided before the handler runs, by specification/auth.md §3. */
export interface Caller {
  kind: "user" | "server" | "anonymous";
  /** The acting user: of the token, or named by a server-side call in body or query; absent when a server names none. */
  userId: string | undefined;
  role: string;
  /** When the user's token was issued, whole microseconds; absent when it does not say. */
  issuedAt?: number;
  /** When it ends, whole microseconds; absent when it never does. */
  endsAt?: number;
}

export type SpoolKind = "exports" | "imports";

/**
 * Files of long jobs under the data folder, by a name without folders; written and read in small pieces. A job stores how
 * far it came in its own transaction, so what was written and not committed is cut off by the next write.
 */
export interface JobFiles {
  /** Writes a text at byte `at` (0 makes the file) and cuts off what stood behind; answers the new length in bytes. */
  write(kind: SpoolKind, name: string, at: number, text: string): number;
  /** At most `length` bytes from byte `at`; fewer at the end. */
  read(kind: SpoolKind, name: string, at: number, length: number): Buffer;
  /** Bytes; undefined when there is no such file. */
  size(kind: SpoolKind, name: string): number | undefined;
  remove(kind: SpoolKind, name: string): void;
  /** Absolute signed address, good for 24 hours: reading an export (of users under a path of their own), writing an import. */
  address(kind: SpoolKind, name: string, of?: "users"): string;
}

/** What the provider asks of the world outside. Nothing here rejects, and nothing takes longer than it says. */
export interface External {
  /** What a page says of itself, within PAGE_TIME; undefined when it cannot be read or says nothing. */
  page(url: string): Promise<LinkPreview | undefined>;
  /** A text in another language; codes are ISO 639-1, `from` is `""` when nobody said. Undefined: not possible. */
  translate(text: string, from: string, to: string): Promise<string | undefined>;
  /** Asks a hook of the app; absent where there is no network at all. */
  ask?: Ask;
}

/** One signed question to a hook on this machine, within HOOK_ANSWER_LIMIT: no status = no answer, no `json` = no JSON object with 2xx. */
export type Ask = (
  url: string,
  body: Record<string, unknown>,
) => Promise<{ status: number | undefined; json: Record<string, unknown> | undefined }>;

/** Work after the transaction of a call: a transaction of its own once something has been waited for. */
export type AfterCommit = <T>(
  waited: Promise<T>,
  run: (later: Pick<RouteCall, "db" | "emit" | "now" | "uuid">, value: T) => void,
) => void;

/** Bytes of uploaded files on disk. */
interface Uploads {
  /** Removes the bytes of a record (by its stored path) once its deletion is committed. */
  discard(path: string): void;
}

export interface RouteCall {
  name: EndpointName;
  op: string;
  /** Decoded path parameters. */
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
  /** What the route's preparation waited for. */
  prepared?: unknown;
  /** Absent where nothing is on disk (simulations). */
  jobFiles?: JobFiles;
  /** Absent where nothing is on disk. */
  uploads?: Uploads;
  /** Absent where nothing outside may be asked (simulations). */
  external?: External;
  /** Where the call came from, for hooks. */
  request?: RequestInfo;
  afterCommit?: AfterCommit;
}

/** A call before its transaction: nothing can be told or written yet. */
export type PreCommitCall = Omit<RouteCall, "emit" | "prepared">;
/**
 * What has to be waited for before the transaction (a page fetched, a hook asked); its result is `call.prepared`.
 * Undefined when this call needs nothing. It runs after authentication and before every other check, so it reads only,
 * and a failure of the world outside is a result, not a throw.
 */
export type Prefetch = (early: PreCommitCall) => Promise<unknown> | undefined;
export type Prefetches = Partial<Record<EndpointName, Prefetch>>;

/** The JSON of a route's 2xx answer without `duration`. */
export type Reply<K extends EndpointName> = ResultOf<K>;

/** Runs synchronously inside one transaction: a throw undoes every change and every event of it. */
export type Handler<K extends EndpointName> = (call: RouteCall) => Reply<K>;
export type HandlersOf<K extends EndpointName> = { readonly [N in K]: Handler<N> };

/** What is answered without a handler, because it waits: a poll for events, and the parts of an upload. */
const UPLOADS = ["uploadFile", "uploadImage", "uploadChannelFile", "uploadChannelImage"] as const;
export type UploadRoute = (typeof UPLOADS)[number];
export const isUpload = (name: EndpointName): name is UploadRoute => UPLOADS.some((one) => one === name);
type Waiting = "longPoll" | UploadRoute;
/** Routes of the transport: connections, the log of events, limits and the bytes of files are its own. */
type TransportRoute =
  | "hi"
  | "sync"
  | "stopWatching"
  | "getRateLimits"
  | "deleteFile"
  | "deleteImage"
  | "deleteChannelFile"
  | "deleteChannelImage";

/** The domain makes the guest; only the transport knows the secret its token is signed with. */
export type NewGuest = (call: RouteCall) => Omit<Reply<"createGuest">, "access_token">;
export type DomainHandlers = HandlersOf<Exclude<EndpointName, TransportRoute | Waiting | "createGuest">> & {
  readonly createGuest: NewGuest;
};
/** Every route that has a handler; one that is missing does not compile. */
export type Handlers = HandlersOf<Exclude<EndpointName, Waiting>>;

interface ProblemOptions {
  fields?: Record<string, string>;
  status?: number;
}

const problemOf =
  (code: Code) =>
  (reason: string, options?: ProblemOptions): ApiProblem =>
    new ApiProblem(code, reason, options);

/** Refuses a call: `code` of the wire's table, a reason, and the fields that are wrong. */
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
