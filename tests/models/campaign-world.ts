/** The stage of the model of campaigns: the program's commands on two machines, the real provider in memory, and what really was delivered. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCore } from "../../src/core/client.ts";
import { createSystemClock } from "../../src/core/adapters/system-clock.ts";
import type { HttpReply, HttpRequest } from "../../src/core/base/ports.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import { readOptOuts, writeOptOuts } from "../../src/commands/campaign/receipts/campaign-folder.ts";
import type { openingOf } from "../../src/commands/campaign/plan/send-plan.ts";
import { fillArgs } from "../../src/commands/base/args.ts";
import type { Args, Command, Call, Machine, RawArgs } from "../../src/commands/base/define-command.ts";
import { commands } from "../support/commands.ts";
import { signToken } from "../../src/wire/token.ts";
import { SIM_KEY, SIM_SECRET, SimProvider } from "../sim/provider.ts";
import { fakeLog, fakeSockets } from "../support/fake-ports.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** The process ends at this write, counted from 1: before it leaves, or after the provider has done it. */
export interface Kill {
  write: number;
  after: boolean;
}

/** Something happens to a person, or the process ends, when a run begins to wait for the nth time. */
export interface InWait {
  wait: number;
  act: "kill" | "deactivate" | "optout";
  person: string;
}

/** A message that a process has sent itself. */
export interface Sent {
  person: string;
  machine: number;
  /** By the clock of the story, milliseconds since the epoch. */
  at: number;
}

export interface Ended {
  value?: unknown;
  error?: Error & { kind?: string; status?: number };
  killed?: true;
}

export type CampaignCommand = `campaign ${string}` | "segment remove";
export type Template = "own" | "direct" | "club" | "none";

/** Changes what a process does, for bugs planted on purpose. */
export interface Plant {
  request?(request: HttpRequest): HttpRequest;
  answer?(request: HttpRequest, reply: HttpReply): HttpReply;
  /** Instead of the rule that tells when somebody may be sent to; gets it as its first argument. */
  opening?(real: typeof openingOf, ...args: Parameters<typeof openingOf>): ReturnType<typeof openingOf>;
  /** A spread has no time between two people. */
  bursts?: true;
  /** Who has left since the check gets it all the same. */
  asksOnce?: true;
  /** Called before each command. */
  before?(world: CampaignWorld, command: string): void;
}

const READS = /\/(query|search)$|\/targets\/query$|\/channels$/;
const isWrite = ({ method, url }: HttpRequest): boolean =>
  method !== "GET" && !READS.test(new URL(url).pathname);

export const SENDER = "shop";
export const LIAR = "eve";
export const ROOT = "s";
const AGAIN = `${ROOT}-again`;

/** Where people are, by their field time_zone; some do not say. */
export const zoneOfPerson = (id: string): string | undefined =>
  [undefined, "Asia/Tokyo", "America/Los_Angeles", "Europe/Berlin"][id.charCodeAt(id.length - 1) % 4];

export class CampaignWorld {
  readonly #clock = new VirtualClock();
  readonly #dice: Dice;
  readonly #plant: Plant;
  readonly folder = mkdtempSync(path.join(tmpdir(), "parley-campaigns-"));
  readonly provider: SimProvider;
  /** Deliveries: `run person` → how many messages. */
  readonly delivered = new Map<string, number>();
  readonly #counted = new Set<string>();
  /** What processes have sent by message, in order of time. */
  readonly sent: Sent[] = [];
  /** Person → when they were deactivated or have opted out during a wait. */
  readonly goneAt = new Map<string, number>();
  people: string[] = [];
  /** How long a message takes that a process sends itself, by the clock of the story. */
  minutesPerSend = 0;
  template: Template = "own";

  constructor(seed: number, plant: Plant = {}) {
    this.#dice = dice(seed);
    this.#plant = plant;
    this.provider = new SimProvider(this.#clock, this.#dice);
    for (const at of [0, 1]) mkdirSync(this.machineFolder(at));
  }

  now(): number {
    return this.#clock.now();
  }

  /** Time passes in which no process of ours is at work. */
  pass(hours: number): Promise<void> {
    return this.#clock.advance(hours * 3_600_000);
  }

  machineFolder(at: number): string {
    return path.join(this.folder, `machine-${at}`);
  }

  /** A request of a server, outside all commands. */
  async call(method: string, where: string, body: object, user?: string): Promise<Record<string, never>> {
    const separator = where.includes("?") ? "&" : "?";
    const { status, text } = await this.provider.handle({
      method,
      url: `http://sim:1${where}${separator}api_key=${SIM_KEY}${user === undefined ? "" : `&user_id=${user}`}`,
      headers: { Authorization: signToken({ server: true }, SIM_SECRET), "stream-auth-type": "jwt" },
      body: JSON.stringify(body),
      timeout: 0,
      maxBytes: 1e7,
    });
    if (status >= 300) throw new Error(`${method} ${where}: ${text}`);
    return JSON.parse(text) as Record<string, never>;
  }

  async begin(people: number, template: Template, creates: boolean, mode: string): Promise<void> {
    this.template = template;
    this.people = Array.from({ length: people }, (_, n) => `p${n}`);
    const users = [SENDER, LIAR, ...this.people, "late0", "late1"];
    await this.call("POST", "/users", {
      users: Object.fromEntries(
        users.map((id) => [id, { id, name: `Name of ${id}`, time_zone: zoneOfPerson(id) }]),
      ),
    });
    for (const person of this.people.slice(0, creates ? people / 2 : undefined)) await this.openRoom(person);
    const channel = {
      own: "channel_template: {type: messaging, id: 'room-{{receiver.id}}'}",
      direct: "channel_template: {type: messaging}",
      club: "channel_template: {type: messaging, id: club}",
      none: "",
    }[template];
    writeFileSync(
      path.join(this.folder, "s.yaml"),
      `id: ${ROOT}\nsender_id: ${SENDER}\nmode: ${mode}\nmessage_template: {text: 'Hi {{receiver.name}}'}\n${channel}\n${creates && template !== "none" ? "create_channels: true\n" : ""}audience: {ids: people.txt}\n`,
    );
    this.writePeople();
  }

  writePeople(): void {
    writeFileSync(path.join(this.folder, "people.txt"), `${this.people.join("\n")}\n`);
  }

  /** The channels that the templates name, so that a campaign that makes none has some; the liar is in them. */
  async openRoom(person: string): Promise<void> {
    if (this.template === "own" || this.template === "club") {
      const id = this.template === "own" ? `room-${person}` : "club";
      await this.call("POST", `/channels/messaging/${id}/query`, {
        data: { members: [person, SENDER, LIAR], created_by_id: SENDER },
        state: false,
      });
    } else
      await this.call("POST", "/channels/messaging/query", {
        data: { members: [person, SENDER], created_by_id: SENDER },
        state: false,
      });
  }

  /** One batch of the provider; false when no campaign is due. */
  serve(): boolean {
    const was = this.provider.runStep();
    this.#countServed();
    return was;
  }

  #add(key: string, run: string, person: string): void {
    if (this.#counted.has(key)) return;
    this.#counted.add(key);
    const name = `${run} ${person}`;
    this.delivered.set(name, (this.delivered.get(name) ?? 0) + 1);
  }

  /** What the provider itself has delivered, by its own table. */
  #countServed(): void {
    const rows = this.provider.db.all<{ run: string; person: string; at: number }>(
      `SELECT r.campaign_id AS run, r.user_id AS person, c.created_at AS at FROM campaign_receivers r JOIN campaigns c ON c.id = r.campaign_id`,
    );
    for (const { run, person, at } of rows) this.#add(`${run} ${person} ${at}`, run, person);
  }

  /** How many messages of the campaign and its follow-ups somebody got. */
  countOf(person: string): number {
    let count = 0;
    for (const [name, n] of this.delivered)
      if (name.endsWith(` ${person}`) && !name.startsWith(AGAIN)) count += n;
    return count;
  }

  /** How many messages somebody got of the first campaign that was sent again to those who had not read it. */
  againTo = (person: string): number => this.delivered.get(`${AGAIN} ${person}`) ?? 0;

  /** Runs a command in a process of its own on a machine. */
  async run(
    name: CampaignCommand,
    raw: RawArgs,
    at: number,
    { kill, inWait }: { kill?: Kill | undefined; inWait?: InWait | undefined } = {},
  ): Promise<Ended> {
    this.#plant.before?.(this, name);
    const dead = Promise.withResolvers<Ended>();
    const { signal } = new AbortController();
    let [writes, isDead] = [0, false];
    const die = (): Promise<never> => {
      isDead = true;
      dead.resolve({ killed: true });
      return new Promise<never>(() => {});
    };
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      if (isDead) return new Promise<never>(() => {});
      const sent = this.#plant.request?.(asked) ?? asked;
      const turn = isWrite(sent) ? ++writes : 0;
      if (kill && turn === kill.write && !kill.after) return die();
      const reply = await this.provider.handle(sent);
      if (this.#countSent(sent, reply, at)) await this.#clock.advance(this.minutesPerSend * 60_000);
      if (kill && turn === kill.write) return die();
      return this.#plant.answer?.(sent, reply) ?? reply;
    };
    const core = createCore(
      {
        baseUrl: "http://sim:1",
        apiKey: SIM_KEY,
        secret: SIM_SECRET,
        transport: "websocket",
        clientName: "m",
      },
      {
        request: request as never,
        unchecked: true,
        socket: fakeSockets().port,
        store: createMemoryStore(),
        clock: createSystemClock(),
        random: this.#dice,
        log: fakeLog(),
      },
    );
    let waits = 0;
    const sleep = async (ms: number): Promise<void> => {
      if (isDead) return new Promise<never>(() => {});
      if (inWait && ++waits === inWait.wait) {
        if (inWait.act === "kill") return die();
        await this.#lose(inWait.person, inWait.act);
      }
      await this.#clock.advance(ms);
    };
    const command = commands[name] as unknown as Command;
    const now = (): number => this.#clock.now();
    const call = {
      args: fillArgs(command.args, raw, { channelType: "messaging", now: now() }),
      core,
      channelType: "messaging",
      page: { limit: Infinity },
      signal,
      progress: () => {},
      dry: false,
      now,
      random: () => this.#dice.uuid(),
      machine: { ...this.#machine(at), sleep },
      localFile: (file: string) => Promise.resolve(file),
    } as unknown as Call<Args>;
    const ended = await Promise.race([dead.promise, this.#resultOf(command, call)]);
    if (ended.killed) this.#unlock(at);
    this.#countServed();
    return ended;
  }

  async #resultOf(command: Command, call: Call<Args>): Promise<Ended> {
    try {
      const result = command.run(call);
      if (!(Symbol.asyncIterator in result)) return { value: await result };
      const items: unknown[] = [];
      for await (const item of result) items.push(item);
      return { value: items };
    } catch (error) {
      return { error: error as NonNullable<Ended["error"]> };
    }
  }

  /** Somebody leaves while a run waits; those who have left before stay where they are. */
  async #lose(person: string, act: "deactivate" | "optout"): Promise<void> {
    if (act === "deactivate") await this.call("POST", `/users/${person}/deactivate`, {}).catch(() => {});
    else
      for (const at of [0, 1])
        writeOptOuts({ folder: this.machineFolder(at) }, [
          ...readOptOuts({ folder: this.machineFolder(at) }),
          { id: person, since: "2026" },
        ]);
    if (!this.goneAt.has(person)) this.goneAt.set(person, this.#clock.now());
  }

  /** Whether a process has sent a message of a campaign itself: counted person by person. */
  #countSent({ url, method, body }: HttpRequest, { status }: HttpReply, machine: number): boolean {
    if (method !== "POST" || !new URL(url).pathname.endsWith("/message") || status >= 300) return false;
    const { message } = JSON.parse(String(body)) as {
      message: { id: string; campaign_id?: string; campaign_receiver?: string };
    };
    if (message.campaign_id === undefined || this.#counted.has(message.id)) return false;
    const person = String(message.campaign_receiver);
    if (!message.campaign_id.startsWith(AGAIN)) this.sent.push({ person, machine, at: this.#clock.now() });
    this.#add(message.id, message.campaign_id, person);
    return true;
  }

  /** Locks of a killed process are those of a dead one. */
  #unlock(at: number): void {
    for (const name of readdirSync(this.machineFolder(at)))
      if (name.endsWith(".lock")) rmSync(path.join(this.machineFolder(at), name));
  }

  #machine(at: number): Machine {
    // Commands of campaigns use no more of it.
    return {
      profile: "p",
      folder: this.machineFolder(at),
      announceLongRun: () => {},
      requireAnswer: () => {},
      ask: async () => {},
    } as unknown as Machine;
  }

  end(): void {
    this.provider.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
