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
import { watchExpiry, type Expiry } from "./renewal.ts";
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
  /** Monotonic moments. */
  #openedAt = 0;
  #doubted = -Infinity;
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
    if (phase === "waiting" || phase === "offline") return this.nudge();
    if (phase !== "idle" && phase !== "stopped") return;
    this.#first = Promise.withResolvers();
    this.#network.reset();
    this.#announcer.reset();
    this.#feed({ type: "connect" });
  }

  /** Says goodbye and returns within CLOSE_WAIT; anything that arrives later is dropped. */
  async disconnect(): Promise<void> {
    const wasOpen = this.#state.phase === "open";
    const old = this.#attempts.replace(this.#attempts.number, undefined);
    this.#feed({ type: "disconnect" });
    if (!old) return;
    if (!wasOpen) return old.drop();
    await old.close();
  }

  /** Tries now instead of later. */
  nudge(): void {
    this.#feed({ type: "nudge" });
  }

  /** A call got no answer: asks whether the link lives. */
  verifyLink(): void {
    this.#heartbeat?.verifyLink();
  }

  /** A call was refused for its credentials: asks whether those of the link still hold. */
  verifyCredentials(): void {
    const now = this.#deps.clock.monotonic();
    if (this.#state.transport !== "websocket" || now - this.#doubted < DOUBT_PAUSE) return;
    this.#doubted = now;
    this.#replacement.try();
  }

  /** The provider's clock is another than was thought. */
  clockMoved(): void {
    this.#expiry.moved();
  }

  /** Settles when the very first attempt has come to an end; undefined when there is none under way. */
  firstAttempt(): Promise<void> | undefined {
    return this.#first?.promise;
  }

  #feed(input: ConnectionInput): void {
    const { mode, refreshable, online } = this.#deps;
    const before = this.#state;
    const step = next(before, input, { mode, refreshable: refreshable(), online: online() });
    this.#state = step.state;
    if (step.effects.length === 0 && before === step.state) return;
    this.#leave(before);
    if (this.#state.phase !== "waiting") {
      this.#deps.clock.clearTimeout(this.#retry);
      this.#retryAt = undefined;
    }
    for (const effect of step.effects) this.#perform(effect);
    if (this.#state.phase === "offline" && before.phase !== "offline")
      this.#network.waitFor(() => this.#feed({ type: "online" }));
    this.#announcer.link(this.#state, this.#retryAt);
  }

  /** Ends what lives only while open or while an attempt runs. */
  #leave(before: LinkState): void {
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
      (attempt) => this.#attempts.arrived(number, attempt),
      (error: Error) => this.#feedFrom(number, { type: "notDialled", error }),
    );
  }

  #probe(): void {
    const number = this.#attempts.begin();
    void this.#deps.probe().then((answered) => this.#feedFrom(number, { type: "probed", answered }));
  }

  #refresh(): void {
    const number = this.#attempts.begin();
    this.#deps.refresh().then(
      () => this.#feedFrom(number, { type: "refreshed" }),
      (error: Error) =>
        this.#feedFrom(number, { type: "refreshFailed", error, final: error instanceof SignInNeeded }),
    );
  }

  #wait(ms: number): void {
    const { clock } = this.#deps;
    this.#retryAt = clock.now() + ms;
    clock.clearTimeout(this.#retry);
    this.#retry = clock.setTimeout(() => this.#feed({ type: "due" }), ms);
  }

  /** What is late is dropped. */
  #feedFrom(number: number, input: ConnectionInput): void {
    if (this.#attempts.isCurrent(number)) this.#feed(input);
  }

  #handlersOf(number: number, transport: Transport): LongPollHandlers {
    const isCurrent = (): boolean => this.#attempts.isCurrent(number);
    return {
      opened: (hello) => {
        if (this.#replacement.isTrying(number)) this.#replacement.takePlace();
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
      polled: () => this.#feedFrom(number, { type: "polled" }),
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
    this.#feed({ type: "opened", transport, connectionId, resumed });
    this.#announcer.transport(transport);
    if (transport === "longpoll") this.#replacement.scheduleBack();
    this.#expiry.watch(this.#deps.tokenEnds());
    this.#network.reset();
    this.#events.opened(hello);
  }

  #ended(end: End): void {
    const { clock, log } = this.#deps;
    this.#attempts.begin();
    log.info("the link ended", { kind: end.kind, ...(end.kind === "close" && { code: end.code }) });
    const lived = this.#state.phase === "open" ? clock.monotonic() - this.#openedAt : undefined;
    this.#feed({ type: "ended", end, lived });
  }

  /** What refuses the new one's credentials refuses those of the link, too; any other end leaves the link alone. */
  #replacementEnded(end: End): void {
    this.#replacement.ended();
    this.#deps.log.debug("no WebSocket beside the link", { kind: end.kind });
    if (end.kind === "error" && refusesCredentials(end.error.code)) this.#drop(end);
    else this.#replacement.scheduleBack();
  }

  #drop(end: End): void {
    this.#attempts.drop();
    this.#feed({ type: "ended", end });
  }

  #startHeartbeat(transport: Transport): void {
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat(
      this.#deps.clock,
      {
        ping: () => this.#attempts.attempt?.ping(),
        dead: (message) => this.#drop({ kind: "dead", message }),
        look: () => this.#look(),
      },
      transport === "websocket",
    );
  }

  /** Only a link that is open notices here that the machine lost or found its network. */
  #look(): void {
    const change = this.#network.look();
    const { phase, transport } = this.#state;
    if (change === "lost" && transport === "websocket") this.#feed({ type: "offline" });
    if (change === "found" && phase === "open" && transport === "longpoll") this.#replacement.tryBack();
  }

  /** The token of the link ends soon: a WebSocket is replaced, a long poll shows the new one with its next poll. */
  async #renew(): Promise<void> {
    const { number } = this.#attempts;
    if (!(await this.#deps.renew()) || !this.#attempts.isCurrent(number)) return;
    if (this.#state.transport === "websocket") return this.#replacement.try();
    const { attempt } = this.#attempts;
    if (!attempt?.renew) return;
    attempt.renew();
    this.#expiry.watch(this.#deps.tokenEnds());
  }
}
