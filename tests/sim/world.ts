/** One simulated story: three clients on a seeded network against the real provider's handlers, then a quiet phase, then the check. */
import { createCore, type CorePorts } from "../../src/core/client.ts";
import type { Core } from "../../src/core/core.ts";
import type { Clock, Timer } from "../../src/core/base/ports.ts";
import type { State } from "../../src/model/state.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import type { Store } from "../../src/core/store/store.ts";
import { check, watchState } from "../support/checker.ts";
import { fakeLog } from "../support/fake-ports.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { Story } from "../support/story.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { SimNetwork } from "./network.ts";
import { SIM_KEY, SIM_SECRET, SimProvider } from "./provider.ts";
import { CIDS, NAMES, scriptOf, type Break, type Script, type Size } from "./script.ts";
import { draftOf } from "../support/drafts.ts";

/** Small pages make gaps likely. */
const PAGE = 6;

/** A bug planted in a program, to test that the checker finds it. */
export interface Plant {
  ports?(ports: CorePorts): CorePorts;
  options?: Record<string, unknown>;
  /** Changes the state shown to the checker, as a broken reducer would. */
  core?(core: Core): Core;
}

/** A clock whose wall time is off by `skew` milliseconds and whose timers are right; `waiting` holds the pending timers. */
function skewed(clock: VirtualClock, skew: () => number, waiting: Set<Timer>): Clock {
  return {
    now: () => clock.now() + skew(),
    monotonic: () => clock.monotonic(),
    setTimeout(run, ms) {
      const timer = clock.setTimeout(() => {
        waiting.delete(timer);
        run();
      }, ms);
      waiting.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      if (timer) waiting.delete(timer);
      clock.clearTimeout(timer);
    },
  };
}

type Name = (typeof NAMES)[number];

class SimClient {
  readonly store: Store;
  readonly log = fakeLog();
  core!: Core;
  network!: SimNetwork;
  #run = 0;
  #given: string | undefined;
  /** Pending timers of the running core. */
  #waiting = new Set<Timer>();
  skew = 0;
  /** No new token is issued before this time. */
  signedOutUntil = 0;
  /** Channel → text that the user typed last, and when. */
  readonly drafts = new Map<string, { text: string; at: number }>();
  readonly name: Name;
  readonly userId: string;
  readonly mode: "websocket" | "longpoll" | "auto";
  readonly #world: SimWorld;

  constructor(world: SimWorld, name: Name, userId: string, mode: SimClient["mode"]) {
    this.#world = world;
    this.name = name;
    this.userId = userId;
    this.mode = mode;
    this.store = createMemoryStore(userId);
  }

  start(): void {
    const world = this.#world;
    const run = ++this.#run;
    this.#waiting = new Set();
    const random = world.dice.fork(`${this.name} ${run}`);
    const trouble = this.network?.trouble ?? 0;
    const { calls, forgetful } = world.script;
    const given = calls?.[`${this.name}#${run}`];
    const network = new SimNetwork(world.clock, random.fork("net"), world.provider, given);
    this.network = network;
    Object.assign(network, { trouble, forgetful, doubles: 0.05 });
    world.runs.set(`${this.name}#${run}`, network);
    world.networks.push(network);
    const ports: CorePorts = {
      request: network.request,
      socket: network.socket,
      store: this.#guard(network),
      clock: skewed(world.clock, () => this.skew, this.#waiting),
      random,
      log: this.log,
    };
    const core = createCore(
      {
        baseUrl: "http://sim:1",
        apiKey: SIM_KEY,
        transport: this.mode,
        clientName: "sim",
        isLoopback: true,
        owner: `${this.name}#${run}`,
        ...world.plant?.options,
      },
      world.plant?.ports?.(ports) ?? ports,
    );
    this.core = world.plant?.core?.(core) ?? core;
    watchState(
      `${this.name}#${run}`,
      () => this.core.state(),
      (playSeed) => this.core.subscribe(() => network.alive && playSeed()),
      (incident) => world.story.incidents.push(incident),
    );
    // A user who sees that the credentials were refused tries again later (specification/realtime.md §5).
    let tried = false;
    this.core.subscribe(() => {
      if (tried || this.core.state().link.phase !== "stopped") return;
      tried = true;
      world.clock.setTimeout(() => {
        tried = false;
        if (network.alive) this.core.reconnect();
      }, 3000);
    });
    this.core.restore();
    this.#signIn(network);
  }

  /** Signs in, and retries until it works. */
  #signIn(network: SimNetwork): void {
    this.core
      .connectUser({ id: this.userId }, () => this.#token())
      .then(
        () => this.#open(network),
        () => this.#world.clock.setTimeout(() => network.alive && this.#signIn(network), 2000),
      );
  }

  #token(): string {
    const { clock, provider, script } = this.#world;
    if (this.#given === undefined || clock.monotonic() >= this.signedOutUntil)
      this.#given = provider.token(this.userId, script.lifetime);
    return this.#given;
  }

  /** Like the screen: requests the channel list until it arrives. */
  async #open(network: SimNetwork): Promise<void> {
    for (;;) {
      try {
        await this.core.queryChannels({
          filter_conditions: { members: { $in: [this.userId] } },
          message_limit: PAGE,
        });
        return;
      } catch {
        await new Promise<void>((done) => this.#world.clock.setTimeout(done, 1000));
        if (!network.alive) return;
      }
    }
  }

  /** A killed program writes nothing more. */
  #guard(network: SimNetwork): Store {
    const { store } = this;
    const owners = this.#world.owners;
    const me = `${this.name}#${this.#run}`;
    owners.add(me);
    return new Proxy(store, {
      get: (target, key) => {
        if (key === "alive") return (owner: string) => owners.has(owner);
        if (key === "lease") return () => true;
        if (key === "close") return () => undefined;
        const value = target[key as keyof Store] as unknown;
        if (key === "cache")
          return new Proxy(value as object, {
            get: (cache, name) => {
              const method = (cache as Record<PropertyKey, unknown>)[name] as (...args: unknown[]) => unknown;
              return (...args: unknown[]) => (network.alive ? method.apply(cache, args) : undefined);
            },
          });
        if (typeof value !== "function") return value;
        return (...args: unknown[]) =>
          network.alive ? (value as (...args: unknown[]) => unknown).apply(target, args) : undefined;
      },
    });
  }

  /** kill -9: nothing is flushed, nobody is notified. */
  crash(): void {
    this.network.kill();
    this.#world.owners.delete(`${this.name}#${this.#run}`);
    const lost = this.#world.clock.monotonic() - 250;
    // D10: what was typed within the last 250 ms may be lost.
    for (const [place, draft] of this.drafts) if (draft.at > lost) this.drafts.delete(place);
    if (this.#world.script.forgetful) this.#world.story.forgetEdits(this.name);
    const left = { timers: this.#waiting, closed: false };
    this.#world.left.set(`${this.name}#${this.#run}`, left);
    void this.core.close().then(
      () => (left.closed = true),
      () => (left.closed = true),
    );
  }
}

export class SimWorld {
  readonly clock = new VirtualClock();
  readonly dice: Dice;
  readonly provider: SimProvider;
  readonly networks: SimNetwork[] = [];
  readonly owners = new Set<string>();
  /** Killed runs, with the timers that would keep their process alive. */
  readonly left = new Map<string, { timers: ReadonlySet<Timer>; closed: boolean }>();
  readonly story: Story;
  readonly plant: Plant | undefined;
  readonly script: Script;
  /** Core and run → its network. */
  readonly runs = new Map<string, SimNetwork>();
  clients: SimClient[] = [];
  faults = 0;

  constructor(script: Script, plant?: Plant) {
    this.plant = plant;
    this.script = script;
    this.dice = dice(script.seed);
    this.story = new Story(PAGE + 4, () => this.clock.monotonic());
    this.provider = new SimProvider(this.clock, this.dice.fork("provider"));
  }

  /** A client without faults, for setup and comparison. */
  async fresh(userId: string): Promise<Core> {
    const network = new SimNetwork(this.clock, this.dice.fork(`fresh ${userId}`), this.provider);
    network.latency = 1;
    const core = createCore(
      {
        baseUrl: "http://sim:1",
        apiKey: SIM_KEY,
        transport: "websocket",
        clientName: "fresh",
        isLoopback: true,
      },
      {
        request: network.request,
        socket: network.socket,
        store: createMemoryStore(),
        clock: this.clock,
        random: this.dice.fork("f"),
        log: fakeLog(),
      },
    );
    await this.wait(core.connectUser({ id: userId }, this.provider.token(userId)));
    return core;
  }

  /** Advances the clock until the promise has settled. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const settled = promise.finally(() => (done = true));
    settled.catch(() => undefined);
    const isDone = (): boolean => done;
    for (let n = 0; !isDone() && n < 2000; n++) await this.clock.advance(10);
    if (!isDone()) throw new Error("nothing came of it");
    return settled;
  }

  async setUp(): Promise<void> {
    const creator = await this.fresh("ada");
    const ben = await this.fresh("ben");
    for (const cid of CIDS) await this.wait(creator.watch(cid, { members: ["ada", "ben"] }));
    for (const cid of CIDS.slice(0, 2)) {
      await this.wait(this.story.root(creator, "ada", cid));
    }
    await this.wait(Promise.all([creator.close(), ben.close()]));
    this.clients = [
      new SimClient(this, "ada-desk", "ada", "websocket"),
      new SimClient(this, "ada-pocket", "ada", "longpoll"),
      new SimClient(this, "ben", "ben", "auto"),
    ];
    for (const client of this.clients) client.start();
  }

  break(client: SimClient, what: Break): void {
    this.faults += 1;
    const { network } = client;
    const later = (ms: number, run: () => void): void => void this.clock.setTimeout(run, ms);
    switch (what.break) {
      case "sockets":
        return network.breakSockets(what.how);
      case "cut":
        network.cut = true;
        network.breakSockets(what.how);
        return later(what.ms, () => (network.cut = false));
      case "blocked":
        network.socketsBlocked = true;
        network.breakSockets("reset");
        return later(what.ms, () => (network.socketsBlocked = false));
      case "restart":
        return this.provider.restart();
      case "crash":
        client.crash();
        return client.start();
      case "revoked":
        client.signedOutUntil = this.clock.monotonic() + what.ms;
        return void this.provider.revoke(client.userId);
      case "skew":
        client.skew = what.ms;
        return;
      case "calls":
        network.queued.push(...what.faults);
    }
  }

  /** Plays the story: operations and faults at their times. */
  async play(): Promise<void> {
    const { trouble, opening, steps } = this.script;
    for (const client of this.clients) client.network.trouble = trouble;
    await this.clock.advance(opening);
    for (const step of steps) {
      const client = this.clients.find(({ name }) => name === step.by)!;
      try {
        if ("do" in step) this.story.act(client, step);
        else this.break(client, step);
      } catch (error) {
        this.story.incidents.push(`${client.name}: ${String((error as Error).stack)}`);
      }
      await this.clock.advance(step.wait);
    }
  }

  /** Number of outbox rows still to be sent; refused rows wait for the user and do not count. */
  #unsent({ store }: { store: Store }): number {
    return store.outbox().filter((row) => row.state !== "failed").length;
  }

  #settled(): boolean {
    return this.clients.every((client) => {
      const { link } = client.core.state();
      return this.#unsent(client) === 0 && link.phase === "open" && !link.catchingUp;
    });
  }

  /** Stops all faults and waits until everything has settled. */
  async quiet(): Promise<void> {
    for (const network of this.networks)
      Object.assign(network, { trouble: 0, cut: false, socketsBlocked: false });
    for (const network of this.networks) network.queued.length = 0;
    for (const client of this.clients) client.signedOutUntil = 0;
    // A Retry-After computed with a clock that has jumped since may block a lane for ten minutes.
    // A silent socket is found dead within 36 s (specification/realtime.md §3), a rate limit ends within seconds.
    await this.clock.advance(60_000);
    for (let n = 0; n < 140 && !this.#settled(); n++) await this.clock.advance(5000);
    // An uncertain unread count is requested after 1.5 s, and again after twice that when an event arrived during the answer (D9).
    await this.clock.advance(10_000);
  }

  async findViolations(): Promise<string[]> {
    const fresh = new Map<string, State>();
    for (const userId of ["ada", "ben"]) {
      const core = await this.fresh(userId);
      await this.wait(
        core.queryChannels({ filter_conditions: { members: { $in: [userId] } }, message_limit: 300 }),
      );
      for (const { cid, parentId } of this.story.threads) await this.wait(this.#whole(core, cid, parentId));
      fresh.set(userId, core.state());
      await this.wait(core.close());
    }
    const drafts = [];
    for (const client of this.clients) {
      for (const { cid, parentId } of this.story.threads)
        // A thread is requested again when it is next shown (specification/realtime.md §7.6).
        await this.wait(this.#whole(client.core, cid, parentId)).catch((error: Error) =>
          this.story.incidents.push(`${client.name}: a thread cannot be opened: ${error.message}`),
        );
      for (const [cid, draft] of client.drafts)
        drafts.push({ by: client.name, held: draftOf(client.core, { cid })?.text, wanted: draft.text });
    }
    // A short-lived token is renewed now and then, and each renewal catches up for a moment.
    for (let n = 0; n < 20 && !this.#settled(); n++) await this.clock.advance(50);
    const faults = check({
      ...this.story.evidence,
      incidents: [
        ...this.story.incidents,
        ...this.#endless(),
        ...this.provider.faults.map((fault) => `provider: ${fault}`),
      ],
      views: this.clients.map((client) => ({
        name: client.name,
        userId: client.userId,
        state: client.core.state(),
        fresh: fresh.get(client.userId)!,
        outbox: this.#unsent(client),
      })),
      logs: this.clients.flatMap((client) => client.log.lines),
      secrets: [SIM_SECRET, ...this.provider.tokens],
      drafts,
    });
    this.faults += this.networks.reduce((sum, network) => sum + network.count, 0);
    return faults;
  }

  /** Minutes after it was killed, a run must be closed and without timers. */
  #endless(): string[] {
    return [...this.left].flatMap(([run, { timers, closed }]) =>
      timers.size || !closed ? [`${run} does not end`] : [],
    );
  }

  async #whole(core: Core, cid: string, parentId: string): Promise<void> {
    await core.openThread(cid, parentId);
    while (await core.loadOlder({ cid, parentId }));
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.network.kill();
    for (const client of this.clients) {
      void client.core.close().catch(() => undefined);
      client.store.close();
    }
    await this.clock.settle();
    this.provider.close();
  }
}

export interface StoryResult {
  broken: string[];
  faults: number;
  sent: number;
  /** The faults that happened, in the form a script stores. */
  happened: NonNullable<Script["calls"]>;
}

/** Plays a script and returns everything that broke. */
export async function playScript(script: Script, plant?: Plant): Promise<StoryResult> {
  const world = new SimWorld(script, plant);
  try {
    await world.setUp();
    await world.play();
    await world.quiet();
    const all = await world.findViolations();
    const broken = script.only === undefined ? all : all.filter((each) => each.includes(script.only!));
    const happened = Object.fromEntries([...world.runs].map(([run, network]) => [run, network.happened]));
    return { broken, faults: world.faults, sent: world.story.sent.length, happened };
  } finally {
    await world.close();
  }
}

/** Plays the story of this seed and returns everything that broke. */
export const playSeed = (seed: number, plant?: Plant, size?: Size): Promise<StoryResult> =>
  playScript(scriptOf(seed, size), plant);
