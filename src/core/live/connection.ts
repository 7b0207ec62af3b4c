/** Keeps one connection alive: runs the state machine's effects, owns its timers, and drops late events (specification/realtime.md §6, §11–13). */
import type { AnyEvent } from "../../wire/events.ts";
import type { Link } from "../../model/state.ts";
import { type Hello, type Attempt, Attempts, Handover } from "./attempts.ts";
import {
  type Transport,
  type LinkState,
  firstState,
  next,
  type Effect,
  type End,
  type ConnectionInput,
  type Mode,
} from "./transitions.ts";
import { CONNECT_TIMEOUT, CONNECT_TIMEOUT_WITH_FALLBACK } from "../../wire/constants.ts";
import { refusesCredentials } from "../../wire/errors.ts";
import { SignInNeeded } from "../http/token.ts";
import type { Clock, Log, Random, Timer } from "../base/ports.ts";
import { delay } from "../base/delay.ts";
import { Heartbeat, NetworkWatch } from "./heartbeat.ts";
import type { LongPollHandlers } from "./longpoll.ts";
import { watchExpiry, type Expiry } from "./token-watch.ts";

export interface ConnectionEvents {
  link(link: { [K in keyof Link]?: Link[K] | undefined }): void;
  /** The first frame, before the link state changes (specification/realtime.md §7.1). */
  hello(hello: Hello): void;
  /** After every opening; `hello.me` is absent when a long-poll session was resumed. */
  opened(hello: Hello): void;
  /** The connection opened or is no longer open. */
  onlineChanged(online: boolean): void;
  transport(mode: Transport): void;
  events(batch: AnyEvent[]): void;
  healthCheck(createdAt: string | undefined): void;
  /** An attempt failed in a way the caller of connectUser must know; retries go on. */
  failed(error: Error): void;
  /** Retrying has stopped until `connect` or `retryNow`. */
  stopped(error: Error): void;
}

class ConnectionStatus {
  readonly #events: ConnectionEvents;
  #open = false;
  #transport: Transport = "websocket";

  constructor(events: ConnectionEvents) {
    this.#events = events;
  }

  /** A first opening by WebSocket is not announced as a change of transport. */
  reset(): void {
    this.#transport = "websocket";
  }

  /** `retryAt`: wall clock of the next attempt. */
  link(state: LinkState, retryAt: number | undefined): void {
    const open = state.phase === "open";
    this.#events.link({
      phase: state.phase,
      transport: open ? state.transport : undefined,
      failures: state.failures,
      retryAt,
      reason: state.reason,
      hint: state.hint,
      cause: state.cause,
      code: state.code,
      ...(!open && { latency: undefined }),
    });
    if (open === this.#open) return;
    this.#open = open;
    this.#events.onlineChanged(open);
  }

  transport(transport: Transport): void {
    if (transport === this.#transport) return;
    this.#transport = transport;
    this.#events.transport(transport);
  }
}

/** Milliseconds between two checks of the credentials of an open connection. */
const CREDENTIAL_CHECK_PAUSE = 10_000;

export interface ConnectionDeps {
  clock: Clock;
  random: Random;
  log: Log;
  mode: Mode;
  online(): boolean;
  /** Loads the token and dials; rejects when there is no token. Handlers may be called before it resolves. */
  dialWebSocket(handlers: LongPollHandlers, timeout: number): Promise<Attempt>;
  dialLongPoll(handlers: LongPollHandlers, session: string | undefined): Promise<Attempt>;
  /** Whether GET /hi was answered. */
  probe(): Promise<boolean>;
  refreshable(): boolean;
  /** Replaces the token of the last attempt. */
  refresh(): Promise<void>;
  /** Fetches a newer token before the current one expires; false when there is none yet. */
  renew(): Promise<boolean>;
  /** Expiry of the current token by the provider's clock, milliseconds; undefined = never, or it cannot be renewed. */
  tokenExpiry(): number | undefined;
  /** The provider's time, milliseconds. */
  providerNow(): number;
}

export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #events: ConnectionEvents;
  readonly #attempts = new Attempts();
  readonly #status: ConnectionStatus;
  readonly #network: NetworkWatch;
  readonly #handover: Handover;
  readonly #expiry: Expiry;
  #state: LinkState;
  #connectionId: string | undefined;
  #heartbeat: Heartbeat | undefined;
  #retry: Timer | undefined;
  /** Wall clock. */
  #retryAt: number | undefined;
  /** Monotonic times. */
  #openedAt = 0;
  #credentialsCheckedAt = -Infinity;
  #first: PromiseWithResolvers<void> | undefined;

  constructor(deps: ConnectionDeps, events: ConnectionEvents) {
    const { clock, mode } = deps;
    this.#deps = deps;
    this.#events = events;
    this.#state = firstState(mode);
    this.#status = new ConnectionStatus(events);
    this.#network = new NetworkWatch(clock, deps.online);
    this.#handover = new Handover({
      clock,
      mode,
      attempts: this.#attempts,
      state: () => this.#state,
      dial: (number) =>
        deps.dialWebSocket(this.#handlersOf(number, "websocket"), CONNECT_TIMEOUT_WITH_FALLBACK),
    });
    this.#expiry = watchExpiry({ clock, now: deps.providerNow, renew: () => this.#renew() });
  }

  state(): LinkState {
    return this.#state;
  }

  /** Defined only while open (specification/realtime.md §13). */
  connectionId(): string | undefined {
    return this.#connectionId;
  }

  connect(): void {
    const { phase } = this.#state;
    if (phase === "waiting" || phase === "offline") return this.retryNow();
    if (phase !== "idle" && phase !== "stopped") return;
    this.#first = Promise.withResolvers();
    this.#network.reset();
    this.#status.reset();
    this.#dispatch({ type: "connect" });
  }

  /** Closes cleanly within CLOSE_WAIT; later events are dropped. */
  async disconnect(): Promise<void> {
    const wasOpen = this.#state.phase === "open";
    const old = this.#attempts.replace(this.#attempts.number, undefined);
    this.#dispatch({ type: "disconnect" });
    if (!old) return;
    if (!wasOpen) return old.drop();
    await old.close();
  }

  /** Tries to connect at once; from long polling, to open a WebSocket beside it. */
  retryNow(): void {
    const { phase, transport } = this.#state;
    if (phase === "open" && transport === "longpoll") return this.#handover.tryWebSocket();
    this.#dispatch({ type: "nudge" });
  }

  /** A call got no answer: checks whether the connection is alive. */
  verifyLink(): void {
    this.#heartbeat?.verifyLink();
  }

  /** A call was refused for its credentials: checks whether those of the connection are still valid, by opening another WebSocket. */
  verifyCredentials(): void {
    const now = this.#deps.clock.monotonic();
    if (this.#state.transport !== "websocket" || now - this.#credentialsCheckedAt < CREDENTIAL_CHECK_PAUSE)
      return;
    this.#credentialsCheckedAt = now;
    this.#handover.try();
  }

  /** The offset of the provider's clock has changed. */
  clockChanged(): void {
    this.#expiry.clockChanged();
  }

  /** Settles when the first attempt after `connect` has ended; undefined when none is running. */
  firstAttempt(): Promise<void> | undefined {
    return this.#first?.promise;
  }

  #dispatch(input: ConnectionInput): void {
    const { mode, refreshable, online } = this.#deps;
    const before = this.#state;
    const step = next(before, input, { mode, refreshable: refreshable(), online: online() });
    this.#state = step.state;
    if (step.effects.length === 0 && before === step.state) return;
    this.#cleanUp(before);
    if (this.#state.phase !== "waiting") {
      this.#deps.clock.clearTimeout(this.#retry);
      this.#retryAt = undefined;
    }
    for (const effect of step.effects) this.#perform(effect);
    if (this.#state.phase === "offline" && before.phase !== "offline")
      this.#network.waitFor(() => this.#dispatch({ type: "online" }));
    this.#status.link(this.#state, this.#retryAt);
  }

  /** Stops what only runs in the previous phase. */
  #cleanUp(before: LinkState): void {
    const { phase } = this.#state;
    if (before.phase === "open" && phase !== "open") {
      this.#heartbeat?.stop();
      this.#heartbeat = undefined;
      this.#connectionId = undefined;
      this.#expiry.stop();
      this.#handover.cancel();
    }
    if (before.phase === "offline" && phase !== "offline") this.#network.stop();
    if (this.#first && phase !== "connecting") {
      this.#first.resolve();
      this.#first = undefined;
    }
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case "attempt":
        return this.#dial(effect.transport, effect.session);
      case "probe":
        return this.#probe();
      case "refresh":
        return this.#refresh();
      case "wait":
        return this.#wait("ms" in effect ? effect.ms : delay(effect.failures, this.#deps.random.float()));
      case "drop":
        return this.#attempts.drop();
      case "report":
        return this.#events.failed(effect.error);
      case "stop":
        this.#attempts.begin();
        this.#deps.log.warn("the connection was stopped", { reason: effect.error.message });
        this.#events.stopped(effect.error);
    }
  }

  #dial(transport: Transport, session: string | undefined): void {
    const number = this.#attempts.begin();
    const handlers = this.#handlersOf(number, transport);
    const fallback = this.#deps.mode === "auto" && !this.#state.longPollUnsupported;
    const dialling =
      transport === "websocket"
        ? this.#deps.dialWebSocket(handlers, fallback ? CONNECT_TIMEOUT_WITH_FALLBACK : CONNECT_TIMEOUT)
        : this.#deps.dialLongPoll(handlers, session);
    dialling.then(
      (attempt) => this.#attempts.opened(number, attempt),
      (error: Error) => this.#dispatchFrom(number, { type: "notDialled", error }),
    );
  }

  #probe(): void {
    const number = this.#attempts.begin();
    void this.#deps.probe().then((answered) => this.#dispatchFrom(number, { type: "probed", answered }));
  }

  #refresh(): void {
    const number = this.#attempts.begin();
    this.#deps.refresh().then(
      () => this.#dispatchFrom(number, { type: "refreshed" }),
      (error: Error) =>
        this.#dispatchFrom(number, { type: "refreshFailed", error, final: error instanceof SignInNeeded }),
    );
  }

  #wait(ms: number): void {
    const { clock } = this.#deps;
    this.#retryAt = clock.now() + ms;
    clock.clearTimeout(this.#retry);
    this.#retry = clock.setTimeout(() => this.#dispatch({ type: "due" }), ms);
  }

  #dispatchFrom(number: number, input: ConnectionInput): void {
    if (this.#attempts.isCurrent(number)) this.#dispatch(input);
  }

  #handlersOf(number: number, transport: Transport): LongPollHandlers {
    const isCurrent = (): boolean => this.#attempts.isCurrent(number);
    return {
      opened: (hello) => {
        if (this.#handover.isTrying(number)) this.#handover.replaceCurrent();
        if (isCurrent()) this.#opened(hello, transport);
      },
      events: (batch) => {
        if (isCurrent()) this.#events.events(batch);
      },
      alive: () => {
        if (isCurrent()) this.#heartbeat?.alive();
      },
      healthCheck: (createdAt) => {
        if (isCurrent()) this.#healthCheck(createdAt);
      },
      polled: () => this.#dispatchFrom(number, { type: "polled" }),
      ended: (end) => {
        if (this.#handover.isTrying(number)) this.#handoverEnded(end);
        else if (isCurrent()) this.#ended(end);
      },
    };
  }

  #healthCheck(createdAt: string | undefined): void {
    const latency = this.#heartbeat?.answered();
    if (latency !== undefined) this.#events.link({ latency });
    this.#events.healthCheck(createdAt);
  }

  #opened(hello: Hello, transport: Transport): void {
    const { connectionId, resumed } = hello;
    this.#connectionId = connectionId;
    this.#openedAt = this.#deps.clock.monotonic();
    this.#startHeartbeat(transport);
    this.#events.hello(hello);
    this.#dispatch({ type: "opened", transport, connectionId, resumed });
    this.#status.transport(transport);
    if (transport === "longpoll") this.#handover.scheduleWebSocket();
    this.#expiry.watch(this.#deps.tokenExpiry());
    this.#network.reset();
    this.#events.opened(hello);
  }

  #ended(end: End): void {
    const { clock, log } = this.#deps;
    this.#attempts.begin();
    log.info("the connection ended", { kind: end.kind, ...(end.kind === "close" && { code: end.code }) });
    const lived = this.#state.phase === "open" ? clock.monotonic() - this.#openedAt : undefined;
    this.#dispatch({ type: "ended", end, lived });
  }

  /** Refused credentials of the other WebSocket end the connection too; other failures do not affect it. */
  #handoverEnded(end: End): void {
    this.#handover.ended();
    this.#deps.log.debug("the other WebSocket did not open", { kind: end.kind });
    if (end.kind === "error" && refusesCredentials(end.error.code)) this.#dropAttempt(end);
    else this.#handover.scheduleWebSocket();
  }

  #dropAttempt(end: End): void {
    this.#attempts.drop();
    this.#dispatch({ type: "ended", end });
  }

  #startHeartbeat(transport: Transport): void {
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat(
      this.#deps.clock,
      {
        ping: () => this.#attempts.attempt?.ping(),
        dead: (message) => this.#dropAttempt({ kind: "dead", message }),
        checked: () => this.#checkNetwork(),
      },
      transport === "websocket",
    );
  }

  /** Reacts when an open connection loses or regains the machine's network. */
  #checkNetwork(): void {
    const change = this.#network.check();
    const { phase, transport } = this.#state;
    if (change === "lost" && transport === "websocket") this.#dispatch({ type: "offline" });
    if (change === "found" && phase === "open" && transport === "longpoll") this.#handover.tryWebSocket();
  }

  /** The token expires soon: replaces a WebSocket, or sends the new token with the next long poll. */
  async #renew(): Promise<void> {
    const { number } = this.#attempts;
    if (!(await this.#deps.renew()) || !this.#attempts.isCurrent(number)) return;
    if (this.#state.transport === "websocket") return this.#handover.try();
    const { attempt } = this.#attempts;
    if (!attempt?.renew) return;
    attempt.renew();
    this.#expiry.watch(this.#deps.tokenExpiry());
  }
}
