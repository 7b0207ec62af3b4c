/** Messages of restricted visibility reach only their readers, wherever they are repeated: quotes, changes, reactions, lists. */
import { expect, test } from "vitest";
import { Bench, room, ROOM, type Message } from "./support.ts";

const SECRET = "psst: the cake is in the cupboard";

/** Message `m` of ada, visible to bob only; cyd and dan are members too, root may read everything. All watch. */
function whispered(): Bench {
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
  b.told = [];
  return b;
}

/** The events a user receives: those sent to everybody without a list of readers, and those sent to this user. */
const heardBy = (b: Bench, user: string): string =>
  JSON.stringify(
    b.told.filter((told) => (told.only ? told.only.includes(user) : (told.user ?? user) === user)),
  );

const quoteIn = (message: Message | undefined): unknown =>
  (message?.quoted_message as Message | null | undefined)?.text ?? null;

test("a quote of a restricted message is told to nobody, and read by those alone whom the quoted one is for", () => {
  const b = whispered();
  const sent = b.send("bob", "room", { id: "q", text: "yes!", quoted_message_id: "m" });
  expect(quoteIn(sent)).toBe(SECRET);
  expect(b.told.map(({ event }) => event.type)).toContain("message.new");
  expect(JSON.stringify(b.told)).not.toContain("psst");

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

test("no change of a message that quotes a restricted one brings the quote to the others", () => {
  const b = whispered();
  b.send("bob", "room", { id: "q", text: "yes!", quoted_message_id: "m" });
  b.told = [];
  b.call("bob", "updateMessagePartial", { path: { id: "q" }, body: { set: { text: "yes, please" } } });
  b.call("cyd", "sendReaction", { path: { id: "q" }, body: { reaction: { type: "like" } } });
  b.call("cyd", "deleteReaction", { path: { id: "q", reaction_type: "like" } });
  b.call("cyd", "sendMessage", { path: ROOM, body: { message: { text: "what?", parent_id: "q" } } });
  b.call("bob", "deleteMessage", { path: { id: "q" } });
  const types = b.told.map(({ event }) => event.type);
  expect(types).toEqual(
    expect.arrayContaining(["message.updated", "reaction.new", "reaction.deleted", "message.deleted"]),
  );
  expect(JSON.stringify(b.told)).not.toContain("psst");
});

test("whatever happens to a restricted message is told to its readers only", () => {
  const b = whispered();
  b.call("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { text: `${SECRET}!` } } });
  b.call("bob", "sendReaction", { path: { id: "m" }, body: { reaction: { type: "like" } } });
  b.call("bob", "deleteReaction", { path: { id: "m", reaction_type: "like" } });
  b.call("bob", "sendMessage", { path: ROOM, body: { message: { text: "mine", parent_id: "m" } } });
  b.call("ada", "deleteMessage", { path: { id: "m" } });
  for (const user of ["ada", "bob", "root"]) expect(heardBy(b, user)).toContain("psst");
  for (const user of ["cyd", "dan"]) expect(heardBy(b, user)).not.toMatch(/psst|"id":"m"|"message_id":"m"/);
});

test("what a shadow-banned author restricts to some is told to the author alone, not even to who reads everything", () => {
  const b = whispered();
  b.user("mod", {}, "admin");
  b.connect("mod");
  b.call("mod", "queryChannel", { path: ROOM, body: { watch: true } });
  b.call({ server: true }, "ban", { body: { target_user_id: "mod", banned_by_id: "ada", shadow: true } });
  b.told = [];
  const message = b.send("mod", "room", { id: "s", text: "psst", restricted_visibility: ["bob", "cyd"] });
  b.call("mod", "updateMessagePartial", { path: { id: "s" }, body: { set: { text: "psst!" } } });
  b.call("mod", "deleteMessage", { path: { id: "s" } });
  expect(message).toMatchObject({ shadowed: true });
  expect(heardBy(b, "mod").match(/"type":"message\.(new|updated|deleted)"/g)).toHaveLength(3);
  for (const user of ["ada", "bob", "cyd", "dan", "root"]) expect(heardBy(b, user)).not.toContain("psst");
});

test("a restricted message whose author is shadow-banned later leaves its readers with the next edit", () => {
  const b = whispered();
  b.call({ server: true }, "ban", { body: { target_user_id: "ada", banned_by_id: "root", shadow: true } });
  b.told = [];
  b.call("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { text: "psst, again" } } });
  expect(heardBy(b, "ada")).toContain("psst, again");
  for (const user of ["bob", "root"]) expect(heardBy(b, user)).not.toContain("again");
  expect(b.refused("bob", "getMessage", { path: { id: "m" } })[0]).toBe(16);
});

test("a restricted message is not pinned: the pins of a channel are for everybody", () => {
  const b = whispered();
  expect(
    b.refused({ server: true, user: "ada" }, "updateMessagePartial", {
      path: { id: "m" },
      body: { set: { pinned: true } },
    }),
  ).toEqual([4, "set.pinned"]);
  expect(
    (b.call("bob", "queryChannel", { path: ROOM }) as { pinned_messages?: unknown }).pinned_messages,
  ).toEqual([]);
});
