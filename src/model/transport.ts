/** Failures of connections as data: their kind, whether anything was sent, whether to repeat. */
import { certificateObstacle, isLasting, tunnelObstacle, type Obstacle } from "./obstacles.ts";

/** Identifiers of specification/errors.md §3; `ERR_CANCELED` is never shown. */
type TransportCode = "ERR_NETWORK" | "ETIMEDOUT" | "ERR_CANCELED" | "ERR_BAD_RESPONSE";
type FailureKind = "network" | "timeout" | "abort" | "tooBig";

/** What a socket, a resolver or a library over them said, as facts. */
interface FailureFacts {
  kind: FailureKind;
  /** No connection stood, so nothing of the request reached anybody. */
  neverSent: boolean;
  /** The system's own code, such as ECONNREFUSED. */
  system?: string;
  /** In words, without any address. */
  reason: string;
  /** What is in the way and has a remedy. */
  obstacle?: Obstacle;
}

/** Why no answer came: what the ports of core reject with. */
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
  /** The request certainly did not reach anybody: no connection was made. */
  readonly neverSent: boolean;
  /** The system's own code behind it. */
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
  /** What to do about it, where that is known. */
  get hint(): string | undefined {
    return this.obstacle?.todo;
  }
  get kind(): "network" | "timeout" | "abort" | "badAnswer" {
    return KIND_OF[this.code];
  }
  /** The same request may succeed later; what was called off is not asked for again, and what somebody has to mend first is not, either. */
  get retryable(): boolean {
    return this.code !== "ERR_CANCELED" && !isLasting(this.obstacle);
  }
}

const KIND_OF = {
  ERR_NETWORK: "network",
  ETIMEDOUT: "timeout",
  ERR_CANCELED: "abort",
  ERR_BAD_RESPONSE: "badAnswer",
} as const;

/** Why a connection failed, in words; codes of the system that are not listed are named as they are. */
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

/** Node's own code for a proxy that opens no tunnel. */
const NO_TUNNEL = "ERR_PROXY_TUNNEL";

/** Failures before a connection stood, beside those of the calls `connect` and `getaddrinfo`. */
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
  /** Of a proxy that opened no tunnel. */
  statusCode?: unknown;
}

/** The error and what it was caused by, outermost first: libraries wrap what the system said. */
function chainOf(error: unknown): SystemError[] {
  const chain: SystemError[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  return chain;
}

/** What is in the way, when what was thrown says so. */
function obstacleOf(chain: readonly SystemError[]): Obstacle | undefined {
  for (const { code, statusCode } of chain) {
    const found = code === NO_TUNNEL ? tunnelObstacle(statusCode) : certificateObstacle(String(code));
    if (found) return found;
  }
  return undefined;
}

/** The one reader of what sockets throw. `connected`: whoever made the request knows that no connection stood. */
export function failureFacts(error: unknown, connected?: boolean): FailureFacts {
  if (error instanceof PortFailure) return error;
  const chain = chainOf(error);
  const obstacle = obstacleOf(chain);
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === "string");
  const system =
    codes.find((code) => REASONS[code] !== undefined) ?? codes.find((code) => /^E[A-Z]+$/.test(code));
  const neverSent =
    connected === false ||
    (obstacle !== undefined && obstacle.kind !== "portal") ||
    codes.some((code) => BEFORE_SENDING.has(code)) ||
    chain.some(({ syscall }) => typeof syscall === "string" && CONNECTING.has(syscall));
  const facts = { neverSent, ...(system === undefined ? {} : { system }), ...(obstacle && { obstacle }) };
  if (obstacle) return { ...facts, kind: "network", reason: obstacle.says };
  const names = new Set(chain.map(({ name }) => name));
  // A time limit is kept by calling off: what it was is said by the cause.
  if (names.has("TimeoutError")) return { ...facts, kind: "timeout", reason: "no answer in time" };
  if (names.has("AbortError")) return { ...facts, kind: "abort", reason: "cancelled" };
  const reason =
    REASONS[system ?? ""] ?? `the connection failed${system === undefined ? "" : ` (${system})`}`;
  return { ...facts, kind: TIMEOUTS.has(system ?? "") ? "timeout" : "network", reason };
}

/** Why no answer came, without the name of the call; undefined where only time ran out. */
export const whyUnanswered = ({ kind, obstacle, system }: TransportError): string | undefined =>
  kind === "timeout" ? undefined : (obstacle?.says ?? REASONS[system ?? ""] ?? "the connection failed");

/** Any failure of a request as the error of the catalogue; its words never hold the address. */
export function transportError(
  op: string,
  error: unknown,
  requestId?: string,
  connected?: boolean,
): TransportError {
  if (error instanceof TransportError) return error;
  const { kind, neverSent, system, reason, obstacle } = failureFacts(error, connected);
  const made = (code: TransportCode, message: string): TransportError =>
    new TransportError(code, message, requestId, neverSent, system, obstacle);
  switch (kind) {
    case "abort":
      return made("ERR_CANCELED", "cancelled");
    case "timeout":
      return made("ETIMEDOUT", `${op} got no answer in time`);
    case "tooBig":
      return made("ERR_BAD_RESPONSE", `${op} was answered with too much data`);
    case "network":
      return made("ERR_NETWORK", `${op} got no answer: ${reason}`);
  }
}
