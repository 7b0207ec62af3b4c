/** Runs the embedded provider in this process, with the demo workspace and the control interface. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FileLog } from "../config/log.ts";
import { StoreFailure, storageKind, type StorageKind } from "../model/files/storage.ts";
import type { ServeOptions } from "./host.ts";
import type { LogEntry } from "../provider/http/server.ts";
import type { Provider } from "../provider/provider.ts";
import type { RobotHost } from "../provider/robots/host.ts";
import { commandError } from "./errors.ts";
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

/** The log fields of a fault: operation, request and stack, but no token, key or text. */
const faultOf = ({ op, status, requestId, fault }: LogEntry): Record<string, unknown> => ({
  op,
  status,
  ...(requestId === undefined ? {} : { request: requestId }),
  stack: fault,
});

/** Turns a storage error into a message with the folder; other errors are returned unchanged. */
function startProblem(error: unknown, folder: string): unknown {
  const kind = storageKind(error);
  const reason = kind && STORAGE_PROBLEMS[kind];
  return reason === undefined
    ? error
    : new StoreFailure(kind!, `the embedded provider cannot start: ${reason}: ${folder}`);
}

const STORAGE_PROBLEMS: Partial<Record<StorageKind, string>> = {
  full: "the disk is full",
  readOnly: "the disk or folder is read-only",
  busy: "its database is locked by another program",
  other: "the disk reports an error",
};

type LocalUser = { id: string; name?: string };
type ServeContext = ServeOptions & { version: string };

/** Sends the provider's output to its log, the terminal or the starting process. */
class ServerOutput {
  readonly log: FileLog | undefined;
  /** Once it listens, warnings are no longer reported to the starting process. */
  isListening = false;
  readonly #options: ServeContext;

  constructor(options: ServeContext, log: FileLog | undefined) {
    this.#options = options;
    this.log = log;
  }

  print = (line: string): void => {
    if (this.log && this.#options.background) this.log.info(line);
    else this.#options.print(line);
  };

  warn = (line: string, stack?: string): void => {
    const { background, report, print } = this.#options;
    this.log?.warn(line, stack === undefined ? {} : { stack });
    if (background && !this.isListening && stack === undefined) report?.(line);
    if (!background) print(stack === undefined ? line : `${line}: ${stack}`);
  };

  /** Slow commits are logged, but not reported to the starting process. */
  warnSlow = (line: string): void => {
    this.log?.warn(line);
    if (!this.#options.background) this.#options.print(line);
  };

  logCall = (entry: LogEntry): void => {
    const { debug, background, print } = this.#options;
    if (debug) this.print(`${entry.op} ${entry.status} ${entry.duration}`);
    if (entry.fault === undefined) return;
    this.log?.error(`${entry.op} failed unexpectedly`, faultOf(entry));
    if (!background) print(`${entry.op} failed unexpectedly: ${entry.fault}`);
  };
}

/** The demo workspace of a data folder and its users. */
class DemoWorkspace {
  readonly #host: RobotHost;
  readonly #me: LocalUser;
  /** The file that marks a seeded workspace; undefined in memory. */
  readonly #mark: string | undefined;
  readonly #tools: typeof import("../provider/demo/index.ts");
  readonly #entered = new Set<string>();
  #isSeeded: boolean;
  stopGuide = (): void => {};

  constructor(
    host: RobotHost,
    me: LocalUser,
    mark: string | undefined,
    tools: typeof import("../provider/demo/index.ts"),
  ) {
    this.#host = host;
    this.#me = me;
    this.#mark = mark;
    this.#tools = tools;
    this.#isSeeded = mark !== undefined && existsSync(mark);
    if (this.#isSeeded) this.stopGuide = tools.startGuide(host);
  }

  enter(body: Record<string, unknown>): Record<string, unknown> {
    const id = String(body.id);
    if (this.#entered.has(id)) return { id };
    const { users } = this.#host.perform("queryUsers", { query: { filter_conditions: { id }, limit: 1 } });
    if (users.length === 0) {
      const name = typeof body.name === "string" ? body.name : id;
      this.#host.perform("upsertUsers", { body: { users: { [id]: { id, name } } } });
      // Whoever was there before is where they were put: a sender of campaigns, or somebody who has left a channel.
      if (this.#isSeeded && id !== this.#me.id) this.#tools.joinDemo(this.#host, id);
    }
    this.#entered.add(id);
    return { id };
  }

  seed(): Record<string, unknown> {
    if (this.#isSeeded) return { seeded: false };
    this.#tools.seedDemo(this.#host, { id: this.#me.id, name: this.#me.name ?? this.#me.id });
    if (this.#mark) writeFileSync(this.#mark, "", { mode: 0o600 });
    this.#isSeeded = true;
    this.stopGuide = this.#tools.startGuide(this.#host);
    return { seeded: true };
  }
}

/** Creates the provider of a data folder, not listening yet. Throws if the folder is in use or the disk fails. */
async function openProvider(
  data: string,
  me: LocalUser,
  options: ServeContext,
  output: ServerOutput,
): Promise<{ provider: Provider; demo: DemoWorkspace }> {
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
    import("../provider/demo/index.ts"),
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
      warn: output.warn,
      onSlowCommit: output.warnSlow,
      log: output.logCall,
      verbs: {
        enter: (body) => demo.enter(body),
        robot: (body) => robotAct(host, body),
        seed: () => demo.seed(),
        flood: (body) => flood(host, floodOrder(body)).then((written) => ({ written })),
      },
    });
    const host = robotHost(provider);
    const demo = new DemoWorkspace(host, me, memory ? undefined : path.join(data, DEMO_MARK), tools);
    return { provider, demo };
  } catch (error) {
    if (error instanceof FolderBusy) throw commandError("conflict", error.message);
    output.log?.error("the provider could not start", { stack: String((error as Error)?.stack ?? error) });
    throw startProblem(error, data);
  }
}

/** Runs the provider in this process until the signal, `local stop`, or the end of its idle time. */
export async function serveProvider(folder: string, me: LocalUser, options: ServeContext): Promise<void> {
  const data = options.memory ? ":memory:" : path.resolve(options.data ?? folder);
  const isNew = options.memory || !existsSync(path.join(data, "provider.db"));
  const output = new ServerOutput(options, options.memory ? undefined : await openProviderLog(data));
  const { provider, demo } = await openProvider(data, me, options, output);
  if (isNew && options.seed) {
    try {
      demo.seed();
    } catch (error) {
      // A failed seed is undone; the provider starts with an empty workspace instead.
      output.warn("the demo workspace could not be created", String((error as Error).stack));
    }
  }
  const stop = (): void => void provider.close();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await provider.listen();
    output.isListening = true;
    output.print(
      `the embedded provider listens at ${provider.url}, data in ${options.memory ? "memory" : data}`,
    );
    limitMemory();
    await provider.closed;
  } catch (error) {
    throw output.isListening ? error : startProblem(error, data);
  } finally {
    demo.stopGuide();
    options.signal.removeEventListener("abort", stop);
    // After a failed start, an error of the close would hide the reason.
    await provider.close().catch((error: unknown) => {
      if (output.isListening) throw error;
    });
  }
}
