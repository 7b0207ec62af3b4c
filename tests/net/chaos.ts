/** One chaos run over real sockets: three programs behind fault proxies and a provider that is killed, then a quiet phase and the check. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import path from "node:path";
import { createWsSocket } from "../../src/core/adapters/ws-socket.ts";
import { createCore, type CorePorts } from "../../src/core/client.ts";
import type { Core } from "../../src/core/core.ts";
import type { HttpRequest, SocketPort } from "../../src/core/base/ports.ts";
import type { State } from "../../src/model/state.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import { openStore } from "../../src/core/store/open-store.ts";
import type { Store } from "../../src/core/store/store.ts";
import type { OutboxRow } from "../../src/core/base/outbox-row.ts";
import { signToken } from "../../src/wire/token.ts";
import { check, watchState, type Evidence } from "../support/checker.ts";
import { fakeLog } from "../support/fake-ports.ts";
import { createFastClock, createFastRequest } from "../support/fast-clock.ts";
import { FaultProxy, type RequestFault } from "../support/fault-proxy.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { describeState, Recorder } from "./chaos-report.ts";
import { chooseAct, Story, type Actor } from "../support/story.ts";
import { draftOf } from "../support/drafts.ts";

const CIDS = ["messaging:a", "messaging:b", "messaging:c", "messaging:d"];
const SECRET = "a secret that no log line may ever hold";
/** Core's clock runs this many times faster than the system's. */
const FAST = 4;
/** Milliseconds of the system clock between two faults. */
const FAULTS_EVERY = 240;
/** Milliseconds of uninterrupted CPU work that a busy machine cannot explain. */
const STALL = 1000;
/** Milliseconds for the last unread counts to be requested: an uncertain count is only requested when the link is quiet. */
const FINAL_WAIT = 30_000;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const token = (userId: string): string => signToken({ user_id: userId }, SECRET);

/** The provider's process; its port is stored in its folder, so a restart uses the same one if possible. */
class Process {
  readonly #folder: string;
  readonly errors: string[] = [];
  #child: ChildProcessWithoutNullStreams | undefined;
  #coming: Promise<void> | undefined;
  port = 1;
  apiKey = "";
  kills = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }
  start(): Promise<void> {
    return (this.#coming ??= this.#start().finally(() => (this.#coming = undefined)));
  }
  /** Resolves when no start is in progress. */
  async ready(): Promise<void> {
    await this.#coming;
  }
  async #start(): Promise<void> {
    const file = new URL("provider-child.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [file, this.#folder, SECRET]);
    this.#child = child;
    // Slow commits are caused by the disk and the load of the machine: ignore those warnings.
    child.stderr.on("data", (text: Buffer) => {
      const told = text.toString().split("\n");
      this.errors.push(...told.filter((line) => line !== "" && !/blocked every other call for/.test(line)));
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const told = JSON.parse(line) as { url: string; apiKey: string };
      this.port = Number(new URL(told.url).port);
      this.apiKey = told.apiKey;
      return;
    }
    throw new Error(`the provider did not start: ${this.errors.join("")}`);
  }
  /** kill -9, and a new process on the same data. */
  async kill(): Promise<void> {
    if (this.#coming) return;
    this.kills += 1;
    await this.end();
    await this.start();
  }
  async end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }
}

class Program implements Actor {
  readonly name: string;
  readonly userId: string;
  readonly drafts = new Map<string, { text: string; at: number }>();
  readonly log = fakeLog();
  readonly proxy: FaultProxy;
  readonly #mode: "websocket" | "longpoll";
  readonly #run: ChaosRun;
  readonly #stores: Store[] = [];
  store!: Store;
  core!: Core;
  crashes = 0;
  #alive = { value: true };

  constructor(run: ChaosRun, name: string, userId: string, mode: Program["mode"]) {
    this.#run = run;
    this.name = name;
    this.userId = userId;
    this.#mode = mode;
    this.proxy = new FaultProxy(() => run.provider.port);
  }
  get mode(): "websocket" | "longpoll" {
    return this.#mode;
  }

  start(): void {
    const alive = (this.#alive = { value: true });
    const run = this.#run;
    const folder = path.join(run.folder, `${this.name}-${this.crashes}`);
    // A new process sees the disk as it was at the kill: work on a copy that the killed program cannot write to.
    if (this.crashes > 0)
      cpSync(path.join(run.folder, `${this.name}-${this.crashes - 1}`), folder, { recursive: true });
    this.store = openStore({
      state: path.join(folder, "state.db"),
      cache: path.join(folder, "cache.db"),
      userId: this.userId,
    });
    this.#stores.push(this.store);
    const clock = createFastClock(FAST);
    const request = createFastRequest(clock);
    const never = new Promise<never>(() => undefined);
    const ports: CorePorts = {
      // A killed program neither sends requests nor receives replies.
      request: (call) => {
        if (call.method !== "GET") run.record.note(this.name, describeRequest(call));
        return alive.value
          ? request(call).then(
              (reply) => (alive.value ? reply : never),
              (error: Error) => (alive.value ? Promise.reject(error) : never),
            )
          : never;
      },
      socket: deliverWhileAlive(createWsSocket(), alive),
      store: whileAlive(this.store, alive),
      clock,
      random: run.dice.fork(`${this.name} ${this.crashes}`),
      log: this.log,
    };
    this.core = createCore(
      {
        baseUrl: this.proxy.url,
        apiKey: run.provider.apiKey,
        transport: this.#mode,
        clientName: "chaos",
        isLoopback: true,
        owner: `${this.name}#${this.crashes}`,
      },
      ports,
    );
    run.record.follow(this.name, this.core, () => alive.value);
    watchState(
      this.name,
      () => this.core.state(),
      (tell) => this.core.subscribe(() => alive.value && tell()),
      (incident) => run.story.incidents.push(incident),
    );
    this.core.restore();
    void this.core.connectUser({ id: this.userId }, token(this.userId)).then(
      () => this.#open(alive),
      (error: Error) =>
        alive.value && run.story.incidents.push(`${this.name} cannot connect: ${error.message}`),
    );
  }

  async #open(alive: { value: boolean }): Promise<void> {
    while (alive.value)
      try {
        const filter = { members: { $in: [this.userId] } };
        return void (await this.core.queryChannels({ filter_conditions: filter, message_limit: 8 }));
      } catch {
        await pause(200);
      }
  }

  /** The process is killed without warning; the next one starts from what is on disk. */
  crash(): void {
    this.crashes += 1;
    this.#alive.value = false;
    const lost = performance.now() - 250;
    // D10: what was typed within the last 250 ms may be lost.
    for (const [place, draft] of this.drafts) if (draft.at > lost) this.drafts.delete(place);
    this.proxy.drop("reset");
    void this.core.close().catch(() => undefined);
    this.start();
  }

  /** Outbox rows that are not finished; refused rows are finished, they wait for the user. */
  rows(): OutboxRow[] {
    return this.store.outbox().filter(({ state }) => state !== "failed");
  }

  settled(): boolean {
    const { link } = this.core.state();
    return link.phase === "open" && !link.catchingUp && this.rows().length === 0;
  }

  async end(): Promise<void> {
    await this.core.close();
    for (const store of this.#stores)
      try {
        store.close();
      } catch {
        // The current store was already closed by its core.
      }
    await this.proxy.close();
  }
}

function whileAlive(store: Store, alive: { value: boolean }): Store {
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, key) {
        const value = target[key as keyof T];
        if (key === "cache") return guard(value as object);
        if (key === "close") return () => undefined;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) =>
          alive.value ? (value as (...args: unknown[]) => unknown).apply(target, args) : undefined;
      },
    });
  return guard(store);
}

function deliverWhileAlive(port: SocketPort, alive: { value: boolean }): SocketPort {
  return (url, handlers) =>
    port(url, {
      message: (text) => alive.value && handlers.message(text),
      close: (code, reason) => alive.value && handlers.close(code, reason),
      refused: (status, body) => alive.value && handlers.refused?.(status, body),
    });
}

/** Detects blocked event loops caused by our own work: counts CPU time of this thread, not time the machine gave to others. */
function watchStalls(tell: (incident: string) => void): () => void {
  let at = performance.now();
  let spent = process.threadCpuUsage();
  const look = (): void => {
    const late = performance.now() - at - 20;
    const used = process.threadCpuUsage(spent);
    const busy = (used.user + used.system) / 1000;
    if (late > STALL && busy > STALL) tell(`the event loop stood still for ${Math.round(busy)} ms`);
    at = performance.now();
    spent = process.threadCpuUsage();
    timer = setTimeout(look, 20);
  };
  let timer = setTimeout(look, 20);
  return () => clearTimeout(timer);
}

const json = (status: number, code: number): RequestFault => ({
  kind: "answer",
  status,
  type: "application/json",
  body: JSON.stringify({ code, message: "injected", StatusCode: status }),
  after: false,
});
const page = (after: boolean): RequestFault => ({
  kind: "answer",
  status: 502,
  type: "text/html",
  body: "<!doctype html><h1>bad gateway</h1>",
  after,
});

/** One line about a request that writes. */
function describeRequest({ method, url, body }: HttpRequest): string {
  return `asks ${method} ${new URL(url).pathname} ${typeof body === "string" ? body.slice(0, 160) : ""}`;
}

class ChaosRun {
  readonly dice: Dice;
  readonly story: Story;
  readonly provider: Process;
  readonly folder: string;
  readonly programs: Program[];
  readonly record = new Recorder();
  faults = 0;

  constructor(seed: number, folder: string) {
    this.dice = dice(seed);
    this.folder = folder;
    this.story = new Story(14, () => performance.now());
    this.provider = new Process(path.join(folder, "provider"));
    this.programs = [
      new Program(this, "ada", "ada", "websocket"),
      new Program(this, "ben", "ben", "websocket"),
      new Program(this, "cyd", "cyd", "longpoll"),
    ];
  }

  /** A client connected to the provider without a proxy. */
  async fresh(userId: string): Promise<Core> {
    const core = createCore(
      {
        baseUrl: `http://127.0.0.1:${this.provider.port}`,
        apiKey: this.provider.apiKey,
        transport: "websocket",
        clientName: "fresh",
        isLoopback: true,
      },
      {
        request: createFastRequest(createFastClock(1)),
        socket: createWsSocket(),
        store: createMemoryStore(),
        clock: createFastClock(1),
        random: this.dice.fork(`fresh ${userId}`),
        log: fakeLog(),
      },
    );
    await core.connectUser({ id: userId }, token(userId));
    return core;
  }

  async setUp(): Promise<void> {
    await this.provider.start();
    const clients = [];
    for (const { userId } of this.programs) clients.push(await this.fresh(userId));
    const creator = clients[0]!;
    for (const cid of CIDS) await creator.watch(cid, { members: this.programs.map(({ userId }) => userId) });
    for (const cid of CIDS.slice(0, 2)) await this.story.root(creator, "ada", cid);
    for (const core of clients) await core.close();
    for (const program of this.programs) {
      await program.proxy.listen();
      program.start();
    }
    await this.#until(
      () => this.programs.every((each) => each.settled() && each.core.state().channels.size > 0),
      5000,
    );
  }

  async #until(done: () => boolean, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    while (!done()) {
      if (performance.now() > end) return false;
      await pause(15);
    }
    return true;
  }

  #break(n: number): void {
    this.faults += 1;
    const program = this.dice.pick(this.programs);
    const { proxy } = program;
    const roll = this.dice.below(13);
    const rare = n % 17 === 5 ? "the provider is killed" : n % 17 === 11 ? "a program crashes" : undefined;
    this.record.note(program.name, `fault ${rare ?? roll}`);
    const later = (ms: number, run: () => void): void => void setTimeout(run, ms);
    // The rare faults have fixed positions, so that every run includes them.
    if (n % 17 === 5) return void this.provider.kill();
    if (n % 17 === 11) return this.dice.pick(this.programs).crash();
    switch (roll) {
      case 0:
        return proxy.drop("reset");
      case 1:
        return proxy.drop("fin");
      case 2:
        return proxy.drop("reset", true);
      case 3:
        proxy.hole = true;
        return later(300 + this.dice.below(1500), () => {
          if (this.dice.chance(0.5)) proxy.drop("reset");
          proxy.hole = false;
        });
      case 4:
        proxy.latency = 20 + this.dice.below(150);
        return later(700, () => (proxy.latency = 0));
      case 5:
        proxy.slices = true;
        return later(700, () => (proxy.slices = false));
      case 6:
        proxy.socketsBlocked = true;
        proxy.drop("reset", true);
        return later(600, () => (proxy.socketsBlocked = false));
      case 7:
        proxy.refuses = true;
        proxy.drop("fin");
        return later(400, () => (proxy.refuses = false));
      case 8:
        return proxy.arm(/^POST \S+\/message/, page(true));
      case 9:
        return proxy.arm(/^POST/, this.dice.pick([json(500, -1), json(429, 9), page(false)]));
      case 10:
        return proxy.arm(/^POST/, { kind: "hang" });
      default:
        return proxy.arm(this.dice.pick([/^POST \S+\/message/, /^POST/, /^GET/]), {
          kind: "cut",
          direction: this.dice.pick(["up", "down"]),
          at: this.dice.below(900),
          how: this.dice.pick(["reset", "fin"]),
        });
    }
  }

  async play(ms: number): Promise<void> {
    const start = performance.now();
    let nextFault = start + 200;
    let n = 0;
    while (performance.now() - start < ms) {
      try {
        this.story.act(this.dice.pick(this.programs), chooseAct(this.dice, CIDS, this.story.threads.length));
        if (performance.now() > nextFault) {
          nextFault += FAULTS_EVERY;
          this.#break(n++);
        }
      } catch (error) {
        this.story.incidents.push(String((error as Error).stack));
      }
      await pause(this.dice.below(60));
    }
  }

  async quiet(ms: number): Promise<void> {
    for (const { proxy } of this.programs) {
      Object.assign(proxy, { latency: 0, slices: false, socketsBlocked: false, refuses: false, hole: false });
      proxy.armed.length = 0;
    }
    await this.provider.ready();
    // Waits for the timers of earlier faults; they find nothing left to undo.
    await pause(1900);
    const settled = (): boolean => this.programs.every((each) => each.settled());
    const rows = (): number => this.programs.reduce((sum, each) => sum + each.rows().length, 0);
    // Waits as long as rows are being finished, however slow the machine is; without progress the rows are reported as stuck.
    for (let before = Number.MAX_SAFE_INTEGER; !settled() && rows() < before;) {
      before = rows();
      await this.#until(settled, ms);
    }
    for (const each of this.programs)
      if (!each.settled())
        this.story.incidents.push(
          `${each.name} did not settle: link ${each.core.state().link.phase}, rows ${JSON.stringify(each.rows())}`,
        );
  }

  /** Repeats the check until it passes or the time is up: the last events may still be in transit. */
  async findViolations(ms: number): Promise<string[]> {
    const fresh = new Map<string, State>();
    for (const { userId } of this.programs) {
      const core = await this.fresh(userId);
      const cids = await core.queryChannels({
        filter_conditions: { members: { $in: [userId] } },
        message_limit: 300,
      });
      // A fast machine sends more than one page of messages in a run.
      for (const cid of cids) while (await core.loadOlder({ cid }));
      for (const thread of this.story.threads) await loadWholeThread(core, thread.cid, thread.parentId);
      fresh.set(userId, core.state());
      await core.close();
    }
    const logs = (): string[] => this.programs.flatMap(({ log }) => log.lines);
    const evidence = (): Evidence => ({
      ...this.story.evidence,
      incidents: [...this.story.incidents, ...this.provider.errors.map((text) => `provider: ${text}`)],
      views: this.programs.map((each) => ({
        name: each.name,
        userId: each.userId,
        state: each.core.state(),
        fresh: fresh.get(each.userId)!,
        outbox: each.rows().length,
      })),
      logs: logs(),
      secrets: [SECRET, ...this.programs.map(({ userId }) => token(userId))],
      drafts: this.programs.flatMap(({ name, core, drafts }) =>
        [...drafts].map(([cid, { text }]) => ({
          by: name,
          held: draftOf(core, { cid })?.text,
          wanted: text,
        })),
      ),
    });
    for (const { core } of this.programs)
      for (const { cid, parentId } of this.story.threads)
        await loadWholeThread(core, cid, parentId).catch(() => undefined);
    await this.#until(() => check(evidence()).length === 0, ms);
    const broken = check(evidence());
    if (broken.length === 0) return [];
    return [
      ...broken,
      "what each holds:",
      ...this.programs.flatMap(({ name, core }) => describeState(name, core.state(), broken)),
      ...[...fresh].flatMap(([userId, state]) => describeState(`a new client of ${userId}`, state, broken)),
      "what happened, in milliseconds:",
      ...this.record.about(broken),
    ];
  }

  async end(): Promise<void> {
    for (const program of this.programs) await program.end();
    await this.provider.end();
  }
}

async function loadWholeThread(core: Core, cid: string, parentId: string): Promise<void> {
  await core.openThread(cid, parentId);
  while (await core.loadOlder({ cid, parentId }));
}

export interface ChaosResult {
  broken: string[];
  sent: number;
  faults: number;
  kills: number;
  crashes: number;
}

/** Operations and faults for `ms` milliseconds, then a quiet phase and the check. */
export async function chaos(seed: number, ms: number): Promise<ChaosResult> {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-chaos-"));
  const run = new ChaosRun(seed, folder);
  const rejected = (reason: unknown): void =>
    void run.story.incidents.push(`unhandled rejection: ${String(reason)}`);
  process.on("unhandledRejection", rejected);
  let stop = (): void => undefined;
  try {
    await run.setUp();
    stop = watchStalls((incident) => run.story.incidents.push(incident));
    await run.play(ms);
    await run.quiet(30_000);
    stop();
    const broken = await run.findViolations(FINAL_WAIT);
    return {
      broken,
      sent: run.story.sent.length,
      faults: run.faults,
      kills: run.provider.kills,
      crashes: run.programs.reduce((sum, { crashes }) => sum + crashes, 0),
    };
  } finally {
    stop();
    process.off("unhandledRejection", rejected);
    await run.end();
    await rm(folder, { recursive: true, force: true });
  }
}
