/** Personal state in a shared channel, such as mutes and pins: a member sees only its own, newest first. */
import { expect, test } from "vitest";
import type { Json } from "../../contract/world.ts";
import { room, ROOM, type TestDomain } from "./support.ts";

const channelFor = (b: TestDomain, userId: string): Json =>
  b.call(userId, "queryChannel", { path: ROOM, body: { state: true } });
const message = (b: TestDomain, userId: string, id: string): Json =>
  channelFor(b, userId).messages.find((one: Json) => one.id === id);
const poll = (b: TestDomain): void => {
  const options = ["x", "y", "z"].map((id) => ({ id, text: id }));
  b.call("ada", "createPoll", { body: { id: "p", name: "Which?", options, allow_answers: true } });
  b.send("ada", "room", { id: "asks", poll_id: "p" });
};
const vote = (b: TestDomain, userId: string, vote: object): void => {
  b.call(userId, "castPollVote", { path: { message_id: "asks", poll_id: "p" }, body: { vote } });
};
const react = (b: TestDomain, userId: string, type: string): void => {
  b.call(userId, "sendReaction", { path: { id: "m" }, body: { reaction: { type } } });
};

/** Name, action of bob, the value to look at, and how bob and how cyd see it. */
const OWN: [string, (b: TestDomain) => void, (b: TestDomain, userId: string) => unknown, unknown, unknown][] =
  [
    [
      "a mute of the channel",
      (b) => b.call("bob", "muteChannel", { body: { channel_cid: "messaging:room" } }),
      (b, userId) => channelFor(b, userId).channel.muted ?? false,
      true,
      false,
    ],
    [
      "an expired mute",
      (b) => {
        b.call("bob", "muteChannel", { body: { channel_cid: "messaging:room", expiration: 60_000 } });
        b.wait(60_000);
      },
      (b, userId) => channelFor(b, userId).channel.muted ?? false,
      false,
      false,
    ],
    [
      "a hidden channel",
      (b) => b.call("bob", "hideChannel", { path: ROOM }),
      (b, userId) => channelFor(b, userId).channel.hidden ?? false,
      true,
      false,
    ],
    [
      "a pinned channel",
      (b) =>
        b.call("bob", "updateMemberPartial", {
          path: { ...ROOM, user_id: "bob" },
          body: { set: { pinned: true } },
        }),
      (b, userId) => Boolean(channelFor(b, userId).membership.pinned_at),
      true,
      false,
    ],
    [
      "a draft",
      (b) => b.call("bob", "saveDraft", { path: ROOM, body: { message: { text: "soon" } } }),
      (b, userId) => channelFor(b, userId).draft?.message.text,
      "soon",
      undefined,
    ],
    [
      "a reminder",
      (b) => b.call("bob", "createReminder", { path: { id: "m" }, body: { remind_at: null } }),
      (b, userId) => message(b, userId, "m").reminder?.message_id,
      "m",
      undefined,
    ],
    [
      "own reactions, newest first,",
      (b) => ["love", "wow", "haha"].forEach((type) => react(b, "bob", type)),
      (b, userId) => message(b, userId, "m").own_reactions.map((one: Json) => one.type),
      ["haha", "wow", "love"],
      [],
    ],
    [
      "own votes, newest first,",
      (b) => {
        poll(b);
        for (const option_id of ["x", "z", "y"]) vote(b, "bob", { option_id });
      },
      (b, userId) => message(b, userId, "asks").poll.own_votes.map((one: Json) => one.option_id),
      ["y", "z", "x"],
      [],
    ],
    [
      "an answer",
      (b) => {
        poll(b);
        vote(b, "bob", { answer_text: "neither" });
      },
      (b, userId) => message(b, userId, "asks").poll.own_votes.map((one: Json) => one.answer_text),
      ["neither"],
      [],
    ],
    [
      "a message deleted for the user",
      (b) => b.call("bob", "deleteMessage", { path: { id: "m" }, query: { delete_for_me: "true" } }),
      (b, userId) => message(b, userId, "m").type,
      "deleted",
      "regular",
    ],
  ];

test.each(OWN)("%s is visible to its user only", (_, act, read, own, others) => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "tea" });
  act(b);
  expect(read(b, "bob")).toEqual(own);
  expect(read(b, "cyd")).toEqual(others);
});

test("pins are listed newest first, without deleted and expired ones", () => {
  const b = room();
  for (const id of ["first", "second", "third", "short"]) b.send("ada", "room", { id, text: id });
  const pin = (id: string, set: object = {}): void => {
    b.call("ada", "updateMessagePartial", { path: { id }, body: { set: { pinned: true, ...set } } });
  };
  for (const id of ["third", "first", "second"]) pin(id);
  const end = Math.floor(b.now / 1000) + 60_000;
  pin("short", { pin_expires: new Date(end).toISOString() });
  const pins = (): string[] => channelFor(b, "cyd").pinned_messages.map((one: Json) => one.id);
  expect(pins()).toEqual(["short", "second", "first", "third"]);
  b.now = end * 1000 - 100;
  expect(pins()).toEqual(["short", "second", "first", "third"]);
  b.now = end * 1000;
  expect(pins()).toEqual(["second", "first", "third"]);
  b.call("ada", "deleteMessage", { path: { id: "first" } });
  expect(pins()).toEqual(["second", "third"]);
});

test("a deleted message loses its pin, and is not pinned after an undelete", () => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "tea", pinned: true });
  b.call("ada", "deleteMessage", { path: { id: "m" } });
  b.call({ server: true }, "undeleteMessage", { path: { id: "m" }, body: { undeleted_by: "ada" } });
  expect(message(b, "bob", "m")).toMatchObject({
    type: "regular",
    pinned: false,
    pinned_at: null,
    pinned_by: null,
  });
});
