/** The connection's state machine as a pure function: the next state and the effects of each event (specification/realtime.md §5, §6, §11, §13). */
import { CLOSES_UNTIL_NAMED, ENDED_RETRY, ONLINE_REOPEN_DELAY } from "../../wire/constants.ts";
import { isLasting, type Obstacle } from "../../model/obstacles.ts";
import { TOKEN_EXPIRED, refusesCredentials } from "../../wire/errors.ts";
import { ApiError, LocalError, TransportError } from "../../model/errors.ts";
import { SignInNeeded } from "../http/token.ts";
import type { LinkPhase, Link } from "../../model/state.ts";

export type Mode = "auto" | "websocket" | "longpoll";
export type Transport = "websocket" | "longpoll";

/** How an attempt or an open connection came to its end. */
export type End =
  | { kind: "close"; code: number }
  /** An error frame, a refused upgrade or a long-poll answer with an error; `at` tells the opening from a later poll. */
  | { kind: "error"; at: "open" | "poll"; error: ApiError }
  | { kind: "network" | "timeout" | "dead"; message: string; obstacle?: Obstacle | undefined };

/** What is told of the link, and what the next step depends on besides. */
export interface LinkState extends Readonly<
  Pick<Link, "phase" | "failures" | "reason" | "todo" | "cause" | "code">
> {
  /** What goes on while `connecting`. */
  readonly doing?: "attempt" | "probe" | "refresh";
  /** What is open, or what the next attempt uses. */
  readonly transport: Transport;
  /** The provider has no long-poll (specification/realtime.md §11): remembered for the life of the client. */
  readonly longPollUnsupported: boolean;
  /** A long-poll session that may still be alive at the provider. */
  readonly session?: string;
  /** Closes in a row before a first frame. */
  readonly closes: number;
  /** WebSockets in a row that opened and were cut soon after. */
  readonly cuts?: number;
  /** What the credentials were refused with while they are renewed. */
  readonly refusal?: ApiError;
}

export type ConnectionInput =
  | { type: "connect" }
  | { type: "opened"; transport: Transport; connectionId: string; resumed: boolean }
  /** A poll was answered: the session works. */
  | { type: "polled" }
  /** `lived`: milliseconds since the WebSocket opened. */
  | { type: "ended"; end: End; lived?: number | undefined }
  | { type: "probed"; answered: boolean }
  /** It could not even be dialled: no token, no provider, no address. The error is the caller's (specification/auth.md §4). */
  | { type: "notDialled"; error: Error }
  | { type: "refreshed" }
  | { type: "refreshFailed"; error: Error; final: boolean }
  /** The back-off is over. */
  | { type: "due" }
  | { type: "online" }
  | { type: "offline" }
  /** The user asks to try now. */
  | { type: "nudge" }
  | { type: "disconnect" };

export type Effect =
  | { do: "attempt"; transport: Transport; session?: string }
  /** GET /hi, then `probed`. */
  | { do: "probe" }
  | { do: "refresh" }
  /** Milliseconds, or the back-off of this many failures, then `due`. */
  | { do: "wait"; ms: number }
  | { do: "wait"; failures: number }
  /** Drops whatever is open or opening, without a word to it. */
  | { do: "drop" }
  /** Makes connectUser fail with it; trying goes on. */
  | { do: "report"; error: Error }
  /** The end of it, until the user asks again: connectUser fails, the user is told. */
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

/** A link that broke, without a word of the other side. */
export const CLOSE_ABNORMAL = 1006;
/** A WebSocket that is cut sooner than this after its opening, milliseconds, and so often in a row, is not worth another try. */
const SHORT_LINK = 60_000;
const CUTS_UNTIL_LONGPOLL = 3;

const OFFLINE = "this machine has no network";
const ENDS = "the provider keeps closing the connection";

/** What a close code says (specification/realtime.md §5). Whatever it is: a close that core did not ask for is followed by a new attempt. */
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

/** Keys whose lifetime is one phase are forgotten on the way to the next. */
function move(state: LinkState, phase: LinkPhase, change: Partial<LinkState> = {}): LinkState {
  const {
    doing: _doing,
    reason: _reason,
    todo: _todo,
    cause,
    code: _code,
    refusal: _refusal,
    ...kept
  } = state;
  // One attempt a minute is not yet a change for the better.
  const still = phase === "connecting" && cause === "ended";
  return { ...kept, phase, ...(still && { cause }), ...change };
}

function without(state: LinkState, key: "session" | "cuts"): LinkState {
  const { [key]: _gone, ...kept } = state;
  return kept;
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
  if (state.closes >= CLOSES_UNTIL_NAMED) return ends(state, context, `${ENDS}: ${reason}`);
  const failures = state.failures + 1;
  if (!context.online) return { state: move(state, "offline", { failures, reason: OFFLINE }), effects: [] };
  return {
    state: move(state, "waiting", { failures, reason }),
    effects: [{ do: "wait", failures }],
  };
}

/** Something in between does not let the link come about, and says so each time: asked again, but seldom. */
function ends(state: LinkState, context: LinkContext, reason: string): Transition {
  const failures = state.failures + 1;
  if (!context.online) return { state: move(state, "offline", { failures, reason: OFFLINE }), effects: [] };
  return {
    state: move(state, "waiting", { failures, reason, cause: "ended" }),
    effects: [
      { do: "wait", ms: ENDED_RETRY },
      { do: "report", error: new TransportError("ERR_NETWORK", reason, undefined, true) },
    ],
  };
}

/** Only for credentials that are refused, and for what this program was given wrongly itself. */
function stop(state: LinkState, error: Error): Transition {
  const refused = error instanceof ApiError || error instanceof SignInNeeded;
  const obstacle = error instanceof TransportError ? error.obstacle : undefined;
  const code = error instanceof ApiError ? error.code : state.refusal?.code;
  return {
    state: move(without(state, "session"), "stopped", {
      reason: error.message,
      ...(refused && { cause: "refused" }),
      ...(obstacle && { cause: "blocked", todo: obstacle.todo }),
      ...(code !== undefined && { code }),
    }),
    effects: [{ do: "stop", error }],
  };
}

function armed(state: LinkState, context: LinkContext): boolean {
  return context.mode === "auto" && state.transport === "websocket" && !state.longPollUnsupported;
}

function lost(state: LinkState, context: LinkContext, reason: string): Transition {
  // Only an attempt that failed, or one that is cut each time, proves that WebSockets do not get through (specification/realtime.md §11).
  const fails = state.phase === "connecting" || (state.cuts ?? 0) >= CUTS_UNTIL_LONGPOLL;
  if (fails && armed(state, context) && context.online)
    return {
      state: move(state, "connecting", { doing: "probe", failures: state.failures + 1, reason }),
      effects: [{ do: "probe" }],
    };
  return fail(webSocketFirst(state, context), context, reason);
}

/** A long-poll that did not even open is no better than a WebSocket: the next attempt starts from the top. */
function webSocketFirst(state: LinkState, context: LinkContext): LinkState {
  const opening = state.phase === "connecting" && state.session === undefined;
  return context.mode === "auto" && opening ? { ...state, transport: "websocket" } : state;
}

/** A proxy that cuts what lasts lets each new WebSocket in and ends it soon: one that lived long, or that did not open, is another case. */
function countedCut(state: LinkState, end: End, lived: number | undefined): LinkState {
  const cut = end.kind === "network" || (end.kind === "close" && end.code === CLOSE_ABNORMAL);
  if (state.phase !== "open" || state.transport !== "websocket") return state;
  const short = cut && lived !== undefined && lived < SHORT_LINK;
  return short ? { ...state, cuts: (state.cuts ?? 0) + 1 } : without(state, "cuts");
}

/** One more close before a first frame; whatever else keeps a WebSocket from opening is no close. */
function counted(state: LinkState, closed: boolean): LinkState {
  if (state.phase !== "connecting") return state;
  if (state.cuts !== undefined) return counted(without(state, "cuts"), closed);
  if (closed) return { ...state, closes: state.closes + 1 };
  return state.transport === "websocket" ? { ...state, closes: 0 } : state;
}

/** A source that may have a new token is asked before anything is given up. */
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

/** Where the source has nothing newer, the provider's own words say more than that. */
function notRenewed(state: LinkState, error: Error): Transition {
  const unchanged = error instanceof SignInNeeded && error.unchanged;
  return stop(state, unchanged && state.refusal ? state.refusal : error);
}

function noLongPoll(state: LinkState, context: LinkContext): Transition {
  const reason = "the provider does not offer long polling";
  if (context.mode === "longpoll") return ends(state, context, reason);
  return fail({ ...state, transport: "websocket", longPollUnsupported: true }, context, reason);
}

function refused(state: LinkState, context: LinkContext, at: "open" | "poll", error: ApiError): Transition {
  const { status } = error;
  if (refusesCredentials(error.code)) return refusedCredentials(state, context, error);
  const polling = state.transport === "longpoll";
  if (polling && at === "open" && [404, 405, 501].includes(status)) return noLongPoll(state, context);
  if (status === 429 || status === 408 || status >= 500)
    return fail(webSocketFirst(counted(state, false), context), context, error.message);
  if (polling && at === "poll") {
    const reason = status === 404 ? "the long-poll session ended" : error.message;
    return fail(without(state, "session"), context, reason);
  }
  const step = fail(webSocketFirst(counted(state, true), context), context, error.message);
  return { ...step, effects: [...step.effects, { do: "report", error }] };
}

function ended(before: LinkState, context: LinkContext, end: End, lived: number | undefined): Transition {
  if (before.phase !== "connecting" && before.phase !== "open") return { state: before, effects: [] };
  const state = countedCut(before, end, lived);
  switch (end.kind) {
    case "error":
      return refused(state, context, end.at, end.error);
    case "close": {
      const reason = CLOSE_REASONS[end.code] ?? `the connection was closed (${end.code})`;
      return lost(counted(state, true), context, reason);
    }
    default:
      if (isLasting(end.obstacle)) return stop(state, obstacleError(end.obstacle!));
      return lost(counted(state, false), context, end.message);
  }
}

/** What waiting does not mend is not tried again until the user asks. */
const obstacleError = (obstacle: Obstacle): TransportError =>
  new TransportError("ERR_NETWORK", obstacle.says, undefined, true, undefined, obstacle);

/** Without a token of its own, or with an address that is none, the next attempt would fail as this one did. */
function notDialled(state: LinkState, context: LinkContext, error: Error): Transition {
  const lasts = error instanceof TransportError && isLasting(error.obstacle);
  if (lasts || error instanceof LocalError) return stop(state, error);
  const step = fail(state, context, error.message);
  return { ...step, effects: [...step.effects, { do: "report", error }] };
}

/** What changes nothing. */
const same = (state: LinkState): Transition => ({ state, effects: [] });

const goOffline = (state: LinkState): LinkState => move(state, "offline", { reason: OFFLINE });

/** A new attempt, as soon as there is a network. */
const attemptOnline = (state: LinkState, { online }: LinkContext): Transition =>
  online ? attempt(state) : same(goOffline(state));

function opened(state: LinkState, input: Extract<ConnectionInput, { type: "opened" }>): Transition {
  // A WebSocket may open beside what is open: the way back from long polling (specification/realtime.md §11), or a newer token.
  const beside = state.phase === "open" && input.transport === "websocket";
  if (state.doing !== "attempt" && !beside) return same(state);
  const { transport, connectionId, resumed } = input;
  const kept = transport === "longpoll" ? { ...state, session: connectionId } : without(state, "session");
  return same(move(kept, "open", { transport, failures: resumed ? state.failures : 0, closes: 0 }));
}

function probed(state: LinkState, context: LinkContext, answered: boolean): Transition {
  if (answered) return attempt({ ...state, transport: "longpoll" });
  // There is no fallback now, and the reconnect timer runs on (specification/realtime.md §11).
  const { failures, reason = "the provider cannot be reached" } = state;
  return fail({ ...state, failures: failures - 1 }, context, reason);
}

/** One step. What a phase has no row for changes nothing: late results are dropped. */
export function next(state: LinkState, input: ConnectionInput, context: LinkContext): Transition {
  const { phase, doing } = state;
  switch (input.type) {
    case "connect":
      if (phase !== "idle" && phase !== "stopped") return same(state);
      return attemptOnline(context.online ? { ...state, failures: 0, closes: 0 } : state, context);
    case "opened":
      return opened(state, input);
    case "polled":
      return same(phase === "open" && state.failures > 0 ? { ...state, failures: 0 } : state);
    case "ended":
      return ended(state, context, input.end, input.lived);
    case "probed":
      return doing === "probe" ? probed(state, context, input.answered) : same(state);
    case "notDialled":
      return doing === "attempt" ? notDialled(state, context, input.error) : same(state);
    case "refreshed":
      return doing === "refresh" ? attempt(state) : same(state);
    case "refreshFailed":
      if (doing !== "refresh") return same(state);
      return input.final ? notRenewed(state, input.error) : fail(state, context, input.error.message);
    case "due":
      return phase === "waiting" ? attemptOnline(state, context) : same(state);
    case "online":
      if (phase !== "offline") return same(state);
      return {
        state: move(state, "waiting", { reason: "the network is back" }),
        effects: [{ do: "wait", ms: ONLINE_REOPEN_DELAY }],
      };
    case "offline":
      if (phase === "idle" || phase === "stopped" || phase === "offline") return same(state);
      return { state: goOffline(state), effects: [{ do: "drop" }] };
    case "nudge":
      return phase === "waiting" || phase === "offline" || phase === "stopped" ? attempt(state) : same(state);
    case "disconnect":
      if (phase === "idle") return same(state);
      return {
        state: move(without(state, "session"), "idle", { failures: 0, closes: 0 }),
        effects: [{ do: "drop" }],
      };
  }
}
