/** Messages of restricted visibility reach only their readers, wherever they are repeated: quotes, changes, reactions, lists. */
import { expect, test } from "vitest";
import { TestDomain, room, ROOM, type Message } from "./support.ts";

const SECRET = "psst: the cake is in the cupboard";

/** Message `m` of ada, visible to bob only; cyd and dan are members too, root may read everything. All watch. */
function restrictedRoom(): TestDomain {
  const b = room();
  b.user("root", {}, "admin");
  const server = { server: true } as const;
  b.call(server, "updateChannel", { path: ROOM, body: { add_members: ["dan", "root"], user_id: "ada" } });
  const everybody = ["ada", "bob", "cyd", "dan", "root"];
  b.connect(...everybody);
  for (const id of everybody) b.call(id, "queryChannel", { path: ROOM, body: { watch: true } });
  b.call(server, "sendMessage", {
    path: ROOM,
    body: { message: { id: "m", text: SECRET, user_id: "ada", restricted_visibility: ["bob"] } },
  });
  b.events = [];
  return b;
}

/** The events a user receives: those sent to everybody without a list of readers, and those sent to this user. */
const eventsFor = (b: TestDomain, user: string): string =>
  JSON.stringify(
    b.events.filter((told) => (told.only ? told.only.includes(user) : (told.user ?? user) === user)),
  );

const quoteIn = (message: Message | undefined): unknown =>
  (message?.quoted_message as Message | null | undefined)?.text ?? null;

test("a quote of a restricted message is sent in no event, and is readable only by its recipients", () => {
  const b = restrictedRoom();
  const sent = b.send("bob", "room", { id: "q", text: "yes!", quoted_message_id: "m" });
  expect(quoteIn(sent)).toBe(SECRET);
  expect(b.events.map(({ event }) => event.type)).toContain("message.new");
  expect(JSON.stringify(b.events)).not.toContain("psst");

  const read = (user: string): unknown[] => {
    const one = b.call(user, "getMessage", { path: { id: "q" } }).message as Message;
    const many = b.call(user, "getManyMessages", { path: ROOM, query: { ids: "q" } }).messages as Message[];
    const { messages } = b.call(user, "queryChannel", { path: ROOM }) as unknown as { messages: Message[] };
    const { results } = b.call(user, "search", {
      body: { filter_conditions: { cid: "messaging:room" }, query: "yes" },
    }) as unknown as { results: { message: Message }[] };
    return [one, many[0], messages.find(({ id }) => id === "q"), results[0]?.message].map(quoteIn);
  };
  expect(read("bob")).toEqual([SECRET, SECRET, SECRET, SECRET]);
  expect(read("ada")).toEqual([SECRET, SECRET, SECRET, SECRET]);
  expect(read("cyd")).toEqual([null, null, null, null]);
});

test("no event about a message that quotes a restricted one contains the quote", () => {
  const b = restrictedRoom();
  b.send("bob", "room", { id: "q", text: "yes!", quoted_message_id: "m" });
  b.events = [];
  b.call("bob", "updateMessagePartial", { path: { id: "q" }, body: { set: { text: "yes, please" } } });
  b.call("cyd", "sendReaction", { path: { id: "q" }, body: { reaction: { type: "like" } } });
  b.call("cyd", "deleteReaction", { path: { id: "q", reaction_type: "like" } });
  b.call("cyd", "sendMessage", { path: ROOM, body: { message: { text: "what?", parent_id: "q" } } });
  b.call("bob", "deleteMessage", { path: { id: "q" } });
  const types = b.events.map(({ event }) => event.type);
  expect(types).toEqual(
    expect.arrayContaining(["message.updated", "reaction.new", "reaction.deleted", "message.deleted"]),
  );
  expect(JSON.stringify(b.events)).not.toContain("psst");
});

test("every event about a restricted message is sent to its readers only", () => {
  const b = restrictedRoom();
  b.call("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { text: `${SECRET}!` } } });
  b.call("bob", "sendReaction", { path: { id: "m" }, body: { reaction: { type: "like" } } });
  b.call("bob", "deleteReaction", { path: { id: "m", reaction_type: "like" } });
  b.call("bob", "sendMessage", { path: ROOM, body: { message: { text: "mine", parent_id: "m" } } });
  b.call("ada", "deleteMessage", { path: { id: "m" } });
  for (const user of ["ada", "bob", "root"]) expect(eventsFor(b, user)).toContain("psst");
  for (const user of ["cyd", "dan"]) expect(eventsFor(b, user)).not.toMatch(/psst|"id":"m"|"message_id":"m"/);
});

test("a restricted message of a shadow-banned author is sent to the author only, not even to admins", () => {
  const b = restrictedRoom();
  b.user("mod", {}, "admin");
  b.connect("mod");
  b.call("mod", "queryChannel", { path: ROOM, body: { watch: true } });
  b.call({ server: true }, "ban", { body: { target_user_id: "mod", banned_by_id: "ada", shadow: true } });
  b.events = [];
  const message = b.send("mod", "room", { id: "s", text: "psst", restricted_visibility: ["bob", "cyd"] });
  b.call("mod", "updateMessagePartial", { path: { id: "s" }, body: { set: { text: "psst!" } } });
  b.call("mod", "deleteMessage", { path: { id: "s" } });
  expect(message).toMatchObject({ shadowed: true });
  expect(eventsFor(b, "mod").match(/"type":"message\.(new|updated|deleted)"/g)).toHaveLength(3);
  for (const user of ["ada", "bob", "cyd", "dan", "root"]) expect(eventsFor(b, user)).not.toContain("psst");
});

test("a restricted message whose author is shadow-banned later disappears for its readers with the next edit", () => {
  const b = restrictedRoom();
  b.call({ server: true }, "ban", { body: { target_user_id: "ada", banned_by_id: "root", shadow: true } });
  b.events = [];
  b.call("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { text: "psst, again" } } });
  expect(eventsFor(b, "ada")).toContain("psst, again");
  for (const user of ["bob", "root"]) expect(eventsFor(b, user)).not.toContain("again");
  expect(b.refusalOf("bob", "getMessage", { path: { id: "m" } })[0]).toBe(16);
});

test("a restricted message cannot be pinned, because pins are visible to everybody", () => {
  const b = restrictedRoom();
  expect(
    b.refusalOf({ server: true, user: "ada" }, "updateMessagePartial", {
      path: { id: "m" },
      body: { set: { pinned: true } },
    }),
  ).toEqual([4, "set.pinned"]);
  expect(
    (b.call("bob", "queryChannel", { path: ROOM }) as { pinned_messages?: unknown }).pinned_messages,
  ).toEqual([]);
});

/** A thread of dan with an open reply of cyd and one of ada for bob, with the events of the latter. */
function threadWithSecret(): TestDomain {
  const b = restrictedRoom();
  b.send("dan", "room", { id: "p", text: "anybody?" });
  b.call("cyd", "sendMessage", { path: ROOM, body: { message: { id: "c", text: "here", parent_id: "p" } } });
  b.events = [];
  const reply = { id: "r", text: SECRET, parent_id: "p", user_id: "ada", restricted_visibility: ["bob"] };
  b.call({ server: true }, "sendMessage", { path: ROOM, body: { message: reply } });
  return b;
}

/** Reply count and writers of the thread, as a user reads them in the channel and in the thread. */
function countsFor(b: TestDomain, user: string): unknown[] {
  const messages = (b.call(user, "queryChannel", { path: ROOM }) as unknown as { messages: Message[] })
    .messages;
  const { thread } = b.call(user, "getThread", { path: { message_id: "p" } }) as unknown as {
    thread: Message;
  };
  const parent = messages.find(({ id }) => id === "p")!;
  const writers = parent.thread_participants as { id: string }[];
  return [parent.reply_count, writers.map(({ id }) => id), thread.reply_count];
}

test("a reply for some counts in its thread only for those who see it, and names its author only to them", () => {
  const b = threadWithSecret();
  expect(countsFor(b, "cyd")).toEqual([1, ["cyd"], 1]);
  for (const user of ["ada", "bob", "root"]) expect(countsFor(b, user)).toEqual([2, ["cyd", "ada"], 2]);
  const server = b.call({ server: true }, "getMessage", { path: { id: "p" } }).message as Message;
  expect(server.reply_count).toBe(2);
});

test("that a reply for some was written, deleted or restored is told to those who see it alone", () => {
  const b = threadWithSecret();
  expect(eventsFor(b, "bob")).toContain('"reply_count":2');
  expect(eventsFor(b, "cyd")).toBe("[]");
  b.call({ server: true }, "deleteMessage", { path: { id: "r" }, query: {} });
  expect(eventsFor(b, "bob")).toContain('"reply_count":1');
  b.call({ server: true }, "undeleteMessage", { path: { id: "r" }, body: { undeleted_by: "ada" } });
  expect(eventsFor(b, "cyd")).toBe("[]");
});

test("an event about a message that reaches everybody does not count its replies for some", () => {
  const b = threadWithSecret();
  b.events = [];
  b.call("dan", "updateMessagePartial", { path: { id: "p" }, body: { set: { text: "anybody there?" } } });
  b.call("cyd", "sendReaction", { path: { id: "p" }, body: { reaction: { type: "like" } } });
  b.call("cyd", "sendMessage", { path: ROOM, body: { message: { text: "still", parent_id: "p" } } });
  const told = eventsFor(b, "cyd");
  expect(told.match(/"reply_count":[12]/g)).toEqual([
    '"reply_count":1',
    '"reply_count":1',
    '"reply_count":2',
  ]);
  expect(told).not.toContain('"id":"ada"');
});

test("a reply for others than its thread is for does not show them the first message of the thread", () => {
  const b = restrictedRoom();
  const reply = { id: "r", text: "hi", parent_id: "m", user_id: "ada", restricted_visibility: ["dan"] };
  b.call({ server: true }, "sendMessage", { path: ROOM, body: { message: reply } });
  expect(eventsFor(b, "dan")).toContain('"id":"r"');
  expect(eventsFor(b, "dan")).not.toContain("psst");
});
