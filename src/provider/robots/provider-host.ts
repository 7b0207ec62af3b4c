/** Implements `RobotHost` inside a provider: calls the handlers directly, as the server. */
import { endpoints } from "../../wire/endpoints/index.ts";
import { randomUUID } from "node:crypto";
import type { Handlers, Reply, RouteCall } from "../base/handler.ts";
import type { Provider } from "../provider.ts";
import type { Emit } from "../base/emit.ts";
import type { Database } from "../base/database.ts";
import type { CallArguments, RobotHost } from "./host.ts";
import { actingUser } from "../base/acting-user.ts";

/** A backlog of more frames than this makes robots wait. */
const BACKLOG = 400;
const BACKLOG_POLL_MS = 2;

/** Path, query and body as a handler expects them: path and query values are texts. */
function inputOf<K extends keyof Handlers>(
  name: K,
  args: CallArguments<K>,
): Pick<RouteCall, "path" | "query" | "body"> {
  const input = { ...(args.query as Record<string, unknown> | undefined) };
  const query = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
  return {
    path: { ...(args.path as Record<string, string> | undefined) },
    query,
    body: "payload" in endpoints[name] ? input : { ...(args.body as Record<string, unknown> | undefined) },
  };
}

export function robotHost(provider: Provider): RobotHost {
  const { clock, hub, handlers, files } = provider;
  let running: { emit: Emit; db: Database } | undefined;

  const transact = (run: () => void, quiet: boolean): void => {
    if (running) return run();
    provider.transact((emit, db) => {
      running = { emit, db };
      try {
        run();
      } finally {
        running = undefined;
      }
    }, quiet);
  };

  return {
    perform<K extends keyof Handlers>(name: K, args: CallArguments<K>): Reply<K> {
      const handler = handlers[name];
      let reply: Reply<K> | undefined;
      transact(() => {
        // Counted up, so that events of one moment in the past keep their order.
        let past = args.at;
        const input = inputOf(name, args);
        const call: RouteCall = {
          name,
          op: endpoints[name].op,
          ...input,
          caller: { kind: "server", userId: actingUser(args.body ?? {}, input.query), role: "server" },
          connectionId: undefined,
          requestId: undefined,
          db: running!.db,
          emit: running!.emit,
          now: () => (past === undefined ? clock.now() : past++),
          uuid: randomUUID,
        };
        reply = handler(call);
      }, false);
      return reply!;
    },
    withoutEvents: (run) => transact(run, true),
    inOneTransaction: (run) => transact(run, false),
    async drained() {
      while ([...hub.all()].some((connection) => connection.link.backlog > BACKLOG))
        await new Promise((look) => setTimeout(look, BACKLOG_POLL_MS));
    },
    storeFile(cid, name, mimeType, bytes) {
      let url = "";
      transact(() => {
        url = files.store(cid, name, mimeType, bytes);
      }, false);
      return url;
    },
    onEvent: (listener) => provider.onEvent(listener),
    anyoneOnline: () => hub.size > 0,
    uuid: randomUUID,
    now: () => clock.now(),
    after: (ms, run) => clock.after(ms, run),
  };
}
