/** A complete core on the virtual clock: fake sockets and requests, a store in memory, all timers under the test's control. */
import { createCore, type CoreOptions, type CorePorts } from "../../src/core/client.ts";
import type { Core } from "../../src/core/core.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import { signToken } from "../../src/wire/token.ts";
import {
  fakeLog,
  fakeRequests,
  fakeSockets,
  type FakeAnswer,
  type FakeCall,
  type FakeSockets,
} from "./fake-ports.ts";
import { fixedRandom, VirtualClock } from "./virtual-clock.ts";

export interface VirtualCore {
  core: Core;
  clock: VirtualClock;
  sockets: FakeSockets;
  calls: FakeCall[];
  on: Record<string, (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>>;
  events: AnyEvent[];
  log: string[];
  /** Names of the events so far; `connection.changed` with its value. */
  readonly story: string[];
  /** Number of calls so far to `METHOD /path`. */
  count(what: string): number;
}

export const miraToken = (n = 0): string => signToken({ user_id: "mira", iat: n }, "s");

export function virtualCore(
  options: Partial<CoreOptions> = {},
  ports: Partial<CorePorts> = {},
  on: VirtualCore["on"] = {},
): VirtualCore {
  const clock = new VirtualClock();
  const sockets = fakeSockets();
  const log = fakeLog();
  const { port, calls } = fakeRequests(clock, on);
  const core = createCore(
    { baseUrl: "http://p:1", apiKey: "k", transport: "websocket", clientName: "t", ...options },
    {
      request: port,
      unchecked: true,
      socket: sockets.port,
      store: createMemoryStore(),
      clock,
      random: fixedRandom(),
      log,
      ...ports,
    },
  );
  const events: AnyEvent[] = [];
  core.on("all", (event) => events.push(event));
  return {
    core,
    clock,
    sockets,
    calls,
    on,
    events,
    log: log.lines,
    get story() {
      return events.map((event) => {
        if (event.type === "connection.changed") return event.online ? "online" : "offline";
        return event.type === "transport.changed" ? String(event.mode) : event.type;
      });
    },
    count: (what) => calls.filter((call) => call.what === what).length,
  };
}
