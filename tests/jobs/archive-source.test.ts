/** An archive answers the reading calls of a client as a provider does, from what is in it, and refuses all others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { StatementSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readArchive, writeArchive, type OpenArchive } from "../../src/jobs/archive/open.ts";
import { beginRun, endRun, writeMeta } from "../../src/jobs/archive/meta.ts";
import { fillWords } from "../../src/jobs/archive/schema.ts";
import { openArchiveSource, type ArchiveSource } from "../../src/jobs/archive/source/source.ts";
import { ArchiveWriter, type MessageWithDetails } from "../../src/jobs/archive/writer.ts";
import { endpoints, fillPath, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import type { Message, Reaction } from "../../src/wire/entities/message.ts";
import { answerProblem } from "../../src/wire/reading.ts";
import { message, user } from "../support/fake-core.ts";

const HALL = "messaging:hall";
const OPS = "messaging:ops";
const AT = "2026-11-17T09:00:00Z";
const HASH = "ab".repeat(32);

let folder: string;
let archive: OpenArchive;
let source: ArchiveSource;

const minute = (n: number): string => new Date(Date.parse(AT) + n * 60_000).toISOString();
const said = (id: string, from: string, text: string, n: number, more: Partial<Message> = {}) =>
  ({ ...message(id, from, text, { cid: HALL, minute: n }), ...more }) as Message;
const alone = (one: Message): MessageWithDetails => ({ message: one, reactions: [] });
const like = (id: string, from: string): Reaction => ({
  type: "like",
  user_id: from,
  user: user(from),
  message_id: id,
  score: 1,
  created_at: AT,
  updated_at: AT,
});

function channelOf(cid: string, name: string) {
  const [type, id] = cid.split(":") as [string, string];
  return { id, type, cid, name, created_at: AT, updated_at: AT, frozen: false, disabled: false };
}

/** Writes the archive that the tests read: two channels, a thread, a poll with votes, a picture, and 40 messages. */
function fill(to: OpenArchive): void {
  const options = { channels: [], threads: true, attachments: "download" as const };
  const run = beginRun(to.db, { kind: "create", options, version: "0", started_at: AT });
  writeMeta(to.db, "user", "ana");
  const writer = new ArchiveWriter(to, { n: run.n, now: () => AT }, true, 1000);
  const members = ["ana", "bob", "cyd"].map((id) => ({
    user_id: id,
    user: user(id, { online: true }),
    channel_role: "channel_member",
    created_at: AT,
    updated_at: AT,
  }));
  for (const [cid, name] of [
    [HALL, "Hall"],
    [OPS, "Ops"],
  ] as const) {
    writer.channel(channelOf(cid, name), [{ user: user("bob"), last_read: minute(5), unread_messages: 3 }]);
    writer.members(cid, members, { cid, part: "members", done: true });
  }
  const poll = {
    id: "p1",
    name: "Tea?",
    options: [{ id: "o1", text: "yes" }],
    created_at: AT,
    updated_at: AT,
    vote_count: 1,
    vote_counts_by_option: { o1: 1 },
    latest_votes_by_option: {},
    own_votes: [],
  };
  const vote = { id: "v1", poll_id: "p1", option_id: "o1", user_id: "ana", created_at: AT, updated_at: AT };
  const picture = { type: "image", title: "map.png", image_url: "https://files.example/map.png?sig=1" };
  const pinned = said("pin", "bob", "kettle rules", 56, { pinned: true, pinned_at: AT });
  const page: MessageWithDetails[] = [
    ...Array.from({ length: 40 }, (_, n) => alone(said(`m${n}`, "bob", `number ${n}`, n))),
    {
      message: said("root", "bob", "a plan", 50, { reply_count: 2 }),
      reactions: [like("root", "ana"), like("root", "cyd")],
    },
    alone(said("r1", "cyd", "first answer", 51, { parent_id: "root", type: "reply" })),
    alone(said("r2", "ana", "second answer", 52, { parent_id: "root", type: "reply" })),
    { message: said("vote", "bob", "vote", 53, { poll, poll_id: "p1" }), reactions: [], votes: [vote] },
    alone(said("picture", "cyd", "look", 54, { attachments: [picture] })),
    { ...alone(said("lost", "cyd", "kettle", 55)), gone: AT },
    alone(pinned),
    // Not pinned itself, though the word is in it.
    alone(said("other", "bob", "kettle at ops", 1, { cid: OPS, quoted_message: pinned })),
  ];
  writer.messages(page, { cid: HALL, part: "messages", done: true });
  writer.flush();
  to.db.prepare("INSERT INTO files VALUES (?, ?, ?)").run(HASH, 4, "image/png");
  to.db.prepare("UPDATE attachments SET hash = ?, state = 'stored' WHERE message_id = 'picture'").run(HASH);
  mkdirSync(path.join(to.folder, "files"));
  writeFileSync(path.join(to.folder, "files", HASH), "PNG!");
  fillWords(to.db);
  endRun(to.db, run, AT);
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-archive-"));
  const written = writeArchive(folder, { create: true });
  fill(written);
  written.close();
  archive = readArchive(folder);
  source = await openArchiveSource(archive);
});
afterEach(() => {
  source.close();
  archive.close();
  rmSync(folder, { recursive: true });
});

interface Asked {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: object;
}

/** Calls an endpoint as a client does; an answer that is not of the protocol fails the test. */
async function call(name: EndpointName, { path: parts = {}, query = {}, body }: Asked = {}) {
  const row: EndpointRow = endpoints[name];
  const url = new URL(fillPath(row.path, parts), "http://archive.invalid");
  if (row.payload) url.searchParams.set("payload", JSON.stringify(query));
  else for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
  const request = { method: row.method, url: url.href, headers: {}, timeout: 0, maxBytes: 1e6 };
  const { status, text } = await source.request({ ...request, ...(body && { body: JSON.stringify(body) }) });
  const answer = JSON.parse(text) as Record<string, never>;
  const odd: string[] = [];
  if (status === 200 && row.answer)
    expect(answerProblem(row.answer(), answer, { note: (field) => void odd.push(field) })).toBeUndefined();
  return { status, answer: answer as never, odd };
}

const ids = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);
const here = { type: "messaging", id: "hall" };
const pageOf = async (messages: object): Promise<string[]> => {
  const { answer } = await call("queryChannel", { path: here, body: { state: true, messages } });
  return ids((answer as { messages: Message[] }).messages);
};

test("the list has every channel, the one with the newest message first, with members, nothing unread and nobody online", async () => {
  const filter_conditions = { members: { $in: ["ana"] } };
  const { answer, odd } = await call("queryChannels", {
    body: { filter_conditions, state: true, message_limit: 2 },
  });
  const { channels } = answer as { channels: Record<string, never>[] };
  expect(odd).toEqual([]);
  expect(channels).toMatchObject([
    {
      channel: { cid: HALL, member_count: 3 },
      messages: [{ id: "lost", text: "(gone) kettle" }, { id: "pin" }],
    },
    { channel: { cid: OPS }, messages: [{ id: "other" }] },
  ]);
  const [hall] = channels as unknown as { read: object[]; members: { user: { online: boolean } }[] }[];
  expect(hall!.read).toContainEqual(
    expect.objectContaining({ user: expect.objectContaining({ id: "ana" }), unread_messages: 0 }),
  );
  expect(hall!.members.map(({ user: one }) => one.online)).toEqual([false, false, false]);
});

test.each([
  ["the channels that are named", { cid: { $in: [OPS] } }, [OPS]],
  ["those whose name begins so", { name: { $autocomplete: "ha" } }, [HALL]],
  ["those of these members", { members: { $eq: ["ana", "bob", "cyd"] } }, [HALL, OPS]],
  ["none that the reader is not in", { joined: false }, []],
  ["none with another name or id", { $or: [{ name: "x" }, { id: { $eq: "y" } }] }, []],
])("a filter of channels finds %s", async (_, filter_conditions, found) => {
  const { answer } = await call("queryChannels", { body: { filter_conditions, state: false } });
  expect(
    (answer as { channels: { channel: { cid: string } }[] }).channels.map(({ channel }) => channel.cid),
  ).toEqual(found);
});

test("pages of messages go on from an id or a time, oldest first, and replies are not among them (PAGE-1…5)", async () => {
  expect(await pageOf({ limit: 3 })).toEqual(["picture", "lost", "pin"]);
  expect(await pageOf({ limit: 3, id_lt: "picture" })).toEqual(["m39", "root", "vote"]);
  expect(await pageOf({ limit: 2, id_lte: "m3" })).toEqual(["m2", "m3"]);
  expect(await pageOf({ limit: 2, id_gt: "m3" })).toEqual(["m4", "m5"]);
  expect(await pageOf({ limit: 2, id_gte: "m3" })).toEqual(["m3", "m4"]);
  expect(await pageOf({ limit: 5, id_around: "m10" })).toEqual(["m8", "m9", "m10", "m11", "m12"]);
  expect(await pageOf({ limit: 2, created_at_before: minute(7) })).toEqual(["m5", "m6"]);
  expect(await pageOf({ limit: 2, created_at_after_or_equal: minute(7) })).toEqual(["m7", "m8"]);
  expect(await pageOf({ limit: 4, created_at_around: minute(7) })).toEqual(["m5", "m6", "m7", "m8"]);
  expect(
    (await call("queryChannel", { path: here, body: { state: true, messages: { id_lt: "none" } } })).status,
  ).toBe(404);
});

test("a thread has its replies, reactions tell who reacted, and a poll one's own vote", async () => {
  const replies = await call("getReplies", { path: { parent_id: "root" }, query: { limit: 1 } });
  expect(ids((replies.answer as { messages: Message[] }).messages)).toEqual(["r2"]);
  const { answer } = await call("queryThreads", { body: { reply_limit: 2 } });
  expect(answer).toMatchObject({
    threads: [
      {
        parent_message_id: "root",
        channel_cid: HALL,
        reply_count: 2,
        latest_replies: [{ id: "r1" }, { id: "r2" }],
        read: [{ unread_messages: 0 }],
      },
    ],
  });
  expect((await call("getThread", { path: { message_id: "root" } })).answer).toMatchObject({
    thread: { participant_count: 3 },
  });
  const root = (await call("getMessage", { path: { id: "root" } })).answer;
  expect(root).toMatchObject({ message: { own_reactions: [{ user_id: "ana" }], channel: { cid: HALL } } });
  expect((await call("queryReactions", { path: { id: "root" }, body: { limit: 1 } })).answer).toMatchObject({
    reactions: [{ type: "like" }],
    next: "1",
  });
  expect((await call("getMessage", { path: { id: "vote" } })).answer).toMatchObject({
    message: { poll: { own_votes: [{ id: "v1" }] } },
  });
  expect((await call("queryPollVotes", { path: { poll_id: "p1" }, body: {} })).answer).toMatchObject({
    votes: [{ option_id: "o1" }],
  });
});

async function found(query: Record<string, unknown>): Promise<{ ids: string[]; next?: string }> {
  const filter_conditions = { members: { $in: ["ana"] } };
  const { answer } = await call("search", { query: { filter_conditions, ...query } });
  const { results, next } = answer as { results: { message: Message }[]; next?: string };
  return { ids: results.map(({ message: { id } }) => id), ...(next !== undefined && { next }) };
}

test.each<[string, Record<string, unknown>, string[]]>([
  ["words, newest first", { query: "kett" }, ["pin", "lost", "other"]],
  [
    "words, oldest first",
    { query: "kettle", sort: [{ field: "created_at", direction: 1 }] },
    ["other", "lost", "pin"],
  ],
  ["words in a channel", { filter_conditions: { cid: OPS }, query: "kettle" }, ["other"]],
  [
    "words and an author",
    { message_filter_conditions: { text: { $q: "kettle" }, "user.id": "cyd" } },
    ["lost"],
  ],
  ["a time", { message_filter_conditions: { created_at: { $gte: minute(55) } } }, ["pin", "lost"]],
  [
    "pictures",
    { message_filter_conditions: { "attachments.type": { $in: ["image", "giphy"] } } },
    ["picture"],
  ],
  ["pins", { message_filter_conditions: { pinned: true } }, ["pin"]],
  [
    "what is in a thread",
    { message_filter_conditions: { $or: [{ reply_count: { $gt: 0 } }, { parent_id: { $gt: "" } }] } },
    ["r2", "r1", "root"],
  ],
  ["nothing by words that cannot be searched", { query: "!?" }, []],
])("a search finds %s", async (_, query, wanted) => {
  expect((await found(query)).ids).toEqual(wanted);
});

test("the pages of a search have each message once", async () => {
  const all = await found({ message_filter_conditions: { created_at: { $gte: minute(0) } }, limit: 100 });
  const pages: string[] = [];
  for (let next: string | undefined = ""; next !== undefined;) {
    const page = await found({
      message_filter_conditions: { created_at: { $gte: minute(0) } },
      limit: 7,
      ...(next !== "" && { next }),
    });
    pages.push(...page.ids);
    next = page.next;
  }
  expect(pages).toEqual(all.ids);
  expect(pages).toHaveLength(48);
});

test("people and members are found by the beginning of a name", async () => {
  const filter_conditions = { name: { $autocomplete: "bo" } };
  expect((await call("queryUsers", { query: { filter_conditions } })).answer).toMatchObject({
    users: [{ id: "bob", online: false }],
  });
  expect((await call("queryMembers", { query: { ...here, filter_conditions } })).answer).toMatchObject({
    members: [{ user_id: "bob" }],
  });
  const after = { ...here, filter_conditions: {}, user_id_gt: "bob" };
  expect((await call("queryMembers", { query: after })).answer).toMatchObject({
    members: [{ user_id: "cyd" }],
  });
});

test("a file of the archive is served to who was told its address, and to nobody else", async () => {
  const { answer } = await call("getMessage", { path: { id: "picture" } });
  const [{ image_url: address } = {}] = (answer as { message: Message }).message.attachments;
  expect(new URL(address!).host).toBe(source.fileHost);
  const served = await fetch(address!);
  expect([served.headers.get("content-type"), await served.text()]).toEqual(["image/png", "PNG!"]);
  for (const other of [
    `http://${source.fileHost}/x/${HASH}/map.png`,
    address!.replace(HASH, "cd".repeat(32)),
    address!.replace(`${HASH}/`, "..%2f"),
  ])
    expect((await fetch(other)).status).toBe(404);
  source.close();
  await expect(fetch(address!)).rejects.toThrow("fetch failed");
});

test("a call that would change something is refused, and what an archive cannot have is empty or not there", async () => {
  const parts = new Proxy<Record<string, string>>({}, { get: () => "x" });
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, EndpointRow][])
    if (!row.safe && name !== "queryChannel")
      expect([name, await call(name, { path: parts, body: {} })]).toMatchObject([
        name,
        { status: 403, answer: { code: 17 } },
      ]);
  for (const name of ["queryReminders", "queryDrafts"] as const)
    expect((await call(name, { body: {} })).odd).toEqual([]);
  expect((await call("getUnread")).odd).toEqual([]);
  expect((await call("getOG", { query: { url: "https://example.org" } })).status).toBe(404);
});

test("the connection says who reads, tells of pins once they are found, and answers each ping", async () => {
  const events: { type: string; me?: { id: string }; message?: Message }[] = [];
  const ended = Promise.withResolvers<number>();
  const socket = source.socket("ws://archive.invalid", {
    message: (text) => void events.push(JSON.parse(text)),
    close: (code) => ended.resolve(code),
  });
  await expect.poll(() => events[0]?.me?.id).toBe("ana");
  await expect.poll(() => events.at(-1)?.message?.id).toBe("pin");
  socket.send("[]");
  await expect.poll(() => events.length).toBe(3);
  socket.close(1000);
  expect(await ended.promise).toBe(1000);
  const { answer } = await call("queryChannel", { path: here, body: { state: true } });
  expect(answer).toMatchObject({ pinned_messages: [{ id: "pin" }] });
  const { answer: ops } = await call("queryChannel", {
    path: { type: "messaging", id: "ops" },
    body: { state: true },
  });
  expect(ops).toMatchObject({ pinned_messages: [] });
});

test("what a run writes meanwhile is answered, in the order that it has then", async () => {
  const writing = writeArchive(folder, { create: false });
  const writer = new ArchiveWriter(writing, { n: 2, now: () => AT }, false);
  writer.messages([alone(said("new", "bob", "just now", 90, { cid: OPS }))], { cid: OPS, part: "messages" });
  const { answer } = await call("queryChannels", {
    body: { filter_conditions: {}, state: true, message_limit: 1 },
  });
  expect(answer).toMatchObject({ channels: [{ channel: { cid: OPS }, messages: [{ id: "new" }] }, {}] });
  writing.close();
});

test("opening an archive reads a page of each channel, however long they are", async () => {
  let read = 0;
  // Every message that is answered is read by its JSON.
  const prepare = (sql: string): StatementSync => {
    const statement = archive.db.prepare(sql);
    const all = statement.all.bind(statement) as (...values: never[]) => Record<string, unknown>[];
    const counted = (...values: never[]) => {
      const rows = all(...values);
      read += rows.length;
      return rows;
    };
    return /FROM messages/.test(sql) ? Object.assign(statement, { all: counted }) : statement;
  };
  const db = new Proxy(archive.db, {
    get: (target, key) => (key === "prepare" ? prepare : Reflect.get(target, key, target)),
  });
  const counting = await openArchiveSource({ ...archive, db });
  const filter_conditions = { members: { $in: ["ana"] } };
  const body = JSON.stringify({ filter_conditions, state: true, message_limit: 5 });
  const url = "http://archive.invalid/channels";
  await counting.request({ method: "POST", url, headers: {}, timeout: 0, maxBytes: 1e6, body });
  counting.close();
  // Two rows tell the order of the channels; five and one are their newest messages.
  expect(read).toBe(8);
});
