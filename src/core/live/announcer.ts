/** Announces the state of the connection at each step, and changes of online state and transport once. */
import type { ConnectionEvents } from "./connection-events.ts";
import type { LinkState, Transport } from "./transitions.ts";

export class Announcer {
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
