/** The connection's state machine as a pure function: the next state and the effects of each input (specification/realtime.md §5, §6, §11, §13). */
import { CLOSES_UNTIL_NAMED, ENDED_RETRY, ONLINE_REOPEN_DELAY } from "../../wire/constants.ts";
import { isLasting, type Obstacle } from "../../model/obstacles.ts";
import { TOKEN_EXPIRED, isRouteAbsent, refusesCredentials } from "../../wire/errors.ts";
import { ApiError, LocalError, TransportError } from "../../model/errors.ts";
import { NO_LONG_POLL } from "../../model/transport.ts";
import { SignInNeeded } from "../http/token.ts";
import type { LinkPhase, Link } from "../../model/state.ts";

export type Mode = "auto" | "websocket" | "longpoll";
export type Transport = "websocket" | "longpoll";

/** How an attempt or an open connection ended. */
export type End =
  | { kind: "close"; code: number }
  /** An error frame, a refused upgrade or a long-poll answer with an error; `at`: when opening, or in a later poll. */
  | { kind: "error"; at: "open" | "poll"; error: ApiError }
  | { kind: "network" | "timeout" | "dead"; message: string; obstacle?: Obstacle | undefined };

/** The published state of the link, and what else the next step depends on. */
export interface LinkState extends Readonly<
  Pick<Link, "phase" | "failures" | "reason" | "hint" | "cause" | "code">
> {
  /** The current step while `connecting`. */
  readonly doing?: "attempt" | "probe" | "refresh";
  /** Transport of the open connection, or of the next attempt. */
  readonly transport: Transport;
  /** The provider has no long polling (specification/realtime.md §11); remembered as long as the client lives. */
  readonly longPollUnsupported: boolean;
  /** A long-poll session that may still be alive at the provider. */
  readonly session?: string;
  /** Closes before the first frame, in a row. */
  readonly closes: number;
  /** WebSockets that were cut soon after opening, in a row. */
  readonly cuts?: number;
  /** The refusal of the credentials that are being renewed. */
  readonly refusal?: ApiError;
}

export type ConnectionInput =
  | { type: "connect" }
  | { type: "opened"; transport: Transport; connectionId: string; resumed: boolean }
  | { type: "polled" }
  /** `lived`: milliseconds since the WebSocket opened. */
  | { type: "ended"; end: End; lived?: number | undefined }
  | { type: "probed"; answered: boolean }
  /** Dialling failed: no token, no provider, no address. The error goes to the caller (specification/auth.md §4). */
  | { type: "notDialled"; error: Error }
  | { type: "refreshed" }
  | { type: "refreshFailed"; error: Error; final: boolean }
  | { type: "due" }
  | { type: "online" }
  | { type: "offline" }
  | { type: "nudge" }
  | { type: "disconnect" };

export type Effect =
  | { do: "attempt"; transport: Transport; session?: string }
  /** GET /hi, then `probed`. */
  | { do: "probe" }
  | { do: "refresh" }
  /** Waits milliseconds, or the back-off of this many failures, then `due`. */
  | { do: "wait"; ms: number }
  | { do: "wait"; failures: number }
  /** Drops the open or opening connection. */
  | { do: "drop" }
  /** Rejects connectUser; retries go on. */
  | { do: "report"; error: Error }
  /** Stops retrying until the user asks: rejects connectUser. */
  | { do: "stop"; error: Error };

export interface LinkContext {
  mode: Mode;
  /** The token source is a function. */
  refreshable: boolean;
  online: boolean;
}

interface Transition {
  state: LinkState;
  effects: Effect[];
}

/** Close code of a connection that broke without a close frame. */
export const CLOSE_ABNORMAL = 1006;
/** After so many WebSockets in a row that were cut within this time of opening, milliseconds, long polling is tried. */
const SHORT_LIFE = 60_000;
const CUTS_UNTIL_LONGPOLL = 3;

const NO_NETWORK = "this machine has no network";
const PROVIDER_ENDS = "the provider keeps closing the connection";

/** Reasons by close code (specification/realtime.md §5); any close that core did not request is followed by a new attempt. */
const CLOSE_REASONS: Readonly<Record<number, string>> = {
  1000: "the provider ended the connection",
  1001: "the provider went away",
  1006: "the connection broke",
  1008: "the provider closed the connection",
  1009: "a frame was too big",
  1011: "the provider had an internal error",
  1013: "there are too many connections",
};

export function firstState(mode: Mode): LinkState {
  return {
    phase: "idle",
    transport: mode === "longpoll" ? "longpoll" : "websocket",
    failures: 0,
    closes: 0,
    longPollUnsupported: false,
  };
}

/** Enters a phase and clears the keys that belong to the previous one. */
function move(state: LinkState, phase: LinkPhase, change: Partial<LinkState> = {}): LinkState {
  const {
    doing: _doing,
    reason: _reason,
    hint: _hint,
    cause,
    code: _code,
    refusal: _refusal,
    ...remaining
  } = state;
  // During the rare retries after `ended` the cause stays.
  const still = phase === "connecting" && cause === "ended";
  return { ...remaining, phase, ...(still && { cause }), ...change };
}

function without(state: LinkState, key: "session" | "cuts"): LinkState {
  const { [key]: _gone, ...remaining } = state;
  return remaining;
}

function attempt(state: LinkState): Transition {
  const { transport, session } = state;
  const resume = transport === "longpoll" && session !== undefined;
  return {
    state: move(state, "connecting", { doing: "attempt" }),
    effects: [{ do: "attempt", transport, ...(resume && { session }) }],
  };
}

function fail(state: LinkState, context: LinkContext, reason: string): Transition {
  if (state.closes >= CLOSES_UNTIL_NAMED) return waitLong(state, context, `${PROVIDER_ENDS}: ${reason}`);
  const failures = state.failures + 1;
  if (!context.online)
    return { state: move(state, "offline", { failures, reason: NO_NETWORK }), effects: [] };
  return {
    state: move(state, "waiting", { failures, reason }),
    effects: [{ do: "wait", failures }],
  };
}

/** Connections are ended each time before they open: retries rarely. */
function waitLong(state: LinkState, context: LinkContext, reason: string): Transition {
  const failures = state.failures + 1;
  if (!context.online)
    return { state: move(state, "offline", { failures, reason: NO_NETWORK }), effects: [] };
  return {
    state: move(state, "waiting", { failures, reason, cause: "ended" }),
    effects: [
      { do: "wait", ms: ENDED_RETRY },
      { do: "report", error: new TransportError("ERR_NETWORK", reason, undefined, true) },
    ],
  };
}

/** For refused credentials and wrong settings. */
function stop(state: LinkState, error: Error): Transition {
  const refused = error instanceof ApiError || error instanceof SignInNeeded;
  const obstacle = error instanceof TransportError ? error.obstacle : undefined;
  const code = error instanceof ApiError ? error.code : state.refusal?.code;
  return {
    state: move(without(state, "session"), "stopped", {
      reason: error.message,
      ...(refused && { cause: "refused" }),
      ...(obstacle && { cause: "blocked", hint: obstacle.hint }),
      ...(code !== undefined && { code }),
    }),
    effects: [{ do: "stop", error }],
  };
}

function canFallBack(state: LinkState, context: LinkContext): boolean {
  return context.mode === "auto" && state.transport === "websocket" && !state.longPollUnsupported;
}

function connectionLost(state: LinkState, context: LinkContext, reason: string): Transition {
  // Only a failed attempt, or repeated cuts, show that WebSockets do not work here (specification/realtime.md §11).
  const fails = state.phase === "connecting" || (state.cuts ?? 0) >= CUTS_UNTIL_LONGPOLL;
  if (fails && canFallBack(state, context) && context.online)
    return {
      state: move(state, "connecting", { doing: "probe", failures: state.failures + 1, reason }),
      effects: [{ do: "probe" }],
    };
  return fail(webSocketFirst(state, context), context, reason);
}

/** If long polling did not open either, the next attempt tries the WebSocket again. */
function webSocketFirst(state: LinkState, context: LinkContext): LinkState {
  const opening = state.phase === "connecting" && state.session === undefined;
  return context.mode === "auto" && opening ? { ...state, transport: "websocket" } : state;
}

/** Counts WebSockets that were cut soon after opening, as by a proxy that ends long connections. */
function countCut(state: LinkState, end: End, lived: number | undefined): LinkState {
  const cut = end.kind === "network" || (end.kind === "close" && end.code === CLOSE_ABNORMAL);
  if (state.phase !== "open" || state.transport !== "websocket") return state;
  const short = cut && lived !== undefined && lived < SHORT_LIFE;
  return short ? { ...state, cuts: (state.cuts ?? 0) + 1 } : without(state, "cuts");
}

/** Counts closes before the first frame; other failures reset the count. */
function countClose(state: LinkState, closed: boolean): LinkState {
  if (state.phase !== "connecting") return state;
  if (state.cuts !== undefined) return countClose(without(state, "cuts"), closed);
  if (closed) return { ...state, closes: state.closes + 1 };
  return state.transport === "websocket" ? { ...state, closes: 0 } : state;
}

/** Renews an expired token if the source can; otherwise stops. */
function refusedCredentials(state: LinkState, context: LinkContext, error: ApiError): Transition {
  if (error.code !== TOKEN_EXPIRED || !context.refreshable) return stop(state, error);
  return {
    state: move(state, "connecting", {
      doing: "refresh",
      reason: "the token is being renewed",
      refusal: error,
    }),
    effects: [{ do: "refresh" }],
  };
}

/** If the source has no newer token, the provider's refusal is the more useful error. */
function notRenewed(state: LinkState, error: Error): Transition {
  const unchanged = error instanceof SignInNeeded && error.unchanged;
  return stop(state, unchanged && state.refusal ? state.refusal : error);
}

function noLongPoll(state: LinkState, context: LinkContext): Transition {
  if (context.mode === "longpoll") return waitLong(state, context, NO_LONG_POLL);
  return fail({ ...state, transport: "websocket", longPollUnsupported: true }, context, NO_LONG_POLL);
}

function refused(state: LinkState, context: LinkContext, at: "open" | "poll", error: ApiError): Transition {
  const { status } = error;
  if (refusesCredentials(error.code)) return refusedCredentials(state, context, error);
  const polling = state.transport === "longpoll";
  if (polling && at === "open" && isRouteAbsent(error)) return noLongPoll(state, context);
  if (status === 429 || status === 408 || status >= 500)
    return fail(webSocketFirst(countClose(state, false), context), context, error.message);
  if (polling && at === "poll") {
    const reason = status === 404 ? "the long-poll session ended" : error.message;
    return fail(without(state, "session"), context, reason);
  }
  const step = fail(webSocketFirst(countClose(state, true), context), context, error.message);
  return { ...step, effects: [...step.effects, { do: "report", error }] };
}

function ended(before: LinkState, context: LinkContext, end: End, lived: number | undefined): Transition {
  if (before.phase !== "connecting" && before.phase !== "open") return { state: before, effects: [] };
  const state = countCut(before, end, lived);
  switch (end.kind) {
    case "error":
      return refused(state, context, end.at, end.error);
    case "close": {
      const reason = CLOSE_REASONS[end.code] ?? `the connection was closed (${end.code})`;
      return connectionLost(countClose(state, true), context, reason);
    }
    default:
      if (isLasting(end.obstacle)) return stop(state, obstacleError(end.obstacle!));
      return connectionLost(countClose(state, false), context, end.message);
  }
}

/** The error for an obstacle that waiting does not remove. */
const obstacleError = (obstacle: Obstacle): TransportError =>
  new TransportError("ERR_NETWORK", obstacle.reason, undefined, true, undefined, obstacle);

/** Without a token or with an invalid address the next attempt would fail too: stops. */
function notDialled(state: LinkState, context: LinkContext, error: Error): Transition {
  const isLastingFailure = error instanceof TransportError && isLasting(error.obstacle);
  if (isLastingFailure || error instanceof LocalError) return stop(state, error);
  const step = fail(state, context, error.message);
  return { ...step, effects: [...step.effects, { do: "report", error }] };
}

const unchanged = (state: LinkState): Transition => ({ state, effects: [] });

const goOffline = (state: LinkState): LinkState => move(state, "offline", { reason: NO_NETWORK });

const attemptOnline = (state: LinkState, { online }: LinkContext): Transition =>
  online ? attempt(state) : unchanged(goOffline(state));

function opened(state: LinkState, input: Extract<ConnectionInput, { type: "opened" }>): Transition {
  // A WebSocket may open beside the open connection: to leave long polling (specification/realtime.md §11), or with a newer token.
  const beside = state.phase === "open" && input.transport === "websocket";
  if (state.doing !== "attempt" && !beside) return unchanged(state);
  const { transport, connectionId, resumed } = input;
  const remaining =
    transport === "longpoll" ? { ...state, session: connectionId } : without(state, "session");
  return unchanged(move(remaining, "open", { transport, failures: resumed ? state.failures : 0, closes: 0 }));
}

function probed(state: LinkState, context: LinkContext, answered: boolean): Transition {
  if (answered) return attempt({ ...state, transport: "longpoll" });
  // No fallback now; the reconnect timer goes on (specification/realtime.md §11).
  const { failures, reason = "the provider cannot be reached" } = state;
  return fail({ ...state, failures: failures - 1 }, context, reason);
}

/** One step. Inputs that do not fit the phase change nothing: late results are dropped. */
export function next(state: LinkState, input: ConnectionInput, context: LinkContext): Transition {
  const { phase, doing } = state;
  switch (input.type) {
    case "connect":
      if (phase !== "idle" && phase !== "stopped") return unchanged(state);
      return attemptOnline(context.online ? { ...state, failures: 0, closes: 0 } : state, context);
    case "opened":
      return opened(state, input);
    case "polled":
      return unchanged(phase === "open" && state.failures > 0 ? { ...state, failures: 0 } : state);
    case "ended":
      return ended(state, context, input.end, input.lived);
    case "probed":
      return doing === "probe" ? probed(state, context, input.answered) : unchanged(state);
    case "notDialled":
      return doing === "attempt" ? notDialled(state, context, input.error) : unchanged(state);
    case "refreshed":
      return doing === "refresh" ? attempt(state) : unchanged(state);
    case "refreshFailed":
      if (doing !== "refresh") return unchanged(state);
      return input.final ? notRenewed(state, input.error) : fail(state, context, input.error.message);
    case "due":
      return phase === "waiting" ? attemptOnline(state, context) : unchanged(state);
    case "online":
      if (phase !== "offline") return unchanged(state);
      return {
        state: move(state, "waiting", { reason: "the network is back" }),
        effects: [{ do: "wait", ms: ONLINE_REOPEN_DELAY }],
      };
    case "offline":
      if (phase === "idle" || phase === "stopped" || phase === "offline") return unchanged(state);
      return { state: goOffline(state), effects: [{ do: "drop" }] };
    case "nudge":
      return phase === "waiting" || phase === "offline" || phase === "stopped"
        ? attempt(state)
        : unchanged(state);
    case "disconnect":
      if (phase === "idle") return unchanged(state);
      return {
        state: move(without(state, "session"), "idle", { failures: 0, closes: 0 }),
        effects: [{ do: "drop" }],
      };
  }
}
