/** Connection failures as data: their kind, whether anything was sent, whether to retry. */
import { certificateObstacle, isLasting, portObstacle, tunnelObstacle, type Obstacle } from "./obstacles.ts";

/** Identifiers of specification/errors.md §3; `ERR_CANCELED` is never shown. */
type TransportCode = "ERR_NETWORK" | "ETIMEDOUT" | "ERR_CANCELED" | "ERR_BAD_RESPONSE";
type FailureKind = "network" | "timeout" | "abort" | "tooBig";

/** The facts extracted from an error of a socket, a resolver or a library. */
interface FailureFacts {
  kind: FailureKind;
  /** No connection was made, so the request reached nobody. */
  neverSent: boolean;
  /** The system's own code, such as ECONNREFUSED. */
  system?: string;
  /** The reason as a phrase, without any address. */
  reason: string;
  obstacle?: Obstacle;
}

/** The error with which core's ports reject. */
export class PortFailure extends Error implements FailureFacts {
  readonly kind: FailureKind;
  readonly neverSent: boolean;
  readonly system?: string;
  readonly obstacle?: Obstacle;
  constructor(kind: FailureKind, message: string, neverSent = false, system?: string, obstacle?: Obstacle) {
    super(message);
    this.name = "PortFailure";
    this.kind = kind;
    this.neverSent = neverSent;
    if (system !== undefined) this.system = system;
    if (obstacle !== undefined) this.obstacle = obstacle;
  }
  get reason(): string {
    return this.message;
  }
}

/** No usable answer to a call. */
export class TransportError extends Error {
  readonly code: TransportCode;
  readonly requestId: string | undefined;
  /** No connection was made, so the request reached nobody. */
  readonly neverSent: boolean;
  readonly system: string | undefined;
  readonly obstacle: Obstacle | undefined;
  constructor(
    code: TransportCode,
    message: string,
    requestId?: string,
    neverSent = false,
    system?: string,
    obstacle?: Obstacle,
  ) {
    super(message);
    this.name = "TransportError";
    this.code = code;
    this.requestId = requestId;
    this.neverSent = neverSent;
    this.system = system;
    this.obstacle = obstacle;
  }
  get hint(): string | undefined {
    return this.obstacle?.hint;
  }
  get kind(): "network" | "timeout" | "abort" | "badAnswer" {
    return KIND_OF[this.code];
  }
  /** The same request may succeed later; not after a cancellation or a lasting obstacle. */
  get retryable(): boolean {
    return this.code !== "ERR_CANCELED" && !isLasting(this.obstacle);
  }
}

/** The time of a run that follows events was up before its connection was open: that nothing happened is not known. */
export const neverConnected = (): TransportError =>
  new TransportError("ETIMEDOUT", "the connection was not open when the time was up", undefined, true);

const KIND_OF = {
  ERR_NETWORK: "network",
  ETIMEDOUT: "timeout",
  ERR_CANCELED: "abort",
  ERR_BAD_RESPONSE: "badAnswer",
} as const;

/** Reasons by error code; other codes are printed as they are. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed while sending",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENETDOWN: "the network is down",
  ETIMEDOUT: "the connection could not be made in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection could not be made in time",
  UND_ERR_SOCKET: "the connection was closed before the answer",
  ERR_INVALID_URL: "the address is not valid",
  ERR_PROXY_TUNNEL: "the proxy could not open a way to the provider",
  ERR_READING_RESPONSE_STREAM: "the connection broke in the middle of the answer",
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: "the connection broke in the middle of the answer",
};

/** Why a connection by long polling fails for good. */
export const NO_LONG_POLL = "the provider does not offer long polling";

/** Node's error code for a proxy that refuses a tunnel. */
export const NO_TUNNEL = "ERR_PROXY_TUNNEL";

/** Failures before a connection was made, besides those of the system calls in `CONNECTING`. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_INVALID_URL",
  NO_TUNNEL,
]);
const CONNECTING: ReadonlySet<string> = new Set(["connect", "getaddrinfo"]);
const TIMEOUTS: ReadonlySet<string> = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

interface SystemError extends Error {
  code?: unknown;
  syscall?: unknown;
  statusCode?: unknown;
}

/** The error and its causes, outermost first: libraries wrap system errors. */
function chainOf(error: unknown): SystemError[] {
  const chain: SystemError[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  return chain;
}

/** The obstacle behind an error, if one is recognized. */
function obstacleOf(chain: readonly SystemError[], connected: boolean | undefined): Obstacle | undefined {
  for (const { code, statusCode } of chain) {
    const system = String(code);
    const found =
      code === NO_TUNNEL
        ? tunnelObstacle(statusCode)
        : (certificateObstacle(system) ?? (connected === true ? undefined : portObstacle(system)));
    if (found) return found;
  }
  return undefined;
}

/** Extracts the facts from a connection error. `connected` says, if the caller knows it, whether a connection was made. */
export function failureFacts(error: unknown, connected?: boolean): FailureFacts {
  if (error instanceof PortFailure) return error;
  const chain = chainOf(error);
  const obstacle = obstacleOf(chain, connected);
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === "string");
  const system =
    codes.find((code) => REASONS[code] !== undefined) ?? codes.find((code) => /^E[A-Z]+$/.test(code));
  const neverSent =
    connected === false ||
    obstacle !== undefined ||
    codes.some((code) => BEFORE_SENDING.has(code)) ||
    chain.some(({ syscall }) => typeof syscall === "string" && CONNECTING.has(syscall));
  const facts = { neverSent, ...(system === undefined ? {} : { system }), ...(obstacle && { obstacle }) };
  if (obstacle) return { ...facts, kind: "network", reason: obstacle.reason };
  const names = new Set(chain.map(({ name }) => name));
  // A time limit aborts the request, so the TimeoutError is the cause and is checked first.
  if (names.has("TimeoutError")) return { ...facts, kind: "timeout", reason: "no answer in time" };
  if (names.has("AbortError")) return { ...facts, kind: "abort", reason: "cancelled" };
  const reason =
    REASONS[system ?? ""] ?? `the connection failed${system === undefined ? "" : ` (${system})`}`;
  return { ...facts, kind: TIMEOUTS.has(system ?? "") ? "timeout" : "network", reason };
}

/** Why no answer came, without the name of the call; undefined for a timeout. */
export const whyUnanswered = ({ kind, obstacle, system }: TransportError): string | undefined =>
  kind === "timeout" ? undefined : (obstacle?.reason ?? REASONS[system ?? ""] ?? "the connection failed");

/** Converts any request failure to a `TransportError`; the message never contains the address. */
export function transportError(
  op: string,
  error: unknown,
  requestId?: string,
  connected?: boolean,
): TransportError {
  if (error instanceof TransportError) return error;
  const { kind, neverSent, system, reason, obstacle } = failureFacts(error, connected);
  const create = (code: TransportCode, message: string): TransportError =>
    new TransportError(code, message, requestId, neverSent, system, obstacle);
  switch (kind) {
    case "abort":
      return create("ERR_CANCELED", "cancelled");
    case "timeout":
      return create("ETIMEDOUT", `${op} got no answer in time`);
    case "tooBig":
      return create("ERR_BAD_RESPONSE", `${op} was answered with too much data`);
    case "network":
      return create("ERR_NETWORK", `${op} got no answer: ${reason}`);
  }
}
