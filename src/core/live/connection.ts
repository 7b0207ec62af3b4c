/** Keeps one connection alive: runs the state machine's effects, owns its timers, and drops what is late (specification/realtime.md §6, §11–13). */
import {
  CONNECT_TIMEOUT,
  CONNECT_TIMEOUT_WITH_FALLBACK,
  WEBSOCKET_RETRY_ON_LONGPOLL,
} from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { refusesCredentials } from "../../wire/errors.ts";
import { SignInNeeded } from "../http/token.ts";
import type { Clock, Log, Random, Timer } from "../base/ports.ts";
import type { Link } from "../../model/state.ts";
import type { Attempt, Hello } from "./connection-attempt.ts";
import { delay } from "../base/delay.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { LongPollHandlers } from "./longpoll.ts";
import { watchExpiry } from "./renewal.ts";
import { firstState, next } from "./transitions.ts";
import type { Effect, End, Input, LinkState, Mode, Transport } from "./transitions.ts";

/** Milliseconds between two looks at the network interfaces while there is none. */
const ONLINE_POLL = 1000;
/** Milliseconds between two questions whether the credentials of an open link still hold. */
const DOUBT_PAUSE = 10_000;

export interface ConnectionDeps {
  clock: Clock;
  random: Random;
  log: Log;
  mode: Mode;
  online(): boolean;
  /** Loads the token and dials; rejects when there is no token. Handlers may be called before it resolves. */
  dialWebSocket(handlers: LongPollHandlers, timeout: number): Promise<Attempt>;
  dialLongPoll(handlers: LongPollHandlers, session: string | undefined): Promise<Attempt>;
  /** GET /hi answered. */
  probe(): Promise<boolean>;
  refreshable(): boolean;
  /** A new token instead of the one the last attempt used. */
  refresh(): Promise<void>;
  /** Asks for a newer token before the one in use ends; false when there is none yet. */
  renew(): Promise<boolean>;
  /** When the token of the last attempt ends by the provider's clock, milliseconds; undefined = never, or nobody can make another. */
  tokenEnds(): number | undefined;
  /** The provider's time, milliseconds. */
  providerNow(): number;
}

export interface ConnectionEvents {
  link(link: { [K in keyof Link]?: Link[K] | undefined }): void;
  /** The first frame, before anything is said about the link (specification/realtime.md §7.1). */
  hello(hello: Hello): void;
  /** After every opening; `hello.me` is absent when a long-poll session was resumed. */
  opened(hello: Hello): void;
  /** Once per change of whether the link is open. */
  changed(online: boolean): void;
  transport(mode: Transport): void;
  events(batch: AnyEvent[]): void;
  healthCheck(createdAt: string | undefined): void;
  /** An attempt came to nothing in a way that its user should hear of; more are made. */
  failed(error: Error): void;
  /** The end: nothing more is tried until `connect` or `nudge`. */
  stopped(error: Error): void;
}

export interface Connection {
  state(): LinkState;
  /** Defined only while open (specification/realtime.md §13). */
  connectionId(): string | undefined;
  connect(): void;
  /** Says goodbye and returns within CLOSE_WAIT; anything that arrives later is dropped. */
  disconnect(): Promise<void>;
  /** Tries now instead of later. */
  nudge(): void;
  /** A call got no answer: asks whether the link lives. */
  verifyLink(): void;
  /** A call was refused for its credentials: asks whether those of the link still hold. */
  verifyCredentials(): void;
  /** The provider's clock is another than was thought. */
  clockMoved(): void;
  /** Settles when the very first attempt has come to an end; undefined when there is none under way. */
  firstAttempt(): Promise<void> | undefined;
}

export function createConnection(deps: ConnectionDeps, events: ConnectionEvents): Connection {
  const { clock, random, log } = deps;
  let state = firstState(deps.mode);
  /** Numbers attempts; whatever belongs to another number than the current one is late (specification/realtime.md §5). */
  let generation = 0;
  let dialled = 0;
  let attempt: Attempt | undefined;
  let connectionId: string | undefined;
  let health: Heartbeat | undefined;
  let retry: Timer | undefined;
  let retryAt: number | undefined;
  let onlinePoll: Timer | undefined;
  /** A WebSocket that is opened beside the open link, to take its place. */
  let beside: { generation: number; attempt?: Attempt } | undefined;
  let doubted = -Infinity;
  let backTimer: Timer | undefined;
  let backDue = 0;
  let openedAt = 0;
  let wasOnline = true;
  let announcedOpen = false;
  let announcedTransport: Transport = "websocket";
  let first: { promise: Promise<void>; done(): void } | undefined;

  const expiry = watchExpiry({
    clock,
    now: deps.providerNow,
    async renew() {
      const mine = generation;
      if (!(await deps.renew()) || mine !== generation) return;
      if (state.transport === "websocket") tryBeside();
      else if (attempt?.renew) {
        attempt.renew();
        expiry.watch(deps.tokenEnds());
      }
    },
  });

  const context = () => ({ mode: deps.mode, refreshable: deps.refreshable(), online: deps.online() });

  const feed = (input: Input): void => {
    const before = state;
    const step = next(state, input, context());
    state = step.state;
    if (step.effects.length === 0 && before === state) return;
    leave(before);
    if (state.phase !== "waiting") {
      clock.clearTimeout(retry);
      retryAt = undefined;
    }
    for (const effect of step.effects) perform(effect);
    if (state.phase === "offline" && before.phase !== "offline") pollOnline();
    announce();
  };

  /** Ends what lives only while open or while an attempt runs. */
  const leave = (before: LinkState): void => {
    if (before.phase === "open" && state.phase !== "open") {
      health?.stop();
      health = undefined;
      connectionId = undefined;
      expiry.stop();
      cancelBeside();
    }
    if (before.phase === "offline" && state.phase !== "offline") clock.clearTimeout(onlinePoll);
    if (first && state.phase !== "connecting") {
      first.done();
      first = undefined;
    }
  };

  const announce = (): void => {
    const open = state.phase === "open";
    events.link({
      phase: state.phase,
      transport: open ? state.transport : undefined,
      failures: state.failures,
      retryAt,
      reason: state.reason,
      todo: state.todo,
      cause: state.cause,
      code: state.code,
      ...(!open && { latency: undefined }),
    });
    if (open !== announcedOpen) {
      announcedOpen = open;
      events.changed(open);
    }
  };

  const perform = (effect: Effect): void => {
    switch (effect.do) {
      case "attempt":
        return void start(effect.transport, effect.session);
      case "probe": {
        const mine = (generation = ++dialled);
        deps.probe().then(
          (answered) => mine === generation && feed({ type: "probed", answered }),
          () => mine === generation && feed({ type: "probed", answered: false }),
        );
        return;
      }
      case "refresh": {
        const mine = (generation = ++dialled);
        deps.refresh().then(
          () => mine === generation && feed({ type: "refreshed" }),
          (error: Error) =>
            mine === generation &&
            feed({ type: "refreshFailed", error, final: error instanceof SignInNeeded }),
        );
        return;
      }
      case "wait": {
        const ms = "ms" in effect ? effect.ms : delay(effect.failures, random.float());
        retryAt = clock.now() + ms;
        clock.clearTimeout(retry);
        retry = clock.setTimeout(() => feed({ type: "due" }), ms);
        return;
      }
      case "drop":
        generation = ++dialled;
        attempt?.drop();
        attempt = undefined;
        return;
      case "report":
        return events.failed(effect.error);
      case "stop":
        generation = ++dialled;
        attempt = undefined;
        log.warn("the connection was stopped", { reason: effect.error.message });
        events.stopped(effect.error);
    }
  };

  const start = (transport: Transport, session: string | undefined): void => {
    const mine = (generation = ++dialled);
    attempt = undefined;
    const handlers = handlersOf(mine, transport);
    const fallback = deps.mode === "auto" && !state.longPollUnsupported;
    const dialling =
      transport === "websocket"
        ? deps.dialWebSocket(handlers, fallback ? CONNECT_TIMEOUT_WITH_FALLBACK : CONNECT_TIMEOUT)
        : deps.dialLongPoll(handlers, session);
    dialling.then(
      (dialing) => {
        if (mine === generation) attempt ??= dialing;
        else dialing.drop();
      },
      (error: Error) => {
        if (mine === generation) feed({ type: "notDialled", error });
      },
    );
  };

  const handlersOf = (mine: number, transport: Transport): LongPollHandlers => ({
    opened(hello) {
      if (beside?.generation === mine) return takePlace(hello);
      if (mine === generation) opened(hello, transport);
    },
    events(batch) {
      if (mine === generation) events.events(batch);
    },
    alive() {
      if (mine === generation) health?.alive();
    },
    healthCheck(createdAt) {
      if (mine !== generation) return;
      const latency = health?.answered();
      if (latency !== undefined) events.link({ latency });
      events.healthCheck(createdAt);
    },
    polled() {
      if (mine === generation) feed({ type: "polled" });
    },
    ended(end) {
      if (beside?.generation === mine) return besideEnded(end);
      if (mine !== generation) return;
      generation = ++dialled;
      attempt = undefined;
      log.info("the link ended", { kind: end.kind, ...(end.kind === "close" && { code: end.code }) });
      feed({ type: "ended", end, lived: lived() });
    },
  });
  /** Milliseconds since the connection opened. */
  const lived = (): number | undefined => (state.phase === "open" ? clock.monotonic() - openedAt : undefined);

  const opened = (hello: Hello, transport: Transport): void => {
    connectionId = hello.connectionId;
    openedAt = clock.monotonic();
    health?.stop();
    health = startHeartbeat(
      clock,
      {
        ping: () => attempt?.ping(),
        dead(message) {
          generation = ++dialled;
          attempt?.drop();
          attempt = undefined;
          feed({ type: "ended", end: { kind: "dead", message } });
        },
        look,
      },
      transport === "websocket",
    );
    events.hello(hello);
    feed({ type: "opened", transport, connectionId: hello.connectionId, resumed: hello.resumed });
    if (transport !== announcedTransport) {
      announcedTransport = transport;
      events.transport(transport);
    }
    if (transport === "longpoll") scheduleBack();
    expiry.watch(deps.tokenEnds());
    wasOnline = deps.online();
    events.opened(hello);
  };

  /** Only a link that is open notices here that the machine lost or found its network. */
  const look = (): void => {
    const online = deps.online();
    if (!online && wasOnline && state.transport === "websocket") feed({ type: "offline" });
    if (online && !wasOnline && state.phase === "open" && state.transport === "longpoll") tryBack();
    wasOnline = online;
  };

  const pollOnline = (): void => {
    clock.clearTimeout(onlinePoll);
    onlinePoll = clock.setTimeout(() => {
      if (deps.online()) feed({ type: "online" });
      else pollOnline();
    }, ONLINE_POLL);
  };

  // The way back to a WebSocket runs beside an open long poll (specification/realtime.md §11).
  const scheduleBack = (): void => {
    clock.clearTimeout(backTimer);
    if (deps.mode !== "auto" || state.phase !== "open" || state.transport !== "longpoll") return;
    if (backDue <= clock.monotonic()) backDue = clock.monotonic() + WEBSOCKET_RETRY_ON_LONGPOLL;
    backTimer = clock.setTimeout(tryBack, backDue - clock.monotonic());
  };
  const tryBack = (): void => {
    clock.clearTimeout(backTimer);
    backDue = 0;
    if (deps.mode === "auto") tryBeside();
  };

  const tryBeside = (): void => {
    if (beside || state.phase !== "open") return;
    const mine = ++dialled;
    const trying: { generation: number; attempt?: Attempt } = { generation: mine };
    beside = trying;
    deps.dialWebSocket(handlersOf(mine, "websocket"), CONNECT_TIMEOUT_WITH_FALLBACK).then(
      (dialing) => {
        if (beside === trying) trying.attempt = dialing;
        else if (attempt !== dialing && generation !== mine) dialing.drop();
        else attempt = dialing;
      },
      () => {
        if (beside === trying) beside = undefined;
        scheduleBack();
      },
    );
  };
  const takePlace = (hello: Hello): void => {
    const old = attempt;
    attempt = beside?.attempt;
    generation = beside!.generation;
    beside = undefined;
    void old?.close();
    opened(hello, "websocket");
  };
  /** What refuses the new one's credentials refuses those of the link, too; any other end leaves the link alone. */
  const besideEnded = (end: End): void => {
    beside = undefined;
    log.debug("no WebSocket beside the link", { kind: end.kind });
    if (end.kind !== "error" || !refusesCredentials(end.error.code)) return scheduleBack();
    generation = ++dialled;
    attempt?.drop();
    attempt = undefined;
    feed({ type: "ended", end });
  };
  const cancelBeside = (): void => {
    clock.clearTimeout(backTimer);
    beside?.attempt?.drop();
    beside = undefined;
  };

  return {
    state: () => state,
    connectionId: () => connectionId,
    connect() {
      if (state.phase === "waiting" || state.phase === "offline") return feed({ type: "nudge" });
      if (state.phase !== "idle" && state.phase !== "stopped") return;
      let done = (): void => undefined;
      first = { promise: new Promise((resolve) => (done = resolve)), done: () => done() };
      wasOnline = deps.online();
      announcedTransport = "websocket";
      feed({ type: "connect" });
    },
    async disconnect() {
      const old = attempt;
      attempt = undefined;
      const wasOpen = state.phase === "open";
      feed({ type: "disconnect" });
      if (!old) return;
      if (!wasOpen) return old.drop();
      await old.close();
    },
    nudge: () => feed({ type: "nudge" }),
    verifyLink: () => health?.verifyLink(),
    verifyCredentials() {
      if (state.transport !== "websocket" || clock.monotonic() - doubted < DOUBT_PAUSE) return;
      doubted = clock.monotonic();
      tryBeside();
    },
    clockMoved: () => expiry.moved(),
    firstAttempt: () => first?.promise,
  };
}
