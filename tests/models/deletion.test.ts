/** The reference model of deletion: whatever people write and delete, nothing of what is deleted is left anywhere (specification/embedded-provider.md §5). */
import { describe, expect, test } from "vitest";
import type { Dice } from "../support/seeded.ts";
import { PEOPLE, World, type Person, type Plant, type Room } from "./deletion-world.ts";
import { findsBug, testModel, type Model } from "./stories.ts";

type Mode = "soft" | "pruning" | "hard" | undefined;

type Step =
  | {
      do: "send";
      by: Person;
      room: Room;
      under?: number;
      quote?: number;
      poll?: true;
      file?: number;
      key?: true;
    }
  | {
      do: "edit" | "react" | "answer" | "remind" | "flag" | "pin" | "title";
      by: Person;
      of: number;
      file?: number;
    }
  | { do: "draft"; by: Person; room: Room; under?: number; quote?: number }
  | { do: "delete"; by: Person; of: number; hard: boolean }
  | { do: "undelete"; of: number }
  | { do: "truncate" | "end room"; room: Room; hard: boolean }
  | { do: "create"; by: Person; room: Room }
  | { do: "delete person"; who: Person; user: Mode; messages: Mode; pairs: "soft" | "hard" | undefined }
  | { do: "erase person"; who: Person; messages: boolean }
  | { do: "deactivate"; who: Person }
  | { do: "ban"; who: Person; room: Room; messages: Mode }
  | { do: "account"; who: Person }
  | { do: "away" | "back" | "kill" | "start" | "work" };

/** What happens, by how often. */
const KINDS: readonly [Step["do"], number][] = [
  ["send", 16],
  ["edit", 4],
  ["react", 3],
  ["answer", 3],
  ["remind", 1],
  ["flag", 1],
  ["pin", 2],
  ["title", 2],
  ["draft", 3],
  ["delete", 8],
  ["undelete", 2],
  ["truncate", 1],
  ["end room", 1],
  ["create", 2],
  ["delete person", 2],
  ["erase person", 0.5],
  ["deactivate", 0.5],
  ["ban", 0.5],
  ["account", 1],
  ["away", 3],
  ["back", 2],
  ["kill", 1],
  ["start", 1],
  ["work", 3],
];

function kindOf(random: Dice): Step["do"] {
  let left = random.float() * KINDS.reduce((sum, [, weight]) => sum + weight, 0);
  return KINDS.find(([, weight]) => (left -= weight) < 0)?.[0] ?? "send";
}

function stepOf(random: Dice, kind = kindOf(random)): Step {
  const by = random.pick(PEOPLE);
  const who = random.pick(PEOPLE);
  const room = random.chance(0.75) ? "tea" : "two";
  const of = random.below(12);
  const some = (p: number): { quote?: number; under?: number } => ({
    ...(random.chance(p) && { quote: random.below(12) }),
    ...(random.chance(p) && { under: random.below(12) }),
  });
  switch (kind) {
    case "send":
      return {
        do: kind,
        by,
        room,
        ...some(0.3),
        ...(random.chance(0.2) && { poll: true }),
        ...(random.chance(0.3) && { file: random.below(4) }),
        ...(random.chance(0.3) && { key: true }),
      };
    case "draft":
      return { do: kind, by, room, ...some(0.4) };
    case "delete":
      return { do: kind, by, of, hard: random.chance(0.5) };
    case "undelete":
      return { do: kind, of };
    case "truncate":
    case "end room":
      return { do: kind, room, hard: random.chance(0.7) };
    case "create":
      return { do: kind, by, room };
    case "delete person": {
      const user = random.pick(["soft", "pruning", "hard", undefined] as const);
      if (user === "hard") return { do: kind, who, user, messages: "hard", pairs: "hard" };
      const messages = random.pick(["soft", "pruning", "hard", undefined] as const);
      return { do: kind, who, user, messages, pairs: random.pick(["soft", "hard", undefined] as const) };
    }
    case "erase person":
      return { do: kind, who, messages: random.chance(0.7) };
    case "ban":
      return { do: kind, who, room, messages: random.pick(["soft", "pruning", "hard"] as const) };
    case "deactivate":
    case "account":
      return { do: kind, who };
    case "away":
    case "back":
    case "kill":
    case "start":
    case "work":
      return { do: kind };
    default:
      return { do: kind, by, of, ...(kind === "edit" && random.chance(0.3) && { file: random.below(4) }) };
  }
}

const fileAt = (n: number): string => `/files/0000000${n}-0000-4000-8000-000000000000/a.txt`;

/** An uploaded file that several messages may name; one that was removed is not named again. */
function attach(world: World, n: number | undefined): { path?: string; attachments?: object[] } {
  if (n === undefined) return {};
  const path = fileAt(n);
  if (!world.disk.has(path)) {
    if (world.uploaded.has(path)) return {};
    world.uploaded.add(path);
    world.disk.set(path, "bytes");
    world.provider.db.run(
      "INSERT INTO upload (path, cid, user_id, mime_type, size, created_at) VALUES (?, NULL, 'cyd', 'text/plain', 1, 1)",
      path,
    );
  }
  return {
    path,
    attachments: [{ type: "file", title: "a file", asset_url: `http://127.0.0.1:1${path}?sig=1` }],
  };
}

/** One of the messages, as the step chose it. */
const noteAt = (world: World, n: number | undefined) =>
  n === undefined || world.notes.size === 0 ? undefined : [...world.notes.values()][n % world.notes.size]!;

async function send(world: World, step: Step & { do: "send" }): Promise<void> {
  const { by, room } = step;
  const id = `m${world.notes.size}`;
  const [text, field] = [world.secret(), world.secret()];
  const secrets = [text, field];
  let poll: string | undefined;
  if (step.poll) {
    poll = `p${world.notes.size}`;
    const [name, option] = [world.secret(), world.secret()];
    const made = await world.call(by, "POST", "/polls", {
      id: poll,
      name: name.word,
      allow_answers: true,
      options: [{ text: option.word }],
    });
    if (made) secrets.push(name, option);
    else poll = undefined;
  }
  const parent = noteAt(world, step.under);
  const { path, attachments } = attach(world, step.file);
  const message = {
    id,
    text: text.word,
    remark: field.word,
    ...(poll && { poll_id: poll }),
    ...(attachments && { attachments }),
    ...(parent &&
      parent.parent === undefined && { parent_id: parent.id, show_in_channel: step.quote !== undefined }),
    ...(step.quote !== undefined &&
      noteAt(world, step.quote) && { quoted_message_id: noteAt(world, step.quote)!.id }),
    mentioned_users: [PEOPLE[world.notes.size % 3]],
  };
  const done = await world.call(
    by,
    "POST",
    `/channels/messaging/${room}/message`,
    { message },
    step.key && `key-${id}`,
  );
  // A poll without its message stays its creator's.
  if (!done) return;
  world.notes.set(id, {
    id,
    room,
    author: by,
    parent: (done.message as { parent_id?: string }).parent_id,
    poll,
    files: path ? [path] : [],
    secrets,
    others: [],
    fate: "live",
  });
}

async function edit(world: World, step: Step & { of: number; by: Person; file?: number }): Promise<void> {
  const note = noteAt(world, step.of);
  if (!note) return;
  const text = world.secret();
  const { path, attachments } = attach(world, step.file);
  const message = {
    text: text.word,
    ...(note.poll && { poll_id: note.poll }),
    ...(attachments && { attachments }),
  };
  if (!(await world.call(note.author, "POST", `/messages/${note.id}`, { message }))) return;
  note.secrets.unshift(text);
  if (path) note.files.push(path);
}

/** What somebody adds to a message: a reaction, an answer, a draft in its thread or a title. */
async function add(world: World, step: Step & { of: number; by: Person }): Promise<void> {
  const note = noteAt(world, step.of);
  if (!note) return;
  const { by } = step;
  const secret = world.secret();
  if (step.do === "react") {
    const reaction = { type: "love", why: secret.word };
    const done = await world.call(
      by,
      "POST",
      `/messages/${note.id}/reaction`,
      { reaction },
      `react-${world.next()}`,
    );
    if (done) note.others.push({ by, secret, kind: "reaction" });
  } else if (step.do === "answer" && note.poll) {
    const vote = { answer_text: secret.word };
    if (await world.call(by, "POST", `/messages/${note.id}/polls/${note.poll}/vote`, { vote }))
      note.others.push({ by, secret, kind: "answer" });
  } else if (step.do === "title") {
    if (
      await world.call(undefined, "PATCH", `/threads/${note.id}`, {
        set: { title: secret.word },
        user_id: by,
      })
    )
      note.others.push({ by, secret, kind: "title" });
  } else if (step.do === "remind") await world.call(by, "POST", `/messages/${note.id}/reminders`, {});
  else if (step.do === "flag")
    await world.call(by, "POST", "/moderation/flag", { target_message_id: note.id });
  else if (step.do === "pin")
    await world.call(undefined, "PUT", `/messages/${note.id}`, {
      set: { pinned: true },
      user_id: note.author,
    });
}

async function draft(world: World, step: Step & { do: "draft" }): Promise<void> {
  const secret = world.secret();
  const { by, room } = step;
  const parent = noteAt(world, step.under);
  const quote = noteAt(world, step.quote);
  const message = {
    text: secret.word,
    ...(parent && parent.room === room && { parent_id: parent.id }),
    ...(quote && quote.room === room && { quoted_message_id: quote.id }),
  };
  if (
    !(await world.call(by, "POST", `/channels/messaging/${room}/draft`, { message }, `draft-${world.next()}`))
  )
    return;
  if (message.parent_id !== undefined) parent!.others.push({ by, secret, kind: "draft" });
  else world.loose.push({ by, room, secret, kind: "draft" });
}

/** Ends what a person wrote, in one room or everywhere. */
function endMessagesOf(world: World, who: Person, mode: Mode, room?: Room): void {
  for (const note of world.notes.values())
    if (note.author === who && (room === undefined || note.room === room) && mode)
      if (mode !== "soft") world.endNote(note, mode === "hard" ? "gone" : "pruned");
      else if (note.fate === "live") world.endNote(note, "hidden");
}

async function endPerson(world: World, step: Step & { do: "delete person" | "erase person" }): Promise<void> {
  const { who } = step;
  const [user, messages, pairs] =
    step.do === "delete person"
      ? ([step.user, step.messages, step.pairs] as const)
      : (["hard", step.messages ? "hard" : undefined, undefined] as const);
  const inPair = world.provider.db
    .column<string>(
      "SELECT cid FROM members WHERE user_id = ? AND (SELECT count(*) FROM members n WHERE n.cid = members.cid) = 2",
      who,
    )
    .map((cid) => cid.slice("messaging:".length) as Room);
  const done =
    step.do === "delete person"
      ? await world.call(undefined, "POST", "/users/delete", {
          user_ids: [who],
          ...(user && { user }),
          ...(messages && { messages }),
          ...(pairs && { conversations: pairs }),
        })
      : await world.call(
          undefined,
          "DELETE",
          `/users/${who}?hard_delete=true${step.messages ? "&mark_messages_deleted=true" : ""}`,
        );
  if (!done) return;
  if (step.do === "delete person") world.provider.runDue();
  endMessagesOf(world, who, messages);
  if (pairs === "hard") for (const room of inPair) if (!world.absent.has(room)) world.endRoom(room);
  if (pairs === "soft") for (const room of inPair) world.absent.add(room);
  if (user === "hard") world.endPerson(who);
  else if (user === "pruning")
    for (const each of world.loose) if (each.kind === "person" && each.by === who) each.secret.fate = "gone";
}

async function play(world: World, step: Step): Promise<void> {
  switch (step.do) {
    case "send":
      return send(world, step);
    case "edit":
      return edit(world, step);
    case "draft":
      return draft(world, step);
    case "delete": {
      const note = noteAt(world, step.of);
      const done =
        note &&
        (await world.call(
          undefined,
          "DELETE",
          `/messages/${note.id}?deleted_by=${step.by}${step.hard ? "&hard=true" : ""}`,
        ));
      if (done) world.endNote(note, step.hard ? "gone" : "hidden");
      return;
    }
    case "undelete": {
      const note = noteAt(world, step.of);
      if (
        note &&
        (await world.call(undefined, "POST", `/messages/${note.id}/undelete`, { undeleted_by: "cyd" }))
      )
        world.revive(note);
      return;
    }
    case "truncate":
      if (!(await world.call(undefined, "POST", `/channels/messaging/${step.room}/truncate`, {}))) return;
      for (const note of world.notes.values()) if (note.room === step.room) world.endNote(note, "gone");
      return;
    case "end room":
      if (
        !(await world.call(
          undefined,
          "DELETE",
          `/channels/messaging/${step.room}${step.hard ? "?hard_delete=true" : ""}`,
        ))
      )
        return;
      if (step.hard) world.endRoom(step.room);
      else world.absent.add(step.room);
      for (const each of world.loose)
        if (each.room === step.room && each.kind === "draft") each.secret.fate = "gone";
      for (const note of world.notes.values())
        if (note.room === step.room)
          for (const each of note.others) if (each.kind === "draft") each.secret.fate = "gone";
      return;
    case "create":
      return world.create(step.by, step.room, PEOPLE.slice(0, step.room === "two" ? 2 : 3));
    case "delete person":
    case "erase person":
      return endPerson(world, step);
    case "deactivate":
      if (
        await world.call(undefined, "POST", `/users/${step.who}/deactivate`, { mark_messages_deleted: true })
      )
        endMessagesOf(world, step.who, "soft");
      return;
    case "ban":
      if (
        await world.call(undefined, "POST", "/moderation/ban", {
          target_user_id: step.who,
          banned_by_id: "cyd",
          type: "messaging",
          id: step.room,
          timeout: 1,
          delete_messages: step.messages,
        })
      )
        endMessagesOf(world, step.who, step.messages, step.room);
      return;
    case "account":
      return world.upsert(step.who);
    case "away":
      return world.away();
    case "back":
      return world.back();
    case "kill":
      return world.kill();
    case "start":
      return world.connect();
    case "work":
      return world.provider.runDue();
    default:
      return add(world, step);
  }
}

const DELETES: ReadonlySet<Step["do"]> = new Set([
  "delete",
  "truncate",
  "end room",
  "create",
  "delete person",
  "ban",
]);

const deletion = (plant: Plant = {}): Model<Step> => ({
  name: "deletion",
  few: 30,
  all: 300,
  script(random) {
    // A room with something in it makes pages, gaps and catching up matter.
    const talk = Array.from({ length: random.below(10) }, () => stepOf(random, "send"));
    return [...talk, ...Array.from({ length: 8 + random.below(20) }, () => stepOf(random))];
  },
  async play(steps, seed) {
    const world = new World(seed, plant);
    await world.begin();
    for (const step of steps) {
      await play(world, step);
      if (DELETES.has(step.do)) await world.checkAtOnce(PEOPLE[seed % 3]!);
      plant.after?.(world);
      await world.clock.advance(3);
    }
    await world.end();
    return [...new Set(world.broken)];
  },
});

testModel({
  ...deletion(),
  kept: {
    "a page with fewer messages than were asked for left one in the cache that was deleted before the channel was watched":
      [
        { do: "end room", room: "tea", hard: true },
        { do: "create", by: "ben", room: "tea" },
        { do: "send", by: "ben", room: "tea", quote: 4 },
        { do: "send", by: "cyd", room: "tea", quote: 8, poll: true },
        { do: "delete", by: "ben", of: 6, hard: true },
      ],
    "a quote in the cache kept the reaction of somebody who was erased": [
      { do: "send", by: "ada", room: "tea" },
      { do: "react", by: "cyd", of: 0 },
      { do: "send", by: "ada", room: "tea", quote: 0, under: 0 },
      { do: "erase person", who: "cyd", messages: true },
    ],
    "a poll in the cache kept the answer of somebody who was erased": [
      { do: "send", by: "ada", room: "tea", poll: true },
      { do: "answer", by: "cyd", of: 0 },
      { do: "send", by: "ada", room: "tea", quote: 0 },
      { do: "away" },
      { do: "back" },
      { do: "erase person", who: "cyd", messages: true },
    ],
  },
});

describe("the model finds a planted bug:", () => {
  const run = (sql: string): Plant => ({ after: ({ provider }) => provider.db.raw.exec(sql) });
  const begin = (sql: string): Plant => ({ begin: ({ provider }) => provider.db.raw.exec(sql) });
  test.each<[string, RegExp, Plant]>([
    ["copies are not noted", /^(event_log|hook_queue|done_once): /, run("DELETE FROM content_copies")],
    ["readers do not leave out what is gone", /^sync at once: /, { unguarded: true }],
    ["freed bytes are not overwritten", /^file: /, begin("PRAGMA secure_delete = OFF")],
    [
      "nobody logs that a person's messages were deleted",
      /^(state|cache) /,
      run("DELETE FROM event_log WHERE type = 'user.messages.deleted'"),
    ],
    ["an erased id is not reserved", /^token: /, run("DELETE FROM erased_users")],
    ["files stay", /^upload: /, begin("DROP TRIGGER message_rows_files_gone")],
    [
      "words stay in the index",
      /^file: /,
      begin("INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 0)"),
    ],
    [
      "an erased channel keeps its log",
      /^(event_log|answers)/,
      run("DELETE FROM erasures WHERE kind = 'channel'"),
    ],
  ])("%s", async (_, sees, plant) => {
    expect(await findsBug(deletion(plant), sees, 1, 150)).toBe(true);
  });
});
