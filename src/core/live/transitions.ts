/** The connection's state machine as a pure function: what each happening makes of the link, and what has to be done (realtime.md §5, §6, §11, §13). */
import { CLOSE_NORMAL, ONLINE_REOPEN_DELAY } from "../../wire/constants.ts";
import { TOKEN_EXPIRED } from "../../wire/errors.ts";
import { ApiError, LocalError } from "../errors.ts";
import type { LinkPhase } from "../state/model.ts";

export type Mode = "auto" | "websocket" | "longpoll";
export type Transport = "websocket" | "longpoll";

/** How an attempt or an open connection came to its end. */
export type End =
  | { kind: "close"; code: number }
  /** An error frame, a refused upgrade or a long-poll answer with an error; `at` tells the opening from a later poll. */
  | { kind: "error"; at: "open" | "poll"; error: ApiError }
  | { kind: "network" | "timeout" | "dead"; message: string };

export interface LinkState {
  readonly phase: LinkPhase;
  /** What goes on while `connecting`. */
  readonly doing?: "attempt" | "probe" | "refresh";
  /** What is open, or what the next attempt uses. */
  readonly transport: Transport;
  /** n of realtime.md §6: failures in a row. */
  readonly failures: number;
  /** The provider has no long-poll (decisions 15): remembered for the life of the client. */
  readonly longPollUnsupported: boolean;
  /** A long-poll session that may still be alive at the provider. */
  readonly session?: string;
  /** Why the link is not open, a sentence. */
  readonly reason?: string;
}

export type Input =
  | { type: "connect" }
  | { type: "opened"; transport: Transport; connectionId: string; resumed: boolean }
  /** A poll was answered: the session works. */
  | { type: "polled" }
  | { type: "ended"; end: End }
  | { type: "probed"; answered: boolean }
  /** The token could not be had before dialling: its source's error is the caller's (auth.md §4). */
  | { type: "tokenFailed"; error: Error }
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
  /** The end of it: connectUser fails, the user is told. */
  | { do: "stop"; error: Error };

export interface Facts {
  mode: Mode;
  /** The token source is a function. */
  refreshable: boolean;
  online: boolean;
}

export interface Step {
  state: LinkState;
  effects: Effect[];
}

const NORMAL_END = "realtime connection ended normally (1000)";
const OFFLINE = "this machine has no network";

/** The client's reaction to a close code (realtime.md §5); codes that are not listed mean `reconnect`. */
export const CLOSE_REACTIONS: Readonly<Record<number, { reaction: "final" | "reconnect"; reason: string }>> =
  {
    1000: { reaction: "final", reason: "the provider ended the connection" },
    1001: { reaction: "reconnect", reason: "the provider went away" },
    1006: { reaction: "reconnect", reason: "the connection broke" },
    1008: { reaction: "reconnect", reason: "the provider closed the connection" },
    1009: { reaction: "reconnect", reason: "a frame was too big" },
    1011: { reaction: "reconnect", reason: "the provider had an internal error" },
    1013: { reaction: "reconnect", reason: "there are too many connections" },
  };

export function firstState(mode: Mode): LinkState {
  return {
    phase: "idle",
    transport: mode === "longpoll" ? "longpoll" : "websocket",
    failures: 0,
    longPollUnsupported: false,
  };
}

/** Keys whose lifetime is one phase are forgotten on the way to the next. */
function move(state: LinkState, phase: LinkPhase, change: Partial<LinkState> = {}): LinkState {
  const { doing: _doing, reason: _reason, ...kept } = state;
  return { ...kept, phase, ...change };
}

function without(state: LinkState, key: "session"): LinkState {
  const { [key]: _gone, ...kept } = state;
  return kept;
}

function attempt(state: LinkState): Step {
  const { transport, session } = state;
  const resume = transport === "longpoll" && session !== undefined;
  return {
    state: move(state, "connecting", { doing: "attempt" }),
    effects: [{ do: "attempt", transport, ...(resume && { session }) }],
  };
}

function fail(state: LinkState, facts: Facts, reason: string): Step {
  const failures = state.failures + 1;
  if (!facts.online) return { state: move(state, "offline", { failures, reason: OFFLINE }), effects: [] };
  return {
    state: move(state, "waiting", { failures, reason }),
    effects: [{ do: "wait", failures }],
  };
}

function stop(state: LinkState, error: Error): Step {
  return {
    state: move(without(state, "session"), "stopped", { reason: error.message }),
    effects: [{ do: "stop", error }],
  };
}

function armed(state: LinkState, facts: Facts): boolean {
  return facts.mode === "auto" && state.transport === "websocket" && !state.longPollUnsupported;
}

function lost(state: LinkState, facts: Facts, reason: string): Step {
  // Only an attempt that failed proves that WebSockets do not get through (realtime.md §11).
  if (state.phase === "connecting" && armed(state, facts) && facts.online)
    return {
      state: move(state, "connecting", { doing: "probe", failures: state.failures + 1, reason }),
      effects: [{ do: "probe" }],
    };
  return fail(webSocketFirst(state, facts), facts, reason);
}

/** A long-poll that did not even open is no better than a WebSocket: the next attempt starts from the top. */
function webSocketFirst(state: LinkState, facts: Facts): LinkState {
  const opening = state.phase === "connecting" && state.session === undefined;
  return facts.mode === "auto" && opening ? { ...state, transport: "websocket" } : state;
}

function refused(state: LinkState, facts: Facts, at: "open" | "poll", error: ApiError): Step {
  const { status, code } = error;
  if (code === TOKEN_EXPIRED) {
    if (!facts.refreshable) return stop(state, error);
    return {
      state: move(state, "connecting", { doing: "refresh", reason: "the token is being renewed" }),
      effects: [{ do: "refresh" }],
    };
  }
  if (state.transport === "longpoll" && at === "open" && [404, 405, 501].includes(status)) {
    if (facts.mode === "longpoll")
      return stop(state, new LocalError("The provider does not offer long polling"));
    return fail(
      { ...state, transport: "websocket", longPollUnsupported: true },
      facts,
      "the provider does not offer long polling",
    );
  }
  if (state.transport === "longpoll" && at === "poll" && status === 404)
    return fail(without(state, "session"), facts, "the long-poll session ended");
  if (status === 429 || status === 408 || status >= 500)
    return fail(webSocketFirst(state, facts), facts, error.message);
  return stop(state, error);
}

function ended(state: LinkState, facts: Facts, end: End): Step {
  if (state.phase !== "connecting" && state.phase !== "open") return { state, effects: [] };
  switch (end.kind) {
    case "error":
      return refused(state, facts, end.at, end.error);
    case "close":
      if (end.code === CLOSE_NORMAL) return stop(state, new LocalError(NORMAL_END));
      return lost(
        state,
        facts,
        CLOSE_REACTIONS[end.code]?.reason ?? `the connection was closed (${end.code})`,
      );
    default:
      return lost(state, facts, end.message);
  }
}

/** One step. What a phase has no row for changes nothing: late results are dropped. */
export function next(state: LinkState, input: Input, facts: Facts): Step {
  const same: Step = { state, effects: [] };
  const { phase, doing } = state;
  switch (input.type) {
    case "connect":
      if (phase !== "idle" && phase !== "stopped") return same;
      if (!facts.online) return { state: move(state, "offline", { reason: OFFLINE }), effects: [] };
      return attempt({ ...state, failures: 0 });
    case "opened": {
      // A WebSocket may open beside a running long-poll: the way back (realtime.md §11).
      const back = phase === "open" && state.transport === "longpoll" && input.transport === "websocket";
      if (doing !== "attempt" && !back) return same;
      const kept =
        input.transport === "longpoll"
          ? { ...state, session: input.connectionId }
          : without(state, "session");
      return {
        state: move(kept, "open", {
          transport: input.transport,
          failures: input.resumed ? state.failures : 0,
        }),
        effects: [],
      };
    }
    case "polled":
      return phase === "open" && state.failures > 0
        ? { state: { ...state, failures: 0 }, effects: [] }
        : same;
    case "ended":
      return ended(state, facts, input.end);
    case "probed": {
      if (doing !== "probe") return same;
      if (input.answered) return attempt({ ...state, transport: "longpoll" });
      // Decisions 15: no fallback now, and the reconnect timer runs on.
      const { failures, reason = "the provider cannot be reached" } = state;
      if (!facts.online) return { state: move(state, "offline", { reason: OFFLINE }), effects: [] };
      return { state: move(state, "waiting", { reason }), effects: [{ do: "wait", failures }] };
    }
    case "tokenFailed":
      return doing === "attempt" ? stop(state, input.error) : same;
    case "refreshed":
      return doing === "refresh" ? attempt(state) : same;
    case "refreshFailed":
      if (doing !== "refresh") return same;
      return input.final ? stop(state, input.error) : fail(state, facts, input.error.message);
    case "due":
      if (phase !== "waiting") return same;
      if (!facts.online) return { state: move(state, "offline", { reason: OFFLINE }), effects: [] };
      return attempt(state);
    case "online":
      if (phase !== "offline") return same;
      return {
        state: move(state, "waiting", { reason: "the network is back" }),
        effects: [{ do: "wait", ms: ONLINE_REOPEN_DELAY }],
      };
    case "offline":
      if (phase === "idle" || phase === "stopped" || phase === "offline") return same;
      return { state: move(state, "offline", { reason: OFFLINE }), effects: [{ do: "drop" }] };
    case "nudge":
      return phase === "waiting" || phase === "offline" ? attempt(state) : same;
    case "disconnect":
      if (phase === "idle") return same;
      return { state: move(without(state, "session"), "idle", { failures: 0 }), effects: [{ do: "drop" }] };
  }
}
