/** One simulated story: three clients on a seeded network against the real provider's handlers, then quiet, then judgement. */
import { createCore } from "../../src/core/client.ts";
import type { Client } from "../../src/core/client.ts";
import type { Clock, Ports } from "../../src/core/ports.ts";
import type { State } from "../../src/core/state/model.ts";
import { createMemoryStore } from "../../src/core/store/memory.ts";
import type { Store } from "../../src/core/store/store.ts";
import { check, watchState } from "../support/checker.ts";
import { fakeLog } from "../support/fake-ports.ts";
import { dice } from "../support/seeded.ts";
import type { Dice } from "../support/seeded.ts";
import { Story } from "../support/story.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { CALL_FAULTS, SimNetwork } from "./network.ts";
import { SIM_KEY, SIM_SECRET, SimProvider } from "./provider.ts";

const CIDS = ["messaging:a", "messaging:b", "messaging:c", "messaging:d"];
/** Small pages make gaps likely. */
const PAGE = 6;

/** A bug put into a program on purpose, to see that the checker sees it. */
export interface Plant {
  ports?(ports: Ports): Ports;
  options?: Record<string, unknown>;
  /** Changes what the checker is shown of a state, as a broken reducer would. */
  core?(core: Client): Client;
}

/** A clock that goes wrong by `skew` milliseconds on the wall, never in its timers. */
function skewed(clock: VirtualClock, skew: () => number): Clock {
  return {
    now: () => clock.now() + skew(),
    monotonic: () => clock.monotonic(),
    setTimeout: (run, ms) => clock.setTimeout(run, ms),
    clearTimeout: (timer) => clock.clearTimeout(timer),
  };
}

class SimClient {
  readonly store: Store;
  readonly log = fakeLog();
  core!: Client;
  network!: SimNetwork;
  #run = 0;
  skew = 0;
  /** Place → text that the user typed last, and when. */
  readonly drafts = new Map<string, { text: string; at: number }>();
  readonly name: string;
  readonly userId: string;
  readonly mode: "websocket" | "longpoll" | "auto";
  readonly #world: SimWorld;

  constructor(world: SimWorld, name: string, userId: string, mode: SimClient["mode"]) {
    this.#world = world;
    this.name = name;
    this.userId = userId;
    this.mode = mode;
    this.store = createMemoryStore(userId);
  }

  start(): void {
    const world = this.#world;
    const run = ++this.#run;
    const random = world.dice.fork(`${this.name} ${run}`);
    const trouble = this.network?.trouble ?? 0;
    const network = new SimNetwork(world.clock, random.fork("net"), world.provider);
    this.network = network;
    Object.assign(network, { trouble, doubles: 0.05 });
    world.networks.push(network);
    const ports: Ports = {
      request: network.request,
      socket: network.socket,
      store: this.#guard(network),
      clock: skewed(world.clock, () => this.skew),
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
      (tell) => this.core.subscribe(() => network.alive && tell()),
      (incident) => world.story.incidents.push(incident),
    );
    this.core.restore();
    void this.core.connectUser({ id: this.userId }, world.provider.token(this.userId)).then(
      () => this.#open(network),
      (error: Error) =>
        network.alive && world.story.incidents.push(`${this.name}: connectUser failed: ${error.message}`),
    );
  }

  /** As the screen does: the list is asked until it is there. */
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

  /** A dead program writes nothing more. */
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

  /** kill -9: nothing is flushed, nobody is told. */
  crash(): void {
    this.network.kill();
    this.#world.owners.delete(`${this.name}#${this.#run}`);
    const lost = this.#world.clock.monotonic() - 250;
    // D10: what was typed within the last 250 ms may be lost.
    for (const [place, draft] of this.drafts) if (draft.at > lost) this.drafts.delete(place);
    void this.core.close().catch(() => undefined);
  }
}

export class SimWorld {
  readonly clock = new VirtualClock();
  readonly dice: Dice;
  readonly provider: SimProvider;
  readonly networks: SimNetwork[] = [];
  readonly owners = new Set<string>();
  readonly story: Story;
  readonly plant: Plant | undefined;
  clients: SimClient[] = [];
  faults = 0;

  constructor(seed: number, plant?: Plant) {
    this.plant = plant;
    this.dice = dice(seed);
    this.story = new Story(this.dice, CIDS, PAGE + 4, () => this.clock.monotonic());
    this.provider = new SimProvider(this.clock, this.dice.fork("provider"));
  }

  /** A client of no fault, for setting up and for comparing. */
  async fresh(userId: string): Promise<Client> {
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

  /** Moves time on until the promise has settled. */
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
    const maker = await this.fresh("ada");
    const ben = await this.fresh("ben");
    for (const cid of CIDS) await this.wait(maker.watch(cid, { members: ["ada", "ben"] }));
    for (const cid of CIDS.slice(0, 2)) {
      await this.wait(this.story.root(maker, "ada", cid));
    }
    await this.wait(Promise.all([maker.close(), ben.close()]));
    this.clients = [
      new SimClient(this, "ada-desk", "ada", "websocket"),
      new SimClient(this, "ada-pocket", "ada", "longpoll"),
      new SimClient(this, "ben", "ben", "auto"),
    ];
    for (const client of this.clients) client.start();
  }

  break(client: SimClient): void {
    this.faults += 1;
    const { network } = client;
    const roll = this.dice.below(12);
    const later = (ms: number, run: () => void): void => void this.clock.setTimeout(run, ms);
    switch (roll) {
      case 0:
      case 1:
        return network.breakSockets("reset");
      case 2:
        return network.breakSockets("silence");
      case 3:
        return network.breakSockets(this.dice.pick([1001, 1008, 1011, 1013]));
      case 4:
      case 5:
        network.cut = true;
        network.breakSockets(this.dice.chance(0.5) ? "reset" : "silence");
        return later(100 + this.dice.below(20_000), () => (network.cut = false));
      case 6:
        network.socketsBlocked = true;
        network.breakSockets("reset");
        return later(1000 + this.dice.below(20_000), () => (network.socketsBlocked = false));
      case 7:
        return this.provider.restart();
      case 8:
        client.crash();
        return client.start();
      case 9:
        client.skew = this.dice.below(1_200_000) - 600_000;
        return;
      default:
        for (let n = 0; n < 1 + this.dice.below(4); n++) network.queued.push(this.dice.pick(CALL_FAULTS));
    }
  }

  /** The story: operations and faults at seeded moments. */
  async play(operations: number, faults: number): Promise<void> {
    const trouble = this.dice.pick([0, 0.02, 0.1]);
    for (const client of this.clients) client.network.trouble = trouble;
    // Most stories begin on an open link, some in the middle of the first attempt.
    await this.clock.advance(this.dice.chance(0.8) ? 400 : 5);
    const steps = [...Array<"act">(operations).fill("act"), ...Array<"break">(faults).fill("break")];
    for (let i = steps.length - 1; i > 0; i--) {
      const j = this.dice.below(i + 1);
      [steps[i], steps[j]] = [steps[j]!, steps[i]!];
    }
    for (const step of steps) {
      const client = this.dice.pick(this.clients);
      try {
        if (step === "act") this.story.act(client);
        else this.break(client);
      } catch (error) {
        this.story.incidents.push(`${client.name}: ${String((error as Error).stack)}`);
      }
      await this.clock.advance(this.dice.pick([0, 1, 3, 10, 30, 100, 300, 1000, 4000]));
    }
  }

  /** No more faults: everything has time to settle. */
  async quiet(): Promise<void> {
    for (const network of this.networks)
      Object.assign(network, { trouble: 0, cut: false, socketsBlocked: false });
    for (const network of this.networks) network.queued.length = 0;
    const settled = (): boolean =>
      this.clients.every(
        ({ core }) =>
          core.state().outbox === 0 && core.state().link.phase === "open" && !core.state().link.catchingUp,
      );
    // A refusal told by a clock that has jumped since may hold a lane for ten minutes.
    // A silent socket is found dead within 36 s (decisions 33), a rate limit ends within seconds.
    await this.clock.advance(60_000);
    for (let n = 0; n < 140 && !settled(); n++) await this.clock.advance(5000);
    await this.clock.advance(3000);
  }

  async judge(): Promise<string[]> {
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
        // A thread is asked anew when it is next shown (realtime.md §7.6).
        await this.wait(this.#whole(client.core, cid, parentId));
      for (const [cid, draft] of client.drafts)
        drafts.push({ by: client.name, held: client.core.draft({ cid })?.text, wanted: draft.text });
    }
    const faults = check({
      ...this.story.evidence,
      incidents: [...this.story.incidents, ...this.provider.faults.map((fault) => `provider: ${fault}`)],
      views: this.clients.map((client) => ({
        name: client.name,
        userId: client.userId,
        state: client.core.state(),
        fresh: fresh.get(client.userId)!,
        outbox: client.store.outbox().filter((row) => row.state !== "failed").length,
      })),
      logs: this.clients.flatMap((client) => client.log.lines),
      secrets: [SIM_SECRET, this.provider.token("ada"), this.provider.token("ben")],
      drafts,
    });
    this.faults += this.networks.reduce((sum, network) => sum + network.count, 0);
    return faults;
  }

  async #whole(core: Client, cid: string, parentId: string): Promise<void> {
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

/** Everything that broke in the story of this seed. */
export async function tell(
  seed: number,
  plant?: Plant,
  size = { operations: 45, faults: 9 },
): Promise<{ broken: string[]; faults: number; sent: number }> {
  const world = new SimWorld(seed, plant);
  try {
    await world.setUp();
    await world.play(size.operations, size.faults);
    await world.quiet();
    const broken = await world.judge();
    return { broken, faults: world.faults, sent: world.story.sent.length };
  } finally {
    await world.close();
  }
}
