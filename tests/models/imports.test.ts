/** Imports against what their files say: what was there stays, every item is used or counted, and a second run changes nothing. */
import { describe, expect, test } from "vitest";
import type { Dice } from "../support/seeded.ts";
import { ImportWorld, NOW, type Plant, type Snapshot, type Source } from "./import-world.ts";
import { findsBug, testModel, type Model } from "./stories.ts";

const PEOPLE = ["ana", "bo", "cy", "dee"];
const PLACES = ["one", "two", "three"];
const FORMS = ["plain", "items", "array", "v1", "v2", "slack"] as const;
type Form = (typeof FORMS)[number];
/** Forms whose converter leaves a wrong item out; in the others the file is refused. */
const FORGIVING: ReadonlySet<Form> = new Set(["v1", "v2", "slack"]);

interface Person {
  id: string;
  name?: string;
  image?: string;
  mood?: string;
}
interface Place {
  id: string;
  name?: string;
  topic?: string;
}
interface Membership {
  place: string;
  user: string;
  channel_role?: string;
}
interface Said {
  id: string;
  place: string;
  user: string;
  text: string;
  at: string;
  parent?: string;
}
interface Reaction {
  message: string;
  user: string;
  type: string;
  score: number;
}
/** What a file says. */
interface Doc {
  people: Person[];
  places: Place[];
  members: Membership[];
  messages: Said[];
  reactions: Reaction[];
}
type Fault = "future" | "old" | "twice" | "orphan";

type Step =
  | { do: "person"; person: Person }
  | { do: "place"; place: Place; by: string }
  | { do: "message"; message: Said }
  | { do: "reaction"; reaction: Reaction }
  | { do: "promote"; place: string; user: string }
  | { do: "forget"; message: string; hard: boolean }
  | { do: "remove"; person: string }
  | { do: "import"; form: Form; replace: boolean; doc: Doc; fault?: Fault };

/** A message with the number `n` is always in the same place, and its reply has the same number. */
const placeOf = (n: number): string => PLACES[n % PLACES.length]!;

function drawMessage(random: Dice, n: number, isReply: boolean): Said {
  const at = new Date(
    NOW - (20 - n) * 3_600_000 - random.below(2) * 1000 + (isReply ? 60_000 : 0),
  ).toISOString();
  return {
    id: `${isReply ? "r" : "m"}${n}`,
    place: placeOf(n),
    user: random.pick(PEOPLE),
    text: random.pick(["hello", "tea?", "été 🍵", "a\nb"]),
    at,
    ...(isReply ? { parent: `m${n}` } : {}),
  };
}

const maybe = <K extends string, V>(random: Dice, key: K, values: readonly V[]): { [P in K]?: V } =>
  (random.chance(0.4) ? { [key]: random.pick(values) } : {}) as { [P in K]?: V };

const drawPerson = (random: Dice, id: string): Person => ({
  id,
  ...maybe(random, "name", [id.toUpperCase(), `${id} the second`]),
  ...maybe(random, "image", [`https://e.example/${id}.png`]),
  ...maybe(random, "mood", ["warm", "cold"]),
});
const drawPlace = (random: Dice, id: string): Place => ({
  id,
  ...maybe(random, "name", [id.toUpperCase(), `the ${id}`]),
  ...maybe(random, "topic", ["tea", "kettles"]),
});

function drawDoc(random: Dice): Doc {
  const numbers = Array.from({ length: 8 }, (_, n) => n).filter(() => random.chance(0.45));
  const messages = numbers.flatMap((n) => [
    drawMessage(random, n, false),
    ...(random.chance(0.5) ? [drawMessage(random, n, true)] : []),
  ]);
  const members = PLACES.flatMap((place) =>
    PEOPLE.filter(() => random.chance(0.3)).map((user) => ({
      place,
      user,
      ...maybe(random, "channel_role", ["channel_moderator", "channel_member"]),
    })),
  );
  const reactions = messages.flatMap(({ id }) =>
    random.chance(0.3)
      ? [
          {
            message: id,
            user: random.pick(PEOPLE),
            type: random.pick(["+1", "tea"]),
            score: 1 + random.below(2),
          },
        ]
      : [],
  );
  return {
    people: PEOPLE.map((id) => drawPerson(random, id)),
    places: PLACES.map((id) => drawPlace(random, id)),
    members,
    messages,
    reactions,
  };
}

function drawChange(random: Dice): Step {
  const n = random.below(8);
  const user = random.pick(PEOPLE);
  const kind = random.below(13);
  if (kind < 2) return { do: "person", person: drawPerson(random, user) };
  if (kind < 4) return { do: "place", place: drawPlace(random, random.pick(PLACES)), by: user };
  if (kind < 8) return { do: "message", message: drawMessage(random, n, random.chance(0.3)) };
  if (kind < 9)
    return {
      do: "reaction",
      reaction: { message: `m${n}`, user, type: random.pick(["+1", "tea"]), score: 1 },
    };
  if (kind < 10) return { do: "promote", place: random.pick(PLACES), user };
  return random.chance(0.7)
    ? { do: "forget", message: `m${n}`, hard: random.chance(0.5) }
    : { do: "remove", person: user };
}

function script(random: Dice): Step[] {
  const changes = (most: number): Step[] =>
    Array.from({ length: random.below(most) }, () => drawChange(random));
  const imports = Array.from({ length: 1 + random.below(2) }, (): Step => ({
    do: "import",
    form: random.pick(FORMS),
    replace: random.chance(0.3),
    doc: drawDoc(random),
    ...(random.chance(0.25) ? { fault: random.pick(["future", "old", "twice", "orphan"] as const) } : {}),
  }));
  return [...changes(24), ...imports.flatMap((one) => [one, ...changes(4)])];
}

/** The id that a converted message gets. */
const idIn = (form: Form, { id, place, at }: Said): string =>
  form === "slack" ? `slack-${place}-${slackTime(at).replace(".", "-")}` : id;
const slackTime = (at: string): string => (Date.parse(at) / 1000).toFixed(6);

/** What the file of a form can say of a document; ids as they will be stored. */
function sayable(doc: Doc, form: Form): Doc {
  const stored = new Map(doc.messages.map((one) => [one.id, idIn(form, one)]));
  const messages = doc.messages.map((one) => ({
    ...one,
    id: stored.get(one.id)!,
    ...(one.parent === undefined ? {} : { parent: stored.get(one.parent) ?? one.parent }),
  }));
  const reactions = doc.reactions.map((one) => ({ ...one, message: stored.get(one.message)! }));
  if (form === "slack")
    return {
      ...doc,
      people: doc.people.map(({ id, name = id.toUpperCase(), image }) => ({
        id,
        name,
        ...(image && { image }),
      })),
      places: doc.places.map(({ id, name = id, topic }) => ({ id, name, ...(topic && { topic }) })),
      members: doc.members.map(({ place, user }) => ({ place, user })),
      messages,
      reactions: reactions.map((one) => ({ ...one, score: 1 })),
    };
  // Version 1 describes people only where they occur.
  const named = new Set([PEOPLE[0], ...[...doc.members, ...messages, ...reactions].map(({ user }) => user)]);
  if (form === "v1")
    return { ...doc, people: doc.people.filter(({ id }) => named.has(id)), messages, reactions };
  if (form !== "plain") return { ...doc, messages, reactions };
  const authors = [...new Set(messages.map(({ user }) => user))];
  const places = [...new Set(messages.map(({ place }) => place))];
  return {
    people: authors.map((id) => {
      const { name } = doc.people.find((one) => one.id === id)!;
      return { id, ...(name === undefined ? {} : { name }) };
    }),
    places: places.map((id) => ({ id })),
    members: [...new Set(messages.map(({ place, user }) => `${place} ${user}`))].map((pair) => {
      const [place, user] = pair.split(" ") as [string, string];
      return { place, user };
    }),
    messages,
    reactions: [],
  };
}

/** Puts a fault into the messages; undefined where the document has no message for it. */
function withFault(doc: Doc, fault: Fault | undefined): Doc | undefined {
  const [first] = doc.messages;
  if (fault === undefined) return doc;
  if (!first) return undefined;
  const others = doc.messages.slice(1);
  switch (fault) {
    case "future":
      return { ...doc, messages: [{ ...first, at: "2099-01-01T00:00:00.000Z" }, ...others] };
    case "old":
      return { ...doc, messages: [{ ...first, at: "1970-01-01T00:00:05.000Z" }, ...others] };
    case "twice":
      return { ...doc, messages: [...doc.messages, { ...first, text: "once more" }] };
    case "orphan":
      return { ...doc, messages: [...doc.messages, { ...first, id: "r99", parent: "m99" }] };
  }
}

const cidOf = (place: string): string => `messaging:${place}`;

function itemsOf({ people, places, members, messages, reactions }: Doc): { type: string; data: object }[] {
  const channel = (place: string): object => ({ channel_type: "messaging", channel_id: place });
  return [
    ...people.map((data) => ({ type: "user", data })),
    ...places.map((one) => ({ type: "channel", data: { type: "messaging", created_by: PEOPLE[0], ...one } })),
    ...members.map(({ place, user, ...rest }) => ({
      type: "member",
      data: { ...channel(place), user_id: user, ...rest },
    })),
    ...messages.map(({ id, place, user, text, at, parent }) => ({
      type: "message",
      data: { id, ...channel(place), user, text, created_at: at, ...(parent && { parent_id: parent }) },
    })),
    ...reactions.map(({ message, user, type, score }) => ({
      type: "reaction",
      data: {
        message_id: message,
        user_id: user,
        type,
        score,
        created_at: new Date(NOW - 60_000).toISOString(),
      },
    })),
  ];
}

function exportLines({
  people,
  places,
  members,
  messages,
  reactions,
}: Doc): { type: string; data: object }[] {
  return [
    ...people.map((data) => ({ type: "user", data })),
    ...places.map((one) => ({
      type: "channel",
      data: { cid: cidOf(one.id), type: "messaging", created_by: { id: PEOPLE[0] }, ...one },
    })),
    ...members.map(({ place, user, ...rest }) => ({
      type: "member",
      data: { cid: cidOf(place), user_id: user, user: { id: user }, ...rest },
    })),
    ...messages.map(({ id, place, user, text, at, parent }) => ({
      type: "message",
      data: {
        id,
        cid: cidOf(place),
        type: parent ? "reply" : "regular",
        user: { id: user },
        text,
        created_at: at,
        ...(parent && { parent_id: parent }),
      },
    })),
    ...reactions.map(({ message, user, type, score }) => ({
      type: "reaction",
      data: {
        message_id: message,
        user_id: user,
        type,
        score,
        created_at: new Date(NOW - 60_000).toISOString(),
      },
    })),
  ];
}

function exportV1(doc: Doc): object[] {
  const lines = exportLines(doc);
  const of = (type: string): Record<string, unknown>[] =>
    lines.filter((one) => one.type === type).map(({ data }) => data as Record<string, unknown>);
  const person = new Map(doc.people.map((one) => [one.id, one]));
  return of("channel").map((channel) => ({
    channel: { ...channel, created_by: person.get(PEOPLE[0]!) },
    members: of("member")
      .filter((one) => one.cid === channel.cid)
      .map(({ cid: _cid, ...one }) => ({ ...one, user: person.get(String(one.user_id)) })),
    messages: of("message")
      .filter((one) => one.cid === channel.cid)
      .map((one) => ({
        ...one,
        user: person.get((one.user as Person).id),
        reactions: of("reaction")
          .filter(({ message_id: id }) => id === one.id)
          .map((reaction) => ({ ...reaction, user: person.get(String(reaction.user_id)) })),
      })),
  }));
}

function slackFolder(doc: Doc): Record<string, unknown> {
  const days = doc.places.map(({ id, name = id }) => [
    `${name}/2026-11-27.json`,
    doc.messages
      .filter(({ place }) => place === id)
      .map((one) => {
        const parent = doc.messages.find((other) => other.id === one.parent);
        const isParent = doc.messages.some((other) => other.parent === one.id);
        const found = doc.reactions.filter(({ message }) => message === one.id);
        return {
          type: "message",
          user: one.user,
          ts: slackTime(one.at),
          text: one.text,
          ...(parent
            ? { thread_ts: slackTime(parent.at) }
            : isParent
              ? { thread_ts: slackTime(one.at) }
              : {}),
          ...(found.length > 0 && {
            reactions: found.map(({ type, user }) => ({ name: type, users: [user], count: 1 })),
          }),
        };
      }),
  ]);
  return {
    "users.json": doc.people.map(({ id, name = id.toUpperCase(), image }) => ({
      id,
      name: id,
      profile: { display_name: name, ...(image && { image_192: image }) },
    })),
    "channels.json": doc.places.map(({ id, name = id, topic }) => ({
      id,
      name,
      creator: PEOPLE[0],
      members: doc.members.filter(({ place }) => place === id).map(({ user }) => user),
      ...(topic && { topic: { value: topic } }),
    })),
    ...(Object.fromEntries(days) as Record<string, unknown>),
  };
}

const linesText = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** The file of a document, and the `--source` for it. */
function fileOf(doc: Doc, form: Form): { source: Source; option: string } {
  switch (form) {
    case "plain": {
      const names = new Map(doc.people.map(({ id, name }) => [id, name]));
      const lines = doc.messages.map(({ id, place, user, text, at, parent }) => {
        const name = names.get(user);
        return { channel: place, user, text, at, id, ...(parent && { parent }), ...(name && { name }) };
      });
      return { source: { text: linesText(lines) }, option: "auto" };
    }
    case "items":
      return { source: { text: linesText(itemsOf(doc).toReversed()) }, option: "auto" };
    case "array":
      return {
        source: {
          text: JSON.stringify(
            itemsOf(doc).map(({ type, data }) => ({ type, item: data })),
            null,
            1,
          ),
        },
        option: "auto",
      };
    case "v1":
      return { source: { text: JSON.stringify(exportV1(doc)) }, option: "export" };
    case "v2":
      return { source: { text: linesText(exportLines(doc)) }, option: "export" };
    case "slack":
      return { source: { folder: slackFolder(doc) }, option: "auto" };
  }
}

/** An object of the file: its name in a snapshot, the fields that are said of it, and what it is counted as if not all of them are stored. */
interface Expected {
  key: string;
  kind: string;
  said: Record<string, unknown>;
}

const micros = (at: string): number => Date.parse(at) * 1000;

const expectedOf = ({ people, places, members, messages, reactions }: Doc): Expected[] => [
  ...people.map(({ id, ...said }) => ({ key: `user ${id}`, kind: "person", said })),
  ...places.map(({ id, ...said }) => ({ key: `channel ${cidOf(id)}`, kind: "channel", said })),
  ...members.map(({ place, user, ...said }) => ({
    key: `member ${cidOf(place)} ${user}`,
    kind: "member",
    said,
  })),
  ...messages.map(({ id, place, user, text, at, parent }) => ({
    key: `message ${id}`,
    kind: parent === undefined ? "message" : "reply",
    said: {
      cid: cidOf(place),
      user_id: user,
      text,
      created_at: micros(at),
      ...(parent === undefined ? {} : { parent_id: parent }),
    },
  })),
  ...reactions.map(({ message, user, type, score }) => ({
    key: `reaction ${message} ${user} ${type}`,
    kind: "reaction",
    said: { score },
  })),
];

/** What a new object has although no file says it. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  role: "user",
  teams: "[]",
  privacy: "{}",
  invisible: 0,
  frozen: 0,
  disabled: 0,
  invited: 0,
  channel_role: "channel_member",
};
/** Fields that the provider gives to what is new. */
const GIVEN: ReadonlySet<string> = new Set([
  "created_at",
  "created_by",
  "last_read",
  "type",
  "member",
  "user_id",
  "cid",
]);

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const holds = (fields: Record<string, unknown> | undefined, said: Record<string, unknown>): boolean =>
  fields !== undefined && Object.entries(said).every(([key, value]) => same(fields[key], value));

interface Judged {
  before: Snapshot;
  after: Snapshot;
  expected: Expected[];
  replace: boolean;
  unused: { kind: string; count: number }[];
  /** Reactions to a message that stands twice: some forms name them with each. */
  doubled: number;
}

/** Broken promises about what was there. */
function* lost({ before, after, expected, replace }: Judged): Iterable<string> {
  const saidOf = new Map(expected.map((one) => [one.key, one.said]));
  for (const [key, fields] of before) {
    const now = after.get(key);
    if (!now) {
      yield `${key} is gone`;
      continue;
    }
    // A message and a reaction are replaced as a whole.
    if (replace && /^(message|reaction) /.test(key) && saidOf.has(key)) continue;
    for (const [name, value] of Object.entries(fields)) {
      const isSaid = replace && Object.hasOwn(saidOf.get(key) ?? {}, name);
      if (!isSaid && !same(now[name], value))
        yield `erased: ${name} of ${key} was ${JSON.stringify(value)}, now ${JSON.stringify(now[name])}`;
    }
  }
}

/** Broken promises about what no file says. */
function* invented({ before, after, expected, replace }: Judged): Iterable<string> {
  const saidOf = new Map<string, Record<string, unknown>[]>();
  for (const { key, said } of expected) saidOf.set(key, [...(saidOf.get(key) ?? []), said]);
  for (const [key, fields] of after) {
    const [was, said] = [before.get(key), saidOf.get(key)];
    if (!was && !said) yield `invented: ${key} is in no file`;
    if (replace && was && key.startsWith("message ")) continue;
    for (const [name, value] of Object.entries(fields)) {
      if (was && Object.hasOwn(was, name)) continue;
      if (said?.some((one) => same(one[name], value))) continue;
      if (!was && (GIVEN.has(name) || same(DEFAULTS[name], value))) continue;
      yield `invented: ${name} of ${key} is ${JSON.stringify(value)}`;
    }
  }
}

/** Broken promises about what is used, and counted if not. */
function* uncounted({ before, after, expected, replace, unused, doubled }: Judged): Iterable<string> {
  const counted = (kinds: readonly string[]): number =>
    unused.reduce((sum, row) => sum + (kinds.includes(row.kind) ? row.count : 0), 0);
  const isUsed = ({ key, said }: Expected): boolean => {
    const fields = after.get(key);
    // A person or message that was deleted here stays so, and is counted.
    if (before.get(key)?.deleted_at !== undefined && (!replace || key.startsWith("user "))) return false;
    return holds(fields, said);
  };
  for (const kinds of [["person"], ["channel"], ["member"], ["message", "reply"], ["reaction"]]) {
    const missing = expected.filter((one) => kinds.includes(one.kind) && !isUsed(one));
    const more = counted(kinds) - missing.length;
    if (more < 0 || more > (kinds.includes("reaction") ? doubled : 0))
      yield `uncounted: ${missing.length} of kind ${kinds.join("/")} are not used (${missing.map(({ key }) => key).join(", ")}), ${counted(kinds)} counted`;
  }
}

async function playImport(
  world: ImportWorld,
  step: Step & { do: "import" },
  erased: Set<string>,
  broken: string[],
): Promise<void> {
  const faulty = withFault(step.doc, step.fault);
  const { form, replace } = step;
  // The converter of Slack has its own rules for repeated times and for replies without their first message.
  const isRuled =
    step.fault === "future" && !step.doc.messages.some((one) => one.parent === step.doc.messages[0]!.id);
  if (!faulty || (form === "slack" && step.fault !== undefined && !isRuled)) return;
  const { source, option } = fileOf(faulty, form);
  const mode = replace ? "replace" : "complete";
  const [before, whole] = [world.snapshot(), world.whole()];
  const first = await world.import(source, option, mode);
  const isWrong = step.fault !== undefined && !FORGIVING.has(form);
  if (faulty.messages.length === 0 && form === "plain") return;
  if (first.refused !== undefined) {
    if (!isWrong) broken.push(`refused: a good file of ${form}: ${first.refused}`);
    if (!same(world.whole(), whole)) broken.push("refused: but something has changed");
    return;
  }
  if (isWrong) broken.push(`accepted: a file of ${form} with a fault (${step.fault})`);
  const after = world.snapshot();
  const judged = {
    before,
    after,
    expected: expectedOf(sayable(faulty, form)),
    replace,
    unused: first.unused,
    doubled:
      step.fault === "twice"
        ? step.doc.reactions.filter(({ message }) => message === step.doc.messages[0]?.id).length
        : 0,
  };
  broken.push(...lost(judged), ...invented(judged), ...uncounted(judged));
  for (const id of erased)
    if (!after.has(id)) continue;
    else if (replace) erased.delete(id);
    else broken.push(`came back: ${id} was erased`);
  if (replace)
    for (const { key, said } of judged.expected)
      if (
        after.has(key) &&
        before.get(key)?.deleted_at === undefined &&
        step.fault === undefined &&
        !holds(after.get(key), said)
      )
        broken.push(`not replaced: ${key}`);
  const once = world.whole();
  const second = await world.import(source, option, mode);
  if (!same(world.whole(), once)) broken.push(`second run: the same import of ${form} changed something`);
  if (!same(second.unused, first.unused)) broken.push("second run: it counts something else");
}

/** Makes a change by the provider's own routes, where it is possible. */
function change(world: ImportWorld, step: Exclude<Step, { do: "import" }>): void {
  const place = (id: string): { type: string; id: string } => ({ type: "messaging", id });
  const has = (key: string): boolean => world.snapshot().has(key);
  switch (step.do) {
    case "person":
      world.call("upsertUsers", {}, { users: { [step.person.id]: step.person } });
      return;
    case "place": {
      if (has(`channel ${cidOf(step.place.id)}`) || !has(`user ${step.by}`)) return;
      const { id, ...data } = step.place;
      world.call("queryChannel", place(id), {
        data: { created_by_id: step.by, members: [step.by], ...data },
      });
      return;
    }
    case "message": {
      const { id, place: where, user, text, parent } = step.message;
      if (has(`message ${id}`) || !has(`channel ${cidOf(where)}`) || !has(`user ${user}`)) return;
      if (parent !== undefined && !has(`message ${parent}`)) return;
      world.call("sendMessage", place(where), {
        message: { id, user_id: user, text, ...(parent && { parent_id: parent }) },
      });
      return;
    }
    case "reaction": {
      const { message, user, type } = step.reaction;
      if (!has(`message ${message}`) || !has(`user ${user}`)) return;
      world.call("sendReaction", { id: message }, { reaction: { type, user_id: user } });
      return;
    }
    case "promote":
      if (has(`member ${cidOf(step.place)} ${step.user}`))
        world.call("updateChannel", place(step.place), {
          assign_roles: [{ user_id: step.user, channel_role: "channel_moderator" }],
        });
      return;
    case "forget":
      if (has(`message ${step.message}`))
        world.call("deleteMessage", { id: step.message }, {}, step.hard ? { hard: "true" } : {});
      return;
    case "remove":
      if (has(`user ${step.person}`)) world.call("deleteUser", { id: step.person }, {});
  }
}

const model = (plant: Plant = {}): Model<Step> => ({
  name: "imports",
  few: 60,
  all: 1000,
  script,
  async play(steps, seed) {
    const world = new ImportWorld(seed, plant);
    const broken: string[] = [];
    const erased = new Set<string>();
    try {
      for (const step of steps) {
        if (step.do === "import") await playImport(world, step, erased, broken);
        else
          try {
            const key = step.do === "forget" && step.hard ? `message ${step.message}` : undefined;
            const existed = key !== undefined && world.snapshot().has(key);
            change(world, step);
            if (existed && !world.snapshot().has(key)) erased.add(key);
          } catch {
            // A deleted person may not write, and a deleted message takes no reaction.
          }
        if (broken.length > 0) return broken;
      }
    } finally {
      world.end();
    }
    return broken;
  },
});

testModel({
  ...model(),
  kept: {
    "the only reactions of an export are of a message that is left out, and were not counted": [
      {
        do: "import",
        form: "slack",
        replace: false,
        doc: {
          people: [
            { id: "ana", image: "https://e.example/ana.png", mood: "warm" },
            { id: "bo", mood: "cold" },
            { id: "cy", name: "cy the second", image: "https://e.example/cy.png" },
            { id: "dee", name: "dee the second", mood: "cold" },
          ],
          places: [{ id: "one", topic: "kettles" }, { id: "two" }, { id: "three", name: "the three" }],
          members: [
            { place: "one", user: "dee" },
            { place: "two", user: "dee" },
            { place: "three", user: "ana" },
            { place: "three", user: "bo", channel_role: "channel_member" },
          ],
          messages: [
            { id: "m3", place: "one", user: "dee", text: "été 🍵", at: "2026-11-26T19:00:00.000Z" },
            { id: "m7", place: "two", user: "dee", text: "a\nb", at: "2026-11-26T23:00:00.000Z" },
            {
              id: "r7",
              place: "two",
              user: "bo",
              text: "tea?",
              at: "2026-11-26T23:01:00.000Z",
              parent: "m7",
            },
          ],
          reactions: [{ message: "m3", user: "bo", type: "tea", score: 1 }],
        },
        fault: "future",
      },
    ],
  },
});

type Items = Parameters<NonNullable<Plant["items"]>>[0];
const PLANTED: [name: string, sees: RegExp, plant: Plant][] = [
  ["an import overwrites what exists", /^erased: /, { mode: () => "upsert" }],
  [
    "an import leaves out what is new in an existing object without a count",
    /^uncounted: |^not replaced/,
    { mode: () => "insert" },
  ],
  ["--replace only completes", /^not replaced: |^uncounted: /, { mode: () => "complete" }],
  [
    "a message is left out and not counted",
    /^uncounted: .*message/,
    { items: (items: Items) => items.filter(({ data }) => data.text !== "tea?") },
  ],
  [
    "a reaction is left out and not counted",
    /^uncounted: .*reaction/,
    { items: (items: Items) => items.filter(({ type }) => type !== "reaction") },
  ],
  ["the counts of the provider are forgotten", /^uncounted: /, { unused: () => [] }],
  [
    "a converter invents names of channels",
    /^invented: name of channel/,
    {
      items: (items: Items) =>
        items.map((one) =>
          one.type === "channel" ? { ...one, data: { name: one.data.id, ...one.data } } : one,
        ),
    },
  ],
  [
    "a converter gives ids that differ in each run",
    /^second run: /,
    {
      items: (items: Items, run: number) =>
        items.map((one) =>
          one.type === "message" &&
          one.data.parent_id === undefined &&
          !items.some(({ data }) => data.parent_id === one.data.id || data.message_id === one.data.id)
            ? { ...one, data: { ...one.data, id: `${String(one.data.id)}-${run}` } }
            : one,
        ),
    },
  ],
  ["dates of the future are taken", /^accepted: |^second run: |^uncounted: /, { now: Date.UTC(2100, 0) }],
  ["erased messages are forgotten", /^came back: /, { forgets: true }],
  [
    "a converter makes everybody a moderator",
    /^invented: channel_role|^uncounted: .*member/,
    {
      items: (items: Items) =>
        items.map((one) =>
          one.type === "member" ? { ...one, data: { channel_role: "channel_moderator", ...one.data } } : one,
        ),
    },
  ],
];

describe("planted bugs of imports", () => {
  test.each(PLANTED)("%s: a story finds it", async (_, sees, plant) => {
    expect(await findsBug(model(plant), sees, 1, 300)).toBe(true);
  });
});
