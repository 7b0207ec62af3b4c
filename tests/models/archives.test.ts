/** Archives against the provider's state: created, updated, killed and merged at random, and bugs planted on purpose. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { ArchiveWriter } from "../../src/jobs/archive/writer.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import type { Dice } from "../support/seeded.ts";
import { ARCHIVER, ArchiveWorld, CIDS, type Copy, type Holdings, type Wire } from "./archive-world.ts";
import { findsBug, testModel, type Model } from "./stories.ts";

const DAY = 86_400_000;
const PEOPLE = ["ana", "bo", "cy"];

/** `at`: counts the messages there are, or the channels; taken modulo their number. */
type Change =
  | { do: "send"; channel: number; by: number; poll?: true }
  | { do: "reply"; at: number; by: number; shown?: true }
  | { do: "edit" | "soft" | "hard" | "vote"; at: number; by: number }
  | { do: "react" | "unreact"; at: number; by: number }
  | { do: "truncate" | "drop"; channel: number }
  | { do: "leave" | "join"; channel: number; by: number }
  | { do: "wait"; days: number };
type Step =
  | Change
  | { do: "create"; name: string; sinceDays?: number; stopAt?: number }
  | { do: "update"; name: string; lookBack: number; stopAt?: number; during?: { at: number; change: Change } }
  | { do: "merge"; from: [string, string]; into: string };

const NAMES = ["a", "b"];

function drawChange(random: Dice): Change {
  const at = random.below(40);
  const by = random.below(PEOPLE.length);
  const channel = random.below(CIDS.length);
  const kind = random.below(100);
  if (kind < 24) return { do: "send", channel, by, ...(random.chance(0.2) ? { poll: true as const } : {}) };
  if (kind < 52) return { do: "reply", at, by, ...(random.chance(0.25) ? { shown: true as const } : {}) };
  if (kind < 66) return { do: "react", at, by };
  if (kind < 78) return { do: random.pick(["edit", "soft", "hard", "vote"] as const), at, by };
  if (kind < 82) return { do: "unreact", at, by };
  if (kind < 84) return { do: "truncate", channel };
  if (kind < 85) return { do: "drop", channel };
  if (kind < 89) return { do: random.pick(["leave", "join"] as const), channel, by: 1 + random.below(2) };
  return { do: "wait", days: random.pick([0.01, 1, 10, 20, 60]) };
}

function script(random: Dice): Step[] {
  const steps: Step[] = [];
  const some = (): number => 2 + random.below(12);
  const change = (): void => {
    for (let n = some(); n > 0; n--) steps.push(drawChange(random));
  };
  change();
  const since = random.chance(0.2) ? { sinceDays: random.pick([5, 30]) } : {};
  const stop = (): { stopAt?: number } => (random.chance(0.2) ? { stopAt: 1 + random.below(25) } : {});
  for (const name of NAMES.slice(0, 1 + random.below(2))) {
    steps.push({ do: "create", name, ...since, ...stop() });
    change();
  }
  for (let n = 1 + random.below(3); n > 0; n--) {
    const during = random.chance(0.2) ? { during: { at: random.below(20), change: drawChange(random) } } : {};
    const lookBack = random.pick([0.001, 1, 14, 30]) * DAY;
    steps.push({ do: "update", name: random.pick(NAMES), lookBack, ...stop(), ...during });
    change();
  }
  if (random.chance(0.4)) {
    const from = random.chance(0.5) ? NAMES : NAMES.toReversed();
    steps.push({ do: "merge", from: from as [string, string], into: "merged" });
    change();
    steps.push({ do: "update", name: "merged", lookBack: 14 * DAY });
  }
  return steps;
}

interface Known extends Holdings {
  since: number;
  /** Message → which of its versions this is, counted when the archive was read: a version can come again, as when a reply is deleted. */
  ranks: Map<string, number>;
}

/** A bug planted on purpose. */
interface Plant {
  wire?: Wire;
  /** Changes the program; returns what undoes it. */
  install?(): () => void;
}

class Story {
  readonly broken: string[] = [];
  readonly #world: ArchiveWorld;
  readonly #plant: Plant;
  readonly #known = new Map<string, Known>();
  /** Message → its versions, oldest first, as far as an archive may have seen them. */
  readonly #versions = new Map<string, string[]>();
  #ids: string[] = [];
  #sent = 0;

  constructor(world: ArchiveWorld, plant: Plant) {
    this.#world = world;
    this.#plant = plant;
  }

  async step(step: Step): Promise<void> {
    // Times of messages differ from those of runs.
    this.#world.clock.sleep(1000);
    if (step.do === "create") await this.#create(step);
    else if (step.do === "update") await this.#update(step);
    else if (step.do === "merge") await this.#merge(step);
    else await this.#change(step);
  }

  #fail(sentence: string): void {
    this.broken.push(sentence);
  }

  /** The provider refuses some changes, such as a reply to a deleted message; then nothing has changed. */
  async #change(change: Change): Promise<void> {
    try {
      await this.#apply(change);
    } catch (error) {
      if ((error as Error).name !== "ApiError") throw error;
    }
  }

  async #apply(change: Change): Promise<void> {
    const { server, clock } = this.#world;
    if (change.do === "wait") return clock.sleep(change.days * DAY);
    const user_id = "by" in change ? PEOPLE[change.by]! : ARCHIVER;
    if ("channel" in change) {
      const [type = "", id = ""] = CIDS[change.channel]!.split(":");
      const path = { type, id };
      if (change.do === "send") return this.#send(path, user_id, change.poll === true);
      if (change.do === "truncate") await server.call("truncateChannel", { path, body: {} });
      else if (change.do === "drop")
        await server.call("deleteChannel", { path, query: { hard_delete: true } });
      else {
        const body = change.do === "join" ? { add_members: [user_id] } : { remove_members: [user_id] };
        await server.call("updateChannel", { path, body });
      }
      return;
    }
    const id = this.#ids[change.at % Math.max(this.#ids.length, 1)];
    if (id === undefined) return;
    const path = { id };
    const type = change.at % 2 === 0 ? "like" : "love";
    if (change.do === "reply") await this.#reply(id, user_id, change.shown === true);
    else if (change.do === "edit")
      await server.call("updateMessagePartial", {
        path,
        body: { set: { text: `edited ${++this.#sent}` }, user_id },
      });
    else if (change.do === "react")
      await server.call("sendReaction", { path, body: { reaction: { type, user_id } } });
    else if (change.do === "unreact")
      await server.call("deleteReaction", { path: { id, reaction_type: type }, query: { user_id } });
    else if (change.do === "vote") await this.#vote(id, user_id);
    else await server.call("deleteMessage", { path, query: { hard: change.do === "hard", user_id } });
  }

  async #send(path: { type: string; id: string }, user_id: string, withPoll: boolean): Promise<void> {
    const { server } = this.#world;
    const text = `text ${++this.#sent}`;
    const options = [{ text: "yes" }, { text: "no" }];
    const poll = withPoll
      ? { poll_id: (await server.call("createPoll", { body: { name: text, options, user_id } })).poll.id }
      : {};
    const id = `m${this.#sent}`;
    await server.call("sendMessage", { path, body: { message: { id, text, user_id, ...poll } } });
    this.#ids.push(id);
  }

  async #reply(to: string, user_id: string, shown: boolean): Promise<void> {
    const { server } = this.#world;
    const { message } = await server.call("getMessage", { path: { id: to } });
    const [type = "", id = ""] = message.cid.split(":");
    const reply = `m${++this.#sent}`;
    await server.call("sendMessage", {
      path: { type, id },
      body: {
        message: {
          id: reply,
          text: `text ${this.#sent}`,
          user_id,
          parent_id: message.parent_id ?? to,
          ...(shown ? { show_in_channel: true } : {}),
        },
      },
    });
    this.#ids.push(reply);
  }

  async #vote(id: string, user_id: string): Promise<void> {
    const { server } = this.#world;
    const { message } = await server.call("getMessage", { path: { id } });
    if (!message.poll) return;
    const path = { message_id: id, poll_id: message.poll.id };
    const option_id = message.poll.options[this.#sent % 2]!.id!;
    await server.call("castPollVote", { path, body: { vote: { option_id }, user_id } });
  }

  async #remember(): Promise<Holdings> {
    const state = await this.#world.state();
    for (const [id, { json }] of state.messages) {
      const versions = this.#versions.get(id) ?? [];
      if (versions.at(-1) !== json) versions.push(json);
      this.#versions.set(id, versions);
    }
    return state;
  }

  async #create({ name, sinceDays, stopAt }: Step & { do: "create" }): Promise<void> {
    if (this.#known.has(name)) return;
    await this.#remember();
    const since = sinceDays === undefined ? 0 : this.#world.clock.now() - sinceDays * DAY;
    const words = {
      folder: this.#world.archive(name),
      ...(sinceDays === undefined ? {} : { since: new Date(since).toISOString() }),
    };
    if (stopAt === undefined || (await this.#wasStopped("archive create", words, stopAt)))
      await this.#world.run("archive create", words, this.#plant.wire);
    await this.#check(name, { messages: new Map(), members: new Map(), ranks: new Map(), since }, Infinity);
  }

  /** Runs a command that is killed at a request, unless it makes fewer. */
  async #wasStopped(line: string, words: Record<string, unknown>, stopAt: number): Promise<boolean> {
    try {
      await this.#world.run(line, words, this.#plant.wire, stopAt);
      return false;
    } catch (error) {
      if (!this.#world.wasKilled) throw error;
      return true;
    }
  }

  async #update({ name, lookBack, stopAt, during }: Step & { do: "update" }): Promise<void> {
    const before = this.#known.get(name);
    if (!before) return;
    const earlier = await this.#remember();
    const words = { folder: this.#world.archive(name), lookBack: `${lookBack / 1000}s` };
    if (stopAt !== undefined) await this.#wasStopped("archive update", words, stopAt);
    const now = this.#world.clock.now();
    const planted = this.#plant.wire?.before;
    const change = async (n: number): Promise<void> => {
      await planted?.(n);
      if (during?.at === n) await this.#change(during.change);
    };
    await this.#world.run("archive update", words, { ...this.#plant.wire, before: change });
    await this.#check(name, before, now - lookBack, during && earlier);
  }

  async #merge({ from, into }: Step & { do: "merge" }): Promise<void> {
    const [one, two] = from.map((name) => this.#known.get(name));
    if (!one || !two || this.#known.has(into)) return;
    const folders = from.map((name) => this.#world.archive(name));
    await this.#world.run("archive merge", { folder: this.#world.archive(into), from: folders });
    const merged = await this.#world.held(into);
    for (const id of new Set([...one.messages.keys(), ...two.messages.keys()])) {
      const parts = [one.messages.get(id), two.messages.get(id)];
      const copy = merged.messages.get(id);
      const newest = Math.max(...[one, two].map(({ ranks }) => ranks.get(id) ?? -1));
      if (
        ![one, two].some(
          (part) => part.ranks.get(id) === newest && part.messages.get(id)?.json === copy?.json,
        )
      )
        this.#fail(`the merged archive has an older version of ${id}`);
      if (copy?.gone !== parts.some((part) => part?.gone))
        this.#fail(`the merged archive says of ${id}: gone ${copy?.gone}`);
    }
    await this.#verify(into, merged, await this.#remember());
    // An update of it reads everything.
    this.#known.set(into, this.#ranked(merged, 0));
  }

  /** Compares an archive with the provider: all new messages, and all others not older than `from`. `earlier`: the state before, if it changed meanwhile. */
  async #check(name: string, before: Known, from: number, earlier?: Holdings): Promise<void> {
    const state = await this.#remember();
    const held = await this.#world.held(name);
    const isFixed = (id: string): boolean =>
      earlier === undefined || earlier.messages.get(id)?.json === state.messages.get(id)?.json;
    for (const [id, real] of state.messages) {
      if (!isFixed(id) || !isSelected(real, state, before)) continue;
      const copy = held.messages.get(id);
      const old = before.messages.get(id);
      if (copy === undefined && wasNeverListed(real, state, from)) continue;
      if (copy === undefined)
        this.#fail(`${name} misses ${id}${real.parent === undefined ? "" : ", a reply"}`);
      else if (copy.gone) this.#fail(`${name} says that ${id} is gone`);
      else if (copy.json !== real.json && (old === undefined || real.at >= from))
        this.#fail(`${name} has ${id} as it was:\n    ${copy.json}\n    ${real.json}`);
      else if (copy.json !== real.json && copy.json !== old?.json)
        this.#fail(`${name} has its own version of ${id}`);
    }
    for (const [id, copy] of held.messages)
      if (!state.messages.has(id) && !copy.gone && copy.at >= from && isFixed(id))
        this.#fail(`${name} does not say that ${id} is gone`);
    for (const id of before.messages.keys()) if (!held.messages.has(id)) this.#fail(`${name} has lost ${id}`);
    if (earlier === undefined)
      for (const [cid, members] of state.members)
        if (held.members.get(cid) !== members)
          this.#fail(`${name} has members of ${cid}: ${held.members.get(cid)}`);
    await this.#verify(name, held, state, earlier !== undefined);
    this.#known.set(name, this.#ranked(held, before.since));
  }

  #ranked(held: Holdings, since: number): Known {
    const rank = ([id, { json }]: [string, Copy]) =>
      [id, (this.#versions.get(id) ?? []).lastIndexOf(json)] as const;
    return { ...held, since, ranks: new Map([...held.messages].map(rank)) };
  }

  /** `archive verify` finds no fault, and counts what the last run did not read again. */
  async #verify(name: string, held: Holdings, state: Holdings, changed = false): Promise<void> {
    const rows = (await this.#world.run("archive verify", { folder: this.#world.archive(name) })) as {
      check: string;
      result: string;
      reason?: string;
    }[];
    for (const { result, reason } of rows) if (result === "wrong") this.#fail(`verify of ${name}: ${reason}`);
    const { reason = "0" } = rows.find(({ check }) => check === "changes")!;
    const named = Number(/^[\d,]+/.exec(reason)![0].replace(",", ""));
    const stale = [...held.messages].filter(
      ([id, copy]) => !copy.gone && copy.json !== state.messages.get(id)?.json,
    ).length;
    if (!changed && named < stale) this.#fail(`verify of ${name} names ${named} old messages of ${stale}`);
  }
}

/** Whether an archive with `since` has it: by its own time, a reply by that of its message. */
function isSelected(copy: Copy, state: Holdings, { since, messages }: Known): boolean {
  const parent = copy.parent === undefined ? undefined : (state.messages.get(copy.parent) ?? copy);
  return (parent ?? copy).at >= since || (copy.parent !== undefined && messages.has(copy.parent));
}

/** Whether an update had no way to find it: a reply deleted before the run, to a message from before the look-back. No search lists it. */
function wasNeverListed(copy: Copy, { messages }: Holdings, from: number): boolean {
  const parent = copy.parent === undefined ? undefined : messages.get(copy.parent);
  const isDeleted = (JSON.parse(copy.json) as Message).type === "deleted";
  return isDeleted && parent !== undefined && parent.at < from && from !== Infinity;
}

async function play(steps: readonly Step[], seed: number, plant: Plant = {}): Promise<string[]> {
  const world = new ArchiveWorld(seed);
  const undo = plant.install?.();
  try {
    await world.begin();
    const story = new Story(world, plant);
    for (const step of steps) {
      await story.step(step);
      if (story.broken.length > 0) return story.broken;
    }
    return [...world.provider.faults];
  } catch (error) {
    return [`${(error as Error).name}: ${(error as Error).message} ${(error as Error).stack}`];
  } finally {
    undo?.();
    await world.end();
  }
}

const model = (plant?: Plant): Model<Step> => ({
  name: "archives",
  few: 20,
  all: 300,
  script,
  play: (steps, seed) => play(steps, seed, plant),
});

const KEPT: Record<string, Step[]> = {
  "a channel that was deleted and made again under its id was taken for the archived one": [
    { do: "create", name: "a" },
    { do: "create", name: "b" },
    { do: "send", channel: 1, by: 2 },
    { do: "update", name: "a", lookBack: DAY, during: { at: 2, change: { do: "reply", at: 32, by: 0 } } },
    { do: "update", name: "b", lookBack: DAY, during: { at: 7, change: { do: "drop", channel: 1 } } },
    { do: "merge", from: ["b", "a"], into: "merged" },
    { do: "update", name: "merged", lookBack: 14 * DAY },
  ],
  "a reply in a deleted channel was not marked, as its message was too old for the archive": [
    { do: "send", channel: 2, by: 1 },
    { do: "wait", days: 60 },
    { do: "reply", at: 0, by: 1, shown: true },
    { do: "create", name: "a", sinceDays: 5 },
    { do: "drop", channel: 2 },
    { do: "update", name: "a", lookBack: 14 * DAY },
  ],
  "the model asked for a reply that was sent and deleted between two runs, to a message from before the look-back":
    [
      { do: "send", channel: 0, by: 2 },
      { do: "wait", days: 20 },
      { do: "send", channel: 0, by: 0 },
      { do: "create", name: "a" },
      { do: "reply", at: 0, by: 2 },
      { do: "soft", at: 2, by: 2 },
      { do: "update", name: "a", lookBack: DAY },
    ],
};

testModel({ ...model(), kept: KEPT });

/** Replaces a method of the writer. */
const writer =
  <K extends keyof ArchiveWriter>(name: K, other: ArchiveWriter[K]): NonNullable<Plant["install"]> =>
  () => {
    const own = ArchiveWriter.prototype[name];
    ArchiveWriter.prototype[name] = other;
    return () => void (ArchiveWriter.prototype[name] = own);
  };

/** Replaces a statement that contains a text. */
const statement =
  (part: string, other: string): NonNullable<Plant["install"]> =>
  () => {
    const { exec, prepare } = DatabaseSync.prototype;
    const changed = (text: string): string => (text.includes(part) ? text.replace(part, other) : text);
    DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
      return exec.call(this, changed(text));
    };
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
      return prepare.call(this, changed(text));
    };
    return () => Object.assign(DatabaseSync.prototype, { exec, prepare });
  };

test("an update of a truncated channel marks a reply to a message that is too old for the archive", async () => {
  const world = new ArchiveWorld(1);
  const path = { type: "messaging", id: "one" };
  const send = (message: object) =>
    world.server.call("sendMessage", { path, body: { message: { user_id: "bo", ...message } } as never });
  const day = async (): Promise<void> => world.clock.sleep(DAY);
  await world.begin();
  await send({ id: "old", text: "too old" });
  for (let n = 0; n < 10; n++) await day();
  const since = new Date(world.clock.now()).toISOString();
  await send({ id: "reply", text: "a reply", parent_id: "old", show_in_channel: true });
  await day();
  await send({ id: "new", text: "new" });
  await world.run("archive create", { folder: world.archive("a"), since });
  await world.server.call("truncateChannel", { path, body: {} });
  await send({ id: "newest", text: "newest" });
  await world.run("archive update", { folder: world.archive("a"), lookBack: "1s" });
  const { messages } = await world.held("a");
  expect([...messages].map(([id, { gone }]) => [id, gone])).toEqual([
    ["reply", true],
    ["new", true],
    ["newest", false],
  ]);
  await world.end();
});

describe("the stories find a planted bug", () => {
  /** `first`: a story that sees it, so that finding it again does not take long. */
  const bugs: [name: string, plant: Plant, sees: RegExp, first: number][] = [
    [
      "an update that looks for no replies to older messages",
      { wire: { answer: ({ url }, text) => (url.includes("/search") ? '{"results":[]}' : text) } },
      /misses \w+, a reply/,
      5005,
    ],
    [
      "an update that leaves out known threads",
      { install: writer("unseenParents", () => []) },
      /as it was|is gone/,
      5030,
    ],
    [
      "replies that are not marked as gone",
      { install: writer("markRepliesGone", () => {}) },
      /does not say that/,
      7008,
    ],
    [
      "messages that are not marked as gone",
      { install: writer("markGone", () => {}) },
      /does not say that/,
      7026,
    ],
    [
      "a merge that takes the older of two versions with one date",
      {
        install: statement(
          "(o.updated_at, o.seen_at) > (m.updated_at, m.seen_at)",
          "o.updated_at > m.updated_at",
        ),
      },
      /older version/,
      7002,
    ],
    [
      "a merge that forgets what is gone",
      { install: statement("SET gone_at = l.gone_at", "SET gone_at = messages.gone_at") },
      /gone false/,
      7120,
    ],
    [
      "a verification that calls an old archive up to date",
      { install: statement("gone_at IS NULL AND run < ?", "gone_at IS NULL AND run < ? AND 0") },
      /names 0 old messages/,
      7000,
    ],
    [
      "a page of replies that loses its last one",
      {
        wire: {
          answer({ url }, text) {
            if (!url.includes("/replies")) return text;
            const { messages } = JSON.parse(text) as { messages: unknown[] };
            return JSON.stringify({ messages: messages.slice(0, -1) });
          },
        },
      },
      /misses \w+, a reply/,
      7000,
    ],
  ];
  test.each(bugs)("%s", async (_, plant, sees, first) => {
    expect(await findsBug(model(plant), sees, first, 50)).toBe(true);
  });
});
