/** Campaigns against what was really delivered: people, modes, stops, kills and follow-ups at random, and bugs planted on purpose. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { CampaignReport } from "../../src/commands/campaign/flow/report.ts";
import type { CampaignCheck } from "../../src/commands/campaign/flow/check.ts";
import type { Dice } from "../support/seeded.ts";
import {
  CampaignWorld,
  LIAR,
  ROOT,
  SENDER,
  type CampaignCommand,
  type Ended,
  zoneOfPerson,
  type InWait,
  type Kill,
  type Plant,
  type Template,
} from "./campaign-world.ts";
import { findsBug, testModel, type Model } from "./stories.ts";

// Small pages and batches, so that few people fill several.
vi.mock("../../src/wire/constants.ts", async (original) => ({
  ...(await original<object>()),
  CAMPAIGN_BATCH: 2,
  QUERY_CHANNELS_LIMIT: [2, 3],
}));

type Step =
  | {
      do: "begin";
      people: number;
      template: Template;
      creates: boolean;
      mode: "campaign" | "messages";
      plan?: Plan;
    }
  | { do: "start"; machine: number; kill?: Kill; inWait?: Omit<InWait, "person"> & { person: number } }
  | { do: "pass"; hours: number }
  | { do: "again"; kill?: Kill }
  | { do: "byId" | "stop" | "deleteRun"; run: number; machine: number; kill?: Kill }
  | { do: "follow"; run: number; machine: number; kill?: Kill }
  | { do: "ask"; verb: "report" | "stats" | "check"; run: number; machine: number }
  | { do: "serve"; batches: number }
  | { do: "grow" | "restart" }
  | { do: "optout" | "deactivate" | "leave" | "lie" | "erase" | "room"; person: number };

const TEMPLATES: Template[] = ["own", "direct", "club", "none"];

/** The flags of a plan. */
interface Plan {
  window?: string;
  tz: string;
  quietDay: string[];
  spread?: string;
  atLocal?: string;
}

const ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata"];

function drawPlan(random: Dice): Plan {
  const tz = random.pick(ZONES);
  const quietDay = random.chance(0.4) ? ["saturday", "2026-03-05"] : [];
  const kind = random.below(4);
  if (kind === 0) return { tz, quietDay, atLocal: random.pick(["09:00", "23:30", "02:30"]) };
  if (kind === 1) return { tz, quietDay: [], spread: random.pick(["6h", "24h", "3d"]) };
  const spread = kind === 2 ? { spread: "24h" } : {};
  const window = random.pick(["09:00-18:00", "22:00-06:00", "02:30-03:00", "00:00-24:00"]);
  return { tz, quietDay, window, ...spread };
}

function drawStep(random: Dice): Step {
  const machine = random.chance(0.8) ? 0 : 1;
  const run = random.below(4);
  const person = random.below(8);
  const kill = random.chance(0.25) ? { kill: { write: 1 + random.below(6), after: random.chance(0.5) } } : {};
  const kind = random.below(100);
  if (kind < 22) return { do: "start", machine, ...kill };
  if (kind < 40) return { do: "follow", run, machine, ...kill };
  if (kind < 56) return { do: "serve", batches: 1 + random.below(4) };
  if (kind < 66) return { do: "stop", run, machine };
  if (kind < 71) return { do: "byId", run, machine, ...kill };
  if (kind < 82) return { do: "ask", verb: random.pick(["report", "stats", "check"] as const), run, machine };
  if (kind < 84) return { do: "grow" };
  if (kind < 85) return { do: "restart" };
  if (kind < 86) return { do: "deleteRun", run, machine };
  if (kind < 93) return { do: "lie", person };
  const acts = ["optout", "deactivate", "leave", "erase", "room"] as const;
  return { do: random.pick(acts), person };
}

function script(random: Dice): Step[] {
  const begin: Step = {
    do: "begin",
    people: 1 + random.below(7),
    template: random.pick(TEMPLATES),
    creates: random.chance(0.6),
    mode: random.chance(0.7) ? "campaign" : "messages",
  };
  const kill = random.chance(0.4) ? { kill: { write: 1 + random.below(12), after: random.chance(0.6) } } : {};
  const steps = Array.from({ length: 4 + random.below(12) }, () => drawStep(random));
  return [begin, { do: "start", machine: 0, ...kill }, ...steps];
}

function drawPlannedStep(random: Dice): Step {
  const machine = random.chance(0.8) ? 0 : 1;
  const kind = random.below(100);
  if (kind < 20)
    return { do: "start", machine, kill: { write: 1 + random.below(6), after: random.chance(0.5) } };
  if (kind < 60) {
    const act = random.pick(["kill", "kill", "deactivate", "optout"] as const);
    return { do: "start", machine, inWait: { wait: 1 + random.below(8), act, person: random.below(8) } };
  }
  if (kind < 80) return { do: "pass", hours: 1 + random.below(40) };
  if (kind < 88) {
    const kill = { write: 1 + random.below(6), after: random.chance(0.5) };
    return { do: "again", ...(random.chance(0.6) ? { kill } : {}) };
  }
  if (kind < 94) return { do: "ask", verb: random.pick(["report", "check"] as const), run: 0, machine };
  return random.chance(0.5) ? { do: "grow" } : { do: "restart" };
}

/** A campaign by messages with a plan: kills in every send and every wait, and people who leave meanwhile. */
const plannedScript = (random: Dice): Step[] => [
  {
    do: "begin",
    people: 1 + random.below(7),
    template: "direct",
    creates: true,
    mode: "messages",
    plan: drawPlan(random),
  },
  ...Array.from({ length: 2 + random.below(6) }, () => drawPlannedStep(random)),
];

/** Refusals that a command may end with. */
const EXPECTED = new Set(["conflict", "rejected", "notFound", "unknown", "partial", "usage"]);

const runId = (run: number): string => (run === 0 ? ROOT : `${ROOT}-r${run + 1}`);

/** The plan where a person is: with a time of day of their own, the hour after it in their zone. */
function zoned(plan: Plan, person: string): Plan {
  if (plan.atLocal === undefined) return plan;
  const [hour, minute] = plan.atLocal.split(":") as [string, string];
  const until = `${String((Number(hour) + 1) % 24).padStart(2, "0")}:${minute}`;
  return { ...plan, window: `${plan.atLocal}-${until}`, tz: zoneOfPerson(person) ?? plan.tz };
}

/** Whether a plan lets messages out at an instant, told by the locale alone. */
function mayBeSentAt({ window = "00:00-24:00", tz, quietDay }: Plan, at: number): boolean {
  const format = { timeZone: tz, dateStyle: "short", timeStyle: "short" } as const;
  const [date, time] = new Intl.DateTimeFormat("sv-SE", format).format(at).split(" ");
  const day = new Intl.DateTimeFormat("en", { timeZone: tz, weekday: "long" }).format(at).toLowerCase();
  const [from, to] = window.split("-") as [string, string];
  const isIn = from < to ? time! >= from && time! < to : time! >= from || time! < to;
  return isIn && !quietDay.includes(day) && !quietDay.includes(date!);
}

class Story {
  readonly #world: CampaignWorld;
  readonly broken: string[] = [];
  #mode: "campaign" | "messages" = "campaign";
  #plan: Plan | undefined;
  /** Whether messages or runs were deleted, or people have left: then not everything can be proved. */
  #isDimmed = false;
  /** How many messages were sent when a run last ended. */
  #sentByEnded = 0;
  #late = 0;
  /** Sent by message, and gone or left since: only the journal that sent it knows, and not that of another machine. */
  readonly #forgotten = new Set<string>();
  readonly #unavailable = new Set<string>();

  constructor(world: CampaignWorld) {
    this.#world = world;
  }

  async #command(
    name: CampaignCommand,
    raw: Record<string, string | string[]>,
    machine: number,
    happens: { kill?: Kill | undefined; inWait?: InWait | undefined } = {},
  ): Promise<Ended> {
    const ended = await this.#world.run(name, raw, machine, happens);
    const { error } = ended;
    const isRefusal = error?.name === "CommandError" && EXPECTED.has(error.kind ?? "");
    const isAnswer = error?.name === "ApiError" && (error.status ?? 500) < 500;
    if (error && !isRefusal && !isAnswer) this.broken.push(`${name} crashed: ${error.stack}`);
    this.#countTwice(name);
    return ended;
  }

  /** Sends it again to those who have not read it, which nobody in these stories has. */
  async #again(kill?: Kill): Promise<Ended> {
    const campaign = path.join(this.#world.folder, "s.yaml");
    const raw = { campaign, skipWrong: true, rate: "100000", againTo: "unread" };
    return this.#command("campaign start", raw as never, 0, { kill });
  }

  #countTwice(after: string): void {
    for (const person of this.#world.people)
      if (this.#world.againTo(person) > 1 && !this.#forgotten.has(person))
        this.broken.push(`${person} got it again twice after ${after}`);
    for (const person of this.#world.people)
      if (this.#world.countOf(person) > 1 && !this.#forgotten.has(person))
        this.broken.push(`${person} got it twice after ${after}`);
  }

  async play(step: Step): Promise<void> {
    const world = this.#world;
    switch (step.do) {
      case "begin":
        this.#mode = step.mode;
        this.#plan = step.plan;
        if (step.plan) world.minutesPerSend = 13;
        return world.begin(step.people, step.template, step.creates, step.mode);
      case "start":
        return void (await this.#start(step.machine, step.kill, step.inWait));
      case "again":
        return void (await this.#again(step.kill));
      case "pass":
        return world.pass(step.hours);
      case "byId":
        return void (await this.#command(
          "campaign start",
          { campaign: runId(step.run) },
          step.machine,
          step,
        ));
      case "stop":
        return void (await this.#command("campaign stop", { campaign: runId(step.run) }, step.machine));
      case "deleteRun":
        this.#isDimmed = true;
        return void (await this.#command("campaign delete", { campaign: runId(step.run) }, step.machine));
      case "follow":
        return void (await this.#command(
          "campaign continue",
          { campaign: runId(step.run) },
          step.machine,
          step,
        ));
      case "ask":
        return this.#ask(step.verb, runId(step.run), step.machine);
      case "serve":
        for (let n = 0; n < step.batches; n++) world.serve();
        return this.#countTwice("a batch");
      case "restart":
        return world.provider.restart();
      case "grow":
        if (this.#late < 2) world.people.push(`late${this.#late++}`);
        return world.writePeople();
      default:
        return this.#change(step.do, world.people[step.person % world.people.length]!);
    }
  }

  async #start(
    machine: number,
    kill?: Kill,
    inWait?: Omit<InWait, "person"> & { person: number },
  ): Promise<Ended> {
    const world = this.#world;
    const file = path.join(world.folder, "s.yaml");
    const plan = this.#plan && {
      ...this.#plan,
      ...(this.#plan.window !== undefined && { pauseOutside: true }),
      concurrency: "1",
    };
    const person = inWait && world.people[inWait.person % world.people.length]!;
    const ended = await this.#command(
      "campaign start",
      { campaign: file, skipWrong: true, rate: "100000", ...plan } as never,
      machine,
      { kill, inWait: inWait && { ...inWait, person: person! } },
    );
    this.#spreadTrue();
    // Who comes after a run that has ended gets it from another one, which begins anew.
    if (!ended.error && !ended.killed) this.#sentByEnded = world.sent.length;
    for (const gone of world.goneAt.keys()) this.#unavailable.add(gone);
    this.#timesTrue();
    return ended;
  }

  /** Two messages of a run on one machine are never closer than half of what was planned, whatever was killed between them. */
  #spreadTrue(): void {
    const { people } = this.#world;
    const sent = this.#world.sent.slice(this.#sentByEnded);
    if (this.#plan?.spread === undefined || this.#plan.window !== undefined) return;
    const hours = { "6h": 6, "24h": 24, "3d": 72 }[this.#plan.spread]!;
    const least = (hours * 3_600_000) / people.length / 2;
    for (const [n, { at, person }] of sent.entries()) {
      const before = sent.slice(0, n).findLast((one) => one.machine === sent[n]!.machine);
      if (before && at - before.at < least - 1)
        this.broken.push(`${person} got it in a burst, ${at - before.at} ms after ${before.person}`);
    }
  }

  /** What was sent by message was sent when the plan allows it, and to nobody who had left more than a minute before. */
  #timesTrue(): void {
    const { sent, goneAt } = this.#world;
    for (const { person, at } of sent) {
      const when = new Date(at).toISOString();
      if (this.#plan && !mayBeSentAt(zoned(this.#plan, person), at))
        this.broken.push(`${person} got it outside, at ${when}`);
      if (at - (goneAt.get(person) ?? at) > 60_000)
        this.broken.push(`${person} had left and got it at ${when}`);
    }
  }

  async #change(
    what: "optout" | "deactivate" | "leave" | "lie" | "erase" | "room",
    person: string,
  ): Promise<void> {
    const world = this.#world;
    switch (what) {
      case "optout":
        this.#unavailable.add(person);
        for (const machine of [0, 1])
          await this.#command("campaign optout add", { users: [person] }, machine);
        return;
      case "deactivate":
        if (this.#unavailable.has(person)) return;
        this.#unavailable.add(person);
        await world.call("POST", `/users/${person}/deactivate`, {}).catch(() => {});
        return;
      case "room":
        return world.openRoom(person).catch(() => {});
      case "lie":
        for (const each of world.people) await this.#lie(each);
        return;
      case "leave":
        for (const cid of this.#channelsOf(person)) {
          this.#dim(person);
          await world.call("POST", `/channels/${cid.replace(":", "/")}`, { remove_members: [person] });
        }
        return;
      case "erase": {
        const id = this.#messageTo(person);
        if (id === undefined) return;
        this.#dim(person);
        await world.call("DELETE", `/messages/${id}?hard=true`, {});
      }
    }
  }

  #dim(person: string): void {
    this.#isDimmed = true;
    if (this.#mode === "messages") this.#forgotten.add(person);
  }

  /** A member writes messages that look like the campaign's. */
  async #lie(person: string): Promise<void> {
    for (const cid of this.#channelsOf(person))
      await this.#world
        .call("POST", `/channels/${cid.replace(":", "/")}/message`, {
          message: {
            text: `Hi Name of ${person}`,
            campaign_id: ROOT,
            campaign_receiver: person,
            campaign_root: ROOT,
            user_id: LIAR,
          },
        })
        .catch(() => {});
  }

  #channelsOf(person: string): string[] {
    return this.#world.provider.db.column<string>("SELECT cid FROM members WHERE user_id = ?", person);
  }

  #messageTo(person: string): string | undefined {
    return this.#world.provider.db.value<string>(
      "SELECT id FROM messages WHERE user_id = ? AND json_extract(data, '$.custom.campaign_receiver') = ? LIMIT 1",
      SENDER,
      person,
    );
  }

  async #ask(verb: "report" | "stats" | "check", id: string, machine: number): Promise<void> {
    if (verb === "check") return this.#checkTrue(machine);
    const { value } = await this.#command(`campaign ${verb}`, { campaign: id }, machine);
    if (value === undefined) return;
    if (verb === "report") this.#reportTrue(value as CampaignReport);
    else
      for (const { id: person } of (value as { missed?: { id: string }[] }).missed ?? [])
        if (this.#world.countOf(person) > 0)
          this.broken.push(`stats ${id} says ${person} was missed, who got it`);
  }

  #reportTrue({ campaign, people, named, ...counts }: CampaignReport): void {
    const world = this.#world;
    for (const { user, result } of people) {
      const got = world.countOf(user) > 0;
      const says = (what: string): unknown => this.broken.push(`report ${campaign} says ${user} ${what}`);
      if (result === "sent" && !got) says("got it, who did not");
      // Sent by a run killed before it wrote that down, and gone since: all that is left is that its id is refused.
      const isRefused = result === "failed" && this.#forgotten.has(user);
      if ((result === "missed" || result === "failed") && got && !isRefused) says("was missed, who got it");
      if (result === "waiting" && got && !this.#isDimmed) says("waits, who got it");
      if (result === "unproved" && !this.#isDimmed) says("cannot be proved, and nothing was deleted");
    }
    const left = Object.values(counts.left_out).reduce((sum, n) => sum + n, 0);
    const sum = counts.sent + counts.missed + counts.waiting + counts.unproved + left;
    if (sum !== named) this.broken.push(`report ${campaign} names ${named} and accounts for ${sum}`);
  }

  async #checkTrue(machine: number): Promise<void> {
    const world = this.#world;
    const { value } = await this.#command(
      "campaign check",
      { file: path.join(world.folder, "s.yaml") },
      machine,
    );
    if (value === undefined) return;
    const { audience, findings } = value as CampaignCheck;
    if (findings.some(({ code }) => code === "begun")) return;
    const have = world.people.filter((person) => world.countOf(person) > 0);
    const got = have.filter((person) => !this.#forgotten.has(person)).length;
    if (audience.received > have.length)
      this.broken.push(`check says ${audience.received} have received it, and ${got} have`);
    if (!this.#isDimmed && audience.received + audience.deactivated < got)
      this.broken.push(`check says ${audience.received} have received it, and ${got} have`);
    if (audience.receivers > world.people.length - got)
      this.broken.push(
        `check would send it to ${audience.receivers} of ${world.people.length}, and ${got} have it`,
      );
  }

  /** Starts a draft by its id; who opted out since it was made is removed from it, as the hint says. */
  async #startAsHinted(campaign: string): Promise<void> {
    const { error } = await this.#command("campaign start", { campaign }, 0);
    const [, segment, names] =
      /segment remove (\S+) (.+) leaves/.exec(String((error as { hint?: string } | undefined)?.hint)) ?? [];
    if (segment === undefined) return;
    await this.#command("segment remove", { segment, targets: names!.split(" ") }, 0);
    await this.#command("campaign start", { campaign }, 0);
  }

  /** Sends it to everybody who is left, and then nobody may be without it who could have it. */
  async finish(): Promise<void> {
    const world = this.#world;
    const serveAll = (): void => {
      while (world.serve());
    };
    for (const person of world.people) await world.openRoom(person).catch(() => {});
    let refused: Ended["error"];
    for (let round = 0; round < 5; round++) {
      serveAll();
      const again = await this.#start(0);
      if (again.error?.kind === "unknown") await this.#startAsHinted(ROOT);
      serveAll();
      if (this.#mode === "messages") {
        refused = again.error;
        if ((again.value as { receivers?: number } | undefined)?.receivers === 0) break;
        continue;
      }
      const retried = await this.#command("campaign continue", { campaign: ROOT }, 0);
      refused = retried.error;
      if (retried.value !== undefined && (retried.value as { campaign?: object }).campaign === undefined)
        break;
      if (refused?.kind === "unknown")
        await this.#startAsHinted(
          /campaign start (\S+)/.exec(String((refused as { hint?: string }).hint))?.[1] ?? ROOT,
        );
    }
    serveAll();
    await this.#ask("report", ROOT, 0);
    this.#countTwice("the end");
    // Without anybody to send it to, no campaign is made, and one that was made stays a draft.
    const isForNobody = world.people.every((person) => this.#unavailable.has(person));
    if (
      refused &&
      !isForNobody &&
      !this.#isDimmed &&
      refused.status !== 404 &&
      !/opted out|nobody would/.test(refused.message)
    )
      this.broken.push(`cannot be finished: ${refused.message}`);
    if (this.#isDimmed || (refused && refused.status !== 404)) return;
    const journaled = this.#world.people.filter((person) => !person.startsWith("late"));
    for (const person of journaled)
      if (world.countOf(person) === 0 && !this.#unavailable.has(person))
        this.broken.push(`${person} never got it`);
  }
}

/** What bugs planted on purpose put in the place of a rule of the program. */
const planted = vi.hoisted(() => ({ rules: {} as Plant }));
vi.mock("../../src/commands/campaign/plan/send-plan.ts", async (original) => {
  const real = await original<typeof import("../../src/commands/campaign/plan/send-plan.ts")>();
  return {
    ...real,
    spreadStep: (...args: Parameters<typeof real.spreadStep>) =>
      planted.rules.bursts ? 0 : real.spreadStep(...args),
    openingOf: (...args: Parameters<typeof real.openingOf>) =>
      planted.rules.opening?.(real.openingOf, ...args) ?? real.openingOf(...args),
  };
});
vi.mock("../../src/commands/campaign/flow/availability.ts", async (original) => {
  const real = await original<typeof import("../../src/commands/campaign/flow/availability.ts")>();
  class Availability extends real.Availability {
    override exclusionOf(...args: Parameters<typeof real.Availability.prototype.exclusionOf>) {
      return planted.rules.asksOnce ? undefined : super.exclusionOf(...args);
    }
  }
  return { Availability };
});

const modelWith = (plant: Plant): Model<Step> => ({
  name: "campaigns",
  few: 30,
  all: 300,
  script,
  async play(steps, seed) {
    planted.rules = plant;
    const world = new CampaignWorld(seed, plant);
    const story = new Story(world);
    try {
      const [first] = steps;
      if (first?.do !== "begin")
        await story.play({ do: "begin", people: 3, template: "own", creates: true, mode: "campaign" });
      for (const step of steps) {
        await story.play(step);
        if (story.broken.length > 0) break;
      }
      if (story.broken.length === 0) await story.finish();
      return [...story.broken, ...world.provider.faults];
    } finally {
      world.end();
    }
  },
});

/** A run is deleted after it has reached two people, and a start of the file with one more is killed when it has made the campaign again. */
const madeAgain = (then: Step[]): Step[] => [
  { do: "start", machine: 0 },
  { do: "serve", batches: 1 },
  { do: "grow" },
  { do: "deleteRun", run: 0, machine: 0 },
  { do: "start", machine: 0, kill: { write: 3, after: true } },
  ...then,
];

testModel({
  ...modelWith({}),
  kept: {
    "the journal forgot whom a deleted run had reached when the campaign was made again": madeAgain([]),
    "another machine took a campaign that was made again for a new one": madeAgain([
      { do: "start", machine: 1 },
      { do: "serve", batches: 2 },
    ]),
  },
});

const plannedModel = (plant: Plant): Model<Step> => ({ ...modelWith(plant), script: plannedScript });

describe("with plans", () => testModel(plannedModel({})));

type Answer = Record<string, unknown>;

/** Changes the provider's successful answers to requests whose path matches. */
const answers = (where: RegExp, change: (answer: Answer) => Answer): Plant => ({
  answer: ({ url }, reply) =>
    reply.status < 300 && where.test(new URL(url).pathname)
      ? { ...reply, text: JSON.stringify(change(JSON.parse(reply.text) as Answer)) }
      : reply,
});

type Found = { message: Answer & { user: Answer } }[];
const found = (change: (results: Found) => Found): Plant =>
  answers(/^\/search$/, (answer) => ({ ...answer, results: change(answer.results as Found) }));

interface ShownCampaign {
  id: string;
  status: string;
  stats: Answer & { stats_users_sent: number };
}
const campaigns = (change: (campaign: ShownCampaign) => ShownCampaign | undefined): Plant =>
  answers(/^\/campaigns/, (answer) => ({
    ...answer,
    ...("campaign" in answer ? { campaign: change(answer.campaign as ShownCampaign) } : {}),
    ...("campaigns" in answer
      ? { campaigns: (answer.campaigns as ShownCampaign[]).flatMap((one) => change(one) ?? []) }
      : {}),
  }));

/** Removes lines of all journals before each command. */
const forgetting = (line: RegExp): Plant["before"] =>
  function forget(world) {
    for (const at of [0, 1])
      for (const name of readdirSync(world.machineFolder(at))) {
        const file = path.join(world.machineFolder(at), name);
        const kept = readFileSync(file, "utf8")
          .split("\n")
          .filter((one) => !line.test(one));
        writeFileSync(file, kept.join("\n"));
      }
  };

const BUGS: Readonly<Record<string, { sees: RegExp; plant: Plant }>> = {
  "the messages of follow-ups are not found": {
    sees: /cannot be proved|cannot be finished|twice/,
    plant: found((all) => all.filter(({ message }) => message.campaign_id === ROOT)),
  },
  "a member's message is taken for one of the sender": {
    sees: /got it, who did not|have received it|never got it/,
    plant: found((all) =>
      all.map(({ message }) => ({ message: { ...message, user: { ...message.user, id: SENDER } } })),
    ),
  },
  "every message is taken for the first person's": {
    sees: /p0 got it, who did not|cannot be proved|cannot be finished/,
    plant: found((all) => all.map(({ message }) => ({ message: { ...message, campaign_receiver: "p0" } }))),
  },
  "what was sent by message is forgotten, here and at the provider": {
    sees: /twice/,
    plant: { ...found(() => []), before: forgetting(/"kind":"(?:sent|begun)"/)! },
  },
  "a running campaign is taken for a finished one": {
    sees: /twice|was missed|cannot be proved/,
    plant: campaigns((one) => (one.status === "in_progress" ? { ...one, status: "completed" } : one)),
  },
  "the provider counts a receiver too many": {
    sees: /cannot be proved|cannot be finished/,
    plant: campaigns((one) => ({
      ...one,
      stats: { ...one.stats, stats_users_sent: one.stats.stats_users_sent + 1 },
    })),
  },
  "the provider counts nobody": {
    sees: /twice|was missed|check says/,
    plant: {
      answer: (request, reply) => {
        const uncounted = campaigns((one) => ({ ...one, stats: { ...one.stats, stats_users_sent: 0 } }));
        return found(() => []).answer!(request, uncounted.answer!(request, reply));
      },
    },
  },
};

const PLAN_BUGS: typeof BUGS = {
  "the hours are those of another zone": {
    sees: /outside/,
    plant: {
      opening: (real, plan, scope, now) =>
        real({ ...plan, ...(plan.hours && { hours: { ...plan.hours, zone: "Asia/Tokyo" } }) }, scope, now),
    },
  },
  "a send does not ask for the hours again once they were open": {
    sees: /outside/,
    plant: { opening: (real, plan, scope, now) => ({ from: real(plan, scope, now)!.from, until: Infinity }) },
  },
  "what is left of a spread is sent at once": { sees: /burst/, plant: { bursts: true } },
  "a time of day is the same moment for everybody": {
    sees: /outside/,
    plant: { opening: (real, plan, { since }, now) => real(plan, { since }, now) },
  },
  "people are not looked at again after a wait": { sees: /had left/, plant: { asksOnce: true } },
  "a run that is killed while it waits forgets whom it has sent to": {
    sees: /twice/,
    plant: { ...found(() => []), before: forgetting(/"kind":"(?:sent|begun)"/)! },
  },
};

describe("bugs planted on purpose are found", () => {
  for (const [name, { sees, plant }] of Object.entries(PLAN_BUGS))
    test(`with plans: ${name}`, async () => {
      expect(await findsBug(plannedModel(plant), sees, 1, 60)).toBe(true);
    });
  for (const [name, { sees, plant }] of Object.entries(BUGS))
    test(name, async () => {
      expect(await findsBug(modelWith(plant), sees, 1, 150)).toBe(true);
    });
});
