/** Runs the embedded provider in this process: with the demo workspace, its guide and what its owner may ask of it. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FileLog } from "../config/log.ts";
import { StoreFailure, storageKind, type StorageKind } from "../model/files/storage.ts";
import type { ServeOptions } from "./host.ts";
import type { LogEntry } from "../provider/http/server.ts";
import type { Provider } from "../provider/provider.ts";
import type { RobotHost } from "../provider/robots/host.ts";
import { commandError } from "./fault.ts";
import { limitMemory } from "./memory.ts";

/** Marks a data folder that holds the demo workspace. */
const DEMO_MARK = "demo";

async function openProviderLog(folder: string): Promise<FileLog> {
  const [{ fileLog }, { DATA_FILES }] = await Promise.all([
    import("../config/log.ts"),
    import("../provider/lifecycle/identity.ts"),
  ]);
  return fileLog(path.join(folder, DATA_FILES.log), "info");
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

type Me = { id: string; name?: string };
type Serving = ServeOptions & { version: string };

/** Where what the provider says goes: its log, and those who started it. */
class Voice {
  readonly log: FileLog | undefined;
  /** Who started it in the background waits for this. */
  listens = false;
  readonly #options: Serving;

  constructor(options: Serving, log: FileLog | undefined) {
    this.#options = options;
    this.log = log;
  }

  say = (line: string): void => {
    if (this.log && this.#options.background) this.log.info(line);
    else this.#options.say(line);
  };

  warn = (line: string, stack?: string): void => {
    const { background, tell, say } = this.#options;
    this.log?.warn(line, stack === undefined ? {} : { stack });
    if (background && !this.listens && stack === undefined) tell?.(line);
    if (!background) say(stack === undefined ? line : `${line}: ${stack}`);
  };

  /** How fast this machine is just now is nothing that whoever started it should know. */
  slow = (line: string): void => {
    this.log?.warn(line);
    if (!this.#options.background) this.#options.say(line);
  };

  call = (entry: LogEntry): void => {
    const { debug, background, say } = this.#options;
    if (debug) this.say(`${entry.op} ${entry.status} ${entry.duration}`);
    if (entry.fault === undefined) return;
    this.log?.error(`${entry.op} failed unexpectedly`, faultOf(entry));
    if (!background) say(`${entry.op} failed unexpectedly: ${entry.fault}`);
  };
}

/** The demo workspace of a data folder, and who has come into it. */
class Demo {
  readonly #host: RobotHost;
  readonly #me: Me;
  /** The file that says that the workspace was made; undefined in memory. */
  readonly #mark: string | undefined;
  readonly #tools: typeof import("../provider/demo/index.ts");
  readonly #entered = new Set<string>();
  #made: boolean;
  stopGuide = (): void => {};

  constructor(
    host: RobotHost,
    me: Me,
    mark: string | undefined,
    tools: typeof import("../provider/demo/index.ts"),
  ) {
    this.#host = host;
    this.#me = me;
    this.#mark = mark;
    this.#tools = tools;
    this.#made = mark !== undefined && existsSync(mark);
    if (this.#made) this.stopGuide = tools.startGuide(host);
  }

  enter(body: Record<string, unknown>): Record<string, unknown> {
    const id = String(body.id);
    if (this.#entered.has(id)) return { id };
    const { users } = this.#host.perform("queryUsers", { query: { filter_conditions: { id }, limit: 1 } });
    if (users.length === 0) {
      const name = typeof body.name === "string" ? body.name : id;
      this.#host.perform("upsertUsers", { body: { users: { [id]: { id, name } } } });
    }
    if (this.#made && id !== this.#me.id) this.#tools.joinDemo(this.#host, id);
    this.#entered.add(id);
    return { id };
  }

  seed(): Record<string, unknown> {
    if (this.#made) return { seeded: false };
    this.#tools.seedDemo(this.#host, { id: this.#me.id, name: this.#me.name ?? this.#me.id });
    if (this.#mark) writeFileSync(this.#mark, "", { mode: 0o600 });
    this.#made = true;
    this.stopGuide = this.#tools.startGuide(this.#host);
    return { seeded: true };
  }
}

/** The provider of a data folder, not listening yet, and its demo workspace. Throws when the folder is another's or the disk refuses. */
async function openProvider(
  data: string,
  me: Me,
  options: Serving,
  voice: Voice,
): Promise<{ provider: Provider; demo: Demo }> {
  const [
    { createProvider, FolderBusy },
    { robotHost },
    { flood, floodOrder },
    { robotAct },
    { demoPages },
    tools,
  ] = await Promise.all([
    import("../provider/provider.ts"),
    import("../provider/robots/provider-host.ts"),
    import("../provider/robots/flood.ts"),
    import("../provider/robots/acts.ts"),
    import("../provider/demo/pages.ts"),
    import("../provider/demo/index.ts"),
  ]);
  const { port, stay, version, background, memory, allowOrigins, rateLimits } = options;
  try {
    const provider = createProvider({
      data,
      ...(port === undefined ? {} : { port }),
      ...(allowOrigins && { allowOrigins }),
      ...(rateLimits && { rateLimits }),
      stay,
      version,
      background,
      links: { pages: demoPages },
      warn: voice.warn,
      onSlowCommit: voice.slow,
      log: voice.call,
      verbs: {
        enter: (body) => demo.enter(body),
        robot: (body) => robotAct(host, body),
        seed: () => demo.seed(),
        flood: (body) => flood(host, floodOrder(body)).then((written) => ({ written })),
      },
    });
    const host = robotHost(provider);
    const demo = new Demo(host, me, memory ? undefined : path.join(data, DEMO_MARK), tools);
    return { provider, demo };
  } catch (error) {
    if (error instanceof FolderBusy) throw commandError("conflict", error.message);
    voice.log?.error("the provider could not start", { stack: String((error as Error)?.stack ?? error) });
    throw startTrouble(error, data);
  }
}

/** Runs the provider in this process until the signal, `local stop`, or the end of its idle time. */
export async function serveProvider(home: string, me: Me, options: Serving): Promise<void> {
  const data = options.memory ? ":memory:" : path.resolve(options.data ?? home);
  const fresh = options.memory || !existsSync(path.join(data, "provider.db"));
  const voice = new Voice(options, options.memory ? undefined : await openProviderLog(data));
  const { provider, demo } = await openProvider(data, me, options, voice);
  if (fresh && options.seed) {
    try {
      demo.seed();
    } catch (error) {
      // An empty workspace that works is better than none; nothing of a failed seed is kept.
      voice.warn("the demo workspace could not be made", String((error as Error).stack));
    }
  }
  const stop = (): void => void provider.close();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await provider.listen();
    voice.listens = true;
    voice.say(
      `the embedded provider listens at ${provider.url}, data in ${options.memory ? "memory" : data}`,
    );
    limitMemory();
    await provider.closed;
  } finally {
    demo.stopGuide();
    options.signal.removeEventListener("abort", stop);
    await provider.close();
  }
}
