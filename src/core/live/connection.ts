/** Keeps one connection alive: runs the state machine's effects, owns its timers, and drops late events (specification/realtime.md §6, §11–13). */
import { CONNECT_TIMEOUT, CONNECT_TIMEOUT_WITH_FALLBACK } from "../../wire/constants.ts";
import { refusesCredentials } from "../../wire/errors.ts";
import { SignInNeeded } from "../http/token.ts";
import type { Clock, Log, Random, Timer } from "../base/ports.ts";
import { delay } from "../base/delay.ts";
import { Announcer } from "./announcer.ts";
import { Attempts } from "./attempts.ts";
import type { Attempt, Hello } from "./connection-attempt.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { LongPollHandlers } from "./longpoll.ts";
import { NetworkWatch } from "./network-watch.ts";
import { watchExpiry, type Expiry } from "./token-expiry.ts";
import { Replacement } from "./replacement.ts";
import {
  firstState,
  next,
  type Effect,
  type End,
  type ConnectionInput,
  type LinkState,
  type Mode,
  type Transport,
} from "./transitions.ts";
import type { ConnectionEvents } from "./connection-events.ts";

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
  readonly #announcer: Announcer;
  readonly #network: NetworkWatch;
  readonly #replacement: Replacement;
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
    this.#announcer = new Announcer(events);
    this.#network = new NetworkWatch(clock, deps.online);
    this.#replacement = new Replacement({
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
    this.#announcer.reset();
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

  retryNow(): void {
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
    this.#replacement.try();
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
    this.#announcer.link(this.#state, this.#retryAt);
  }

  /** Stops what only runs in the previous phase. */
  #cleanUp(before: LinkState): void {
    const { phase } = this.#state;
    if (before.phase === "open" && phase !== "open") {
      this.#heartbeat?.stop();
      this.#heartbeat = undefined;
      this.#connectionId = undefined;
      this.#expiry.stop();
      this.#replacement.cancel();
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
        if (this.#replacement.isTrying(number)) this.#replacement.replaceCurrent();
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
        if (this.#replacement.isTrying(number)) this.#replacementEnded(end);
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
    this.#announcer.transport(transport);
    if (transport === "longpoll") this.#replacement.scheduleWebSocket();
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

  /** Refused credentials of the replacement end the connection too; other failures do not affect it. */
  #replacementEnded(end: End): void {
    this.#replacement.ended();
    this.#deps.log.debug("the replacement WebSocket did not open", { kind: end.kind });
    if (end.kind === "error" && refusesCredentials(end.error.code)) this.#dropAttempt(end);
    else this.#replacement.scheduleWebSocket();
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
    if (change === "found" && phase === "open" && transport === "longpoll") this.#replacement.tryWebSocket();
  }

  /** The token expires soon: replaces a WebSocket, or sends the new token with the next long poll. */
  async #renew(): Promise<void> {
    const { number } = this.#attempts;
    if (!(await this.#deps.renew()) || !this.#attempts.isCurrent(number)) return;
    if (this.#state.transport === "websocket") return this.#replacement.try();
    const { attempt } = this.#attempts;
    if (!attempt?.renew) return;
    attempt.renew();
    this.#expiry.watch(this.#deps.tokenExpiry());
  }
}
