/** Runs the embedded provider in this process: with the demo workspace, its guide and what its owner may ask of it. */
import type { FileLog } from "../config/log.ts";
import { StoreFailure, storageKind } from "../model/storage.ts";
import type { StorageKind } from "../model/storage.ts";
import type { ServeOptions } from "../open.ts";
import type { LogEntry } from "../provider/http/server.ts";
import type { Provider } from "../provider/provider.ts";
import { named } from "./fault.ts";
import { limitMemory } from "./memory.ts";

/** Marks a data folder that holds the demo workspace. */
const DEMO_MARK = "demo";

async function openProviderLog(folder: string): Promise<FileLog> {
  const [{ fileLog }, { FILES }, path] = await Promise.all([
    import("../config/log.ts"),
    import("../provider/lifecycle/identity.ts"),
    import("node:path"),
  ]);
  return fileLog(path.join(folder, FILES.log), "info");
}

/** Operation, request and stack: what is needed to find the fault; never a token, a key or a text. */
const faultOf = ({ op, status, requestId, fault }: LogEntry): Record<string, unknown> => ({
  op,
  status,
  ...(requestId === undefined ? {} : { request: requestId }),
  stack: fault,
});

/** A disk that refuses, in words with the folder's name. */
function startTrouble(error: unknown, folder: string): unknown {
  const kind = storageKind(error);
  const says = kind && TROUBLE[kind];
  return says === undefined
    ? error
    : new StoreFailure(kind!, `the embedded provider cannot start: ${says}: ${folder}`);
}

const TROUBLE: Partial<Record<StorageKind, string>> = {
  full: "the disk is full",
  readOnly: "the disk or folder is read-only",
  busy: "its database is held by another program",
  other: "the disk reports an error",
};

/** Runs the provider in this process until the signal, `local stop`, or the end of its idle time. */
export async function serveProvider(
  home: string,
  me: { id: string; name?: string },
  options: ServeOptions & { version: string },
): Promise<void> {
  const [
    { createProvider, FolderBusy },
    { robotHost },
    { flood, floodOrder },
    { robotAct },
    { demoPages },
    { existsSync, writeFileSync },
    path,
  ] = await Promise.all([
    import("../provider/provider.ts"),
    import("../provider/robots/inside.ts"),
    import("../provider/robots/flood.ts"),
    import("../provider/robots/acts.ts"),
    import("../provider/demo/pages.ts"),
    import("node:fs"),
    import("node:path"),
  ]);
  const data = options.memory ? ":memory:" : path.resolve(options.data ?? home);
  const mark = options.memory ? undefined : path.join(data, DEMO_MARK);
  const fresh = options.memory || !existsSync(path.join(data, "provider.db"));
  let demo = mark !== undefined && existsSync(mark);
  const log = options.memory ? undefined : await openProviderLog(data);
  const say = log && options.background ? (line: string): void => log.info(line) : options.say;
  let listens = false;
  const warn = (line: string, stack?: string): void => {
    log?.warn(line, stack === undefined ? {} : { stack });
    if (options.background && !listens && stack === undefined) options.tell?.(line);
    if (!options.background) options.say(stack === undefined ? line : `${line}: ${stack}`);
  };
  // How fast this machine is just now is nothing that whoever started it should know.
  const slow = (line: string): void => {
    log?.warn(line);
    if (!options.background) options.say(line);
  };
  let provider: Provider;
  try {
    provider = createProvider({
      data,
      ...(options.port === undefined ? {} : { port: options.port }),
      stay: options.stay,
      version: options.version,
      background: options.background,
      links: { pages: demoPages },
      warn,
      slow,
      log(entry) {
        if (options.debug) say(`${entry.op} ${entry.status} ${entry.duration}`);
        if (entry.fault !== undefined) log?.error(`${entry.op} failed unexpectedly`, faultOf(entry));
        if (entry.fault !== undefined && !options.background)
          options.say(`${entry.op} failed unexpectedly: ${entry.fault}`);
      },
      verbs: {
        enter: (body) => enter(body),
        robot: (body) => robotAct(host, body),
        seed: () => seed(),
        flood: (body) => flood(host, floodOrder(body)).then((written) => ({ written })),
      },
    });
  } catch (error) {
    if (error instanceof FolderBusy) throw named("CommandError", "conflict", error.message);
    log?.error("the provider could not start", { stack: String((error as Error)?.stack ?? error) });
    throw startTrouble(error, data);
  }
  const host = robotHost(provider);
  const entered = new Set<string>();
  const { joinDemo, seedDemo, startGuide } = await import("../provider/demo/index.ts");
  const enter = (body: Record<string, unknown>): Record<string, unknown> => {
    const id = String(body.id);
    if (entered.has(id)) return { id };
    const { users } = host.perform("queryUsers", { query: { filter_conditions: { id }, limit: 1 } });
    if (users.length === 0) {
      const name = typeof body.name === "string" ? body.name : id;
      host.perform("upsertUsers", { body: { users: { [id]: { id, name } } } });
    }
    if (demo && id !== me.id) joinDemo(host, id);
    entered.add(id);
    return { id };
  };
  let stopGuide = (): void => {};
  const seed = (): Record<string, unknown> => {
    if (demo) return { seeded: false };
    seedDemo(host, { id: me.id, name: me.name ?? me.id });
    if (mark) writeFileSync(mark, "", { mode: 0o600 });
    demo = true;
    stopGuide = startGuide(host);
    return { seeded: true };
  };
  if (demo) stopGuide = startGuide(host);
  if (fresh && options.seed) {
    try {
      seed();
    } catch (error) {
      // An empty workspace that works is better than none; nothing of a failed seed is kept.
      warn("the demo workspace could not be made", String((error as Error).stack));
    }
  }
  const stop = (): void => void provider.close();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await provider.listen();
    listens = true;
    say(`the embedded provider listens at ${provider.url}, data in ${options.memory ? "memory" : data}`);
    limitMemory();
    await provider.closed;
  } finally {
    stopGuide();
    options.signal.removeEventListener("abort", stop);
    await provider.close();
  }
}
