/** Bounds hit exactly: times that are now, the last of so many that are allowed, and ids of the channel beside. */
import { expect, test } from "vitest";
import {
  DELETED_FOR_ME_LIMIT,
  MANY_WATCHERS,
  MAX_OFFSET,
  REMINDERS_PER_USER,
} from "../../../src/wire/constants.ts";
import { timeFromMicros } from "../../../src/wire/time.ts";
import { room, ROOM, type TestDomain } from "./support.ts";

/** A room whose clock stands still, with ada's message m. */
function stillRoom(): TestDomain {
  const b = room();
  b.send("ada", "room", { id: "m", text: "x" });
  b.wait(1000);
  b.tick = () => b.now;
  return b;
}

const at = { path: { id: "m" } };
const reminded = (b: TestDomain): void => void b.call("bob", "createReminder", { ...at, body: {} });
test.each<[string, string, (b: TestDomain, time: string) => unknown, before?: (b: TestDomain) => void]>([
  [
    "a new reminder",
    "remind_at",
    (b, remind_at) => b.call("bob", "createReminder", { ...at, body: { remind_at } }),
  ],
  [
    "a changed reminder",
    "remind_at",
    (b, remind_at) => b.call("bob", "updateReminder", { ...at, body: { remind_at } }),
    reminded,
  ],
  [
    "a pin of an update",
    "message.pin_expires",
    (b, pin_expires) =>
      b.call("ada", "updateMessage", { ...at, body: { message: { text: "x", pinned: true, pin_expires } } }),
  ],
  [
    "a pin of a partial update",
    "set.pin_expires",
    (b, pin_expires) =>
      b.call("ada", "updateMessagePartial", { ...at, body: { set: { pinned: true, pin_expires } } }),
  ],
  [
    "a pin of a send",
    "message.pin_expires",
    (b, pin_expires) => b.send("ada", "room", { text: "x", pinned: true, pin_expires }),
  ],
])("the end of %s is later than now, by a microsecond at least", (_, field, act, before) => {
  for (const [after, accepted] of [
    [-1, false],
    [0, false],
    [1, true],
  ] as const) {
    const b = stillRoom();
    before?.(b);
    const run = (): unknown => act(b, timeFromMicros(b.now + after));
    if (accepted) expect(run).not.toThrow();
    else
      expect(run).toThrow(expect.objectContaining({ code: 4, fields: { [field]: "must be in the future" } }));
  }
});

test("a user deletes a hundred messages of a channel for themselves, not one more, and has others in another channel", () => {
  const b = room();
  b.channel("two", "ada", ["ada", "bob"]);
  const remove = (id: string) => ({ path: { id }, query: { delete_for_me: "true" } });
  for (let n = 0; n <= DELETED_FOR_ME_LIMIT; n++) b.send("ada", "room", { id: `m${n}`, text: "x" });
  b.send("ada", "two", { id: "other", text: "x" });
  for (let n = 0; n < DELETED_FOR_ME_LIMIT; n++) b.call("bob", "deleteMessage", remove(`m${n}`));
  const last = `m${DELETED_FOR_ME_LIMIT}`;
  expect(b.refusalOf("bob", "deleteMessage", remove(last))).toEqual([4, "delete_for_me"]);
  // One that is deleted already is no further one, and everybody has their own.
  for (const [who, id] of [
    ["bob", "m0"],
    ["bob", "other"],
    ["cyd", last],
  ] as const)
    b.call(who, "deleteMessage", remove(id));
});

test("a user has 250 reminders, not one more, and a new one in the place of a removed one", () => {
  const b = room();
  const remind = (id: string) => ({ path: { id }, body: {} });
  for (let n = 0; n <= REMINDERS_PER_USER; n++) b.send("ada", "room", { id: `m${n}`, text: "x" });
  for (let n = 0; n < REMINDERS_PER_USER; n++) b.call("bob", "createReminder", remind(`m${n}`));
  const last = remind(`m${REMINDERS_PER_USER}`);
  expect(b.refusalOf("bob", "createReminder", last)).toEqual([4, "id"]);
  b.call("cyd", "createReminder", last);
  b.call("bob", "deleteReminder", { path: { id: "m7" } });
  b.call("bob", "createReminder", last);
});

test("messages asked for by id are those of the named channel, pending ones too, though both channels are the reader's", () => {
  const b = room();
  b.channel("two", "ada", ["ada", "bob"]);
  for (const id of ["room", "two"]) {
    b.send("bob", id, { id: `sent-${id}`, text: "x" });
    b.send("bob", id, { id: `waits-${id}`, text: "x" }, "messaging", { pending: true });
  }
  const ids = "waits-two,sent-room,sent-two,waits-room";
  const found = (id: string): string[] =>
    (
      b.call("bob", "getManyMessages", { path: { ...ROOM, id }, query: { ids } }).messages as { id: string }[]
    ).map((message) => message.id);
  expect([found("room"), found("two")]).toEqual([
    ["sent-room", "waits-room"],
    ["waits-two", "sent-two"],
  ]);
});

test("TH-8: the very first reply under a message does not notify its author who muted or blocked the writer", () => {
  for (const [who, name, body] of [
    ["muted", "muteUser", { target_id: "bob" }],
    ["blocked", "blockUser", { blocked_user_id: "bob" }],
    ["heard", undefined, {}],
  ] as const) {
    const b = room();
    b.send("ada", "room", { id: "parent", text: "x" });
    if (name) b.call("ada", name, { body });
    b.send("bob", "room", { text: who, parent_id: "parent" });
    expect(b.call("ada", "getUnread").total_unread_threads_count, who).toBe(who === "heard" ? 1 : 0);
  }
});

test.each([
  [
    "search",
    (offset: number) => ({ body: { filter_conditions: { cid: "messaging:room" }, query: "x", offset } }),
  ],
  ["getReactions", (offset: number) => ({ ...at, query: { offset: String(offset) } })],
] as const)("the last offset of a list is a thousand: %s", (name, input) => {
  const b = stillRoom();
  expect(() => b.call("bob", name, input(MAX_OFFSET))).not.toThrow();
  expect(b.refusalOf("bob", name, input(MAX_OFFSET + 1))).toEqual([4, "offset"]);
});

test("typing is told to a hundred watchers, and to nobody where one more watches; other events are told to all", () => {
  const b = room();
  const send = (type: string): string[] => {
    b.takeEvents();
    b.call("ada", "sendEvent", { path: ROOM, body: { event: { type } } });
    return b.takeEvents();
  };
  for (let n = 0; n < MANY_WATCHERS; n++) b.emit.watch(`c-w${n}`, "messaging:room");
  expect(send("typing.start")).toEqual(["W typing.start"]);
  b.emit.watch("c-last", "messaging:room");
  expect([send("typing.start"), send("typing.stop"), send("wave")]).toEqual([[], [], ["W wave"]]);
});
