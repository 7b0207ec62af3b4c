/** A complete core on real sockets and the system clock, with a store in memory, for tests against a running provider. */
import { createGotRequest } from "../../src/core/adapters/got-request.ts";
import { createSystemClock } from "../../src/core/adapters/system-clock.ts";
import { createSystemRandom } from "../../src/core/adapters/system-random.ts";
import { openUpload } from "../../src/core/adapters/upload-body.ts";
import { createWsSocket } from "../../src/core/adapters/ws-socket.ts";
import { createCore, type CoreOptions, type CorePorts } from "../../src/core/client.ts";
import type { Core } from "../../src/core/core.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import { fakeLog } from "./fake-ports.ts";

export function coreOn(
  url: string,
  options: Partial<CoreOptions> = {},
  ports: Partial<CorePorts> = {},
): Core & { log: string[] } {
  const log = fakeLog();
  const core = createCore(
    {
      baseUrl: url,
      apiKey: "k3y",
      transport: "websocket",
      clientName: "parley-test",
      isLoopback: true,
      ...options,
    },
    {
      request: createGotRequest(),
      socket: createWsSocket(),
      store: createMemoryStore(),
      clock: createSystemClock(),
      random: createSystemRandom(),
      log,
      openFile: openUpload,
      ...ports,
    },
  );
  return Object.assign(core, { log: log.lines });
}
