/** Events on messages: versions, deletes, pins, quotes, threads, reactions, polls (R-MSG, specification/polls.md §5). */
import { describe, expect, test } from "vitest";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { Reaction } from "../../../src/wire/entities/message.ts";
import { at, channel, CID, event, ids, isNew, msg, msgs, messageIds, subject, user } from "./world.ts";

const reaction = (type: string, by: string, seconds: number): Reaction => ({
  type,
  user_id: by,
  user: user(by),
  message_id: "m1",
  score: 1,
  created_at: at(seconds),
  updated_at: at(seconds),
});
const group = (count: number) => ({
  count,
  sum_scores: count,
  first_reaction_at: at(1),
  last_reaction_at: at(2),
});
const row = (action: OutboxRow["action"], messageId = "m1", seq = 1): OutboxRow => ({
  seq,
  messageId,
  cid: CID,
  action,
  state: "queued",
  tries: 0,
  owner: "1:1",
  createdAt: Date.parse(at(100)),
});

describe("new messages", () => {
  test("R-MSG-1: a newer message moves last_message_at, a thread-only reply does not", () => {
    const s = subject(channel([msg(1)]));
    s.machine.dispatch([isNew(msg(9, { parent_id: "m1" }))]);
    expect(s.entry().channel.last_message_at).toBe(at(1));
    s.machine.dispatch([isNew(msg(10))]);
    expect(s.entry().channel.last_message_at).toBe(at(10));
    s.machine.dispatch([isNew(msg(4))]);
    expect(s.entry().channel.last_message_at).toBe(at(10));
  });
  test("R-MSG-2: a reply goes to its thread, with show_in_channel to the channel too", () => {
    const s = subject(channel([msg(1)]));
    s.machine.apply({ kind: "page", cid: CID, parentId: "m1", messages: [], pagination: { limit: 25 } });
    s.machine.dispatch([
      isNew(msg(2, { parent_id: "m1" })),
      isNew(msg(3, { parent_id: "m1", show_in_channel: true })),
    ]);
    expect(s.shown()).toEqual(["m1", "m3"]);
    expect(s.shown("m1")).toEqual(["m2", "m3"]);
  });
  test("D3: a message received several times, by the socket and a query, shows once", () => {
    const s = subject(channel([msg(1)]));
    s.machine.dispatch([isNew(msg(2)), isNew(msg(2))]);
    s.machine.apply({
      kind: "channels",
      states: [channel([msg(1), msg(2)])],
      messageLimit: 25,
      watched: true,
    });
    s.machine.dispatch([{ ...isNew(msg(2)), type: "notification.message_new" }]);
    expect(s.shown()).toEqual(["m1", "m2"]);
  });
  test("R-SEND-13: a status in a received message is ignored", () => {
    const s = subject();
    s.machine.dispatch([isNew(msg(1, { status: "failed" }))]);
    expect(s.loaded("m1")!.status).toBeUndefined();
  });
  test("R-MSG-11: unknown fields are kept, redundant ones are dropped", () => {
    const s = subject();
    s.machine.dispatch([isNew(msg(1, { mood: "thirsty", type: "poem" as never }))]);
    expect(s.loaded("m1")).toMatchObject({ mood: "thirsty", type: "poem" });
    expect(s.loaded("m1")).not.toHaveProperty("html");
    expect(s.loaded("m1")).not.toHaveProperty("reaction_counts");
  });
});

describe("changes", () => {
  test("R-MSG-3: an update replaces the message in sets, pins and quotes and keeps own reactions", () => {
    const own = [reaction("love", "ada", 2)];
    const first = msg(1, {
      own_reactions: own,
      latest_reactions: own,
      reaction_groups: { love: group(1) },
      pinned: true,
    });
    const s = subject(
      channel([first, msg(2, { quoted_message_id: "m1", quoted_message: msg(1) })], {
        pinned_messages: [first],
      }),
    );
    const next = msg(1, {
      text: "edited",
      updated_at: at(50),
      pinned: true,
      latest_reactions: own,
      reaction_groups: { love: group(1) },
    });
    s.machine.dispatch([event("message.updated", 50, { message: next })]);
    expect(s.loaded("m1")).toMatchObject({ text: "edited", own_reactions: own });
    expect(s.entry().pinned[0]!.text).toBe("edited");
    expect(s.loaded("m2")!.quoted_message!.text).toBe("edited");
  });
  test("R-MSG-4: an older version is ignored", () => {
    const s = subject(channel([msg(1, { text: "new", updated_at: at(60) })]));
    s.machine.dispatch([
      event("message.updated", 50, { message: msg(1, { text: "old", updated_at: at(50) }) }),
    ]);
    expect(s.loaded("m1")!.text).toBe("new");
  });
  test("R-MSG-5: a soft delete leaves the message as deleted, unpins it and shows in quotes", () => {
    const first = msg(1, { pinned: true });
    const s = subject(
      channel([first, msg(2, { quoted_message_id: "m1", quoted_message: msg(1) })], {
        pinned_messages: [first],
      }),
    );
    s.machine.dispatch([
      event("message.deleted", 9, {
        message: msg(1, { type: "deleted", deleted_at: at(9), updated_at: at(9), text: "" }),
      }),
    ]);
    expect(s.loaded("m1")).toMatchObject({ type: "deleted", deleted_at: at(9) });
    expect(s.entry().pinned).toEqual([]);
    expect(s.loaded("m2")!.quoted_message).toMatchObject({ type: "deleted" });
  });
  test("R-MSG-6: a hard delete removes the message everywhere with its thread, and it is not restored", () => {
    const s = subject(channel([msg(1), msg(2, { quoted_message_id: "m1", quoted_message: msg(1) })]));
    s.machine.apply({
      kind: "page",
      cid: CID,
      parentId: "m1",
      messages: [msg(3, { parent_id: "m1" })],
      pagination: { limit: 25 },
    });
    s.machine.dispatch([event("message.deleted", 9, { message: msg(1), hard_delete: true }), isNew(msg(1))]);
    expect(s.shown()).toEqual(["m2"]);
    expect(s.entry().threads.size).toBe(0);
    expect(s.loaded("m2")!.quoted_message).toBeNull();
    s.machine.apply({
      kind: "page",
      cid: CID,
      messages: [msg(1)],
      pagination: { id_around: "m1", limit: 1 },
    });
    expect(s.loaded("m1")).toBeUndefined();
  });
  test("R-MSG-6: quotes of a reply go with the reply's message, now and when the page comes later", () => {
    const quoting = (n: number) =>
      msg(n, { quoted_message_id: "m3", quoted_message: msg(3, { parent_id: "m1" }) });
    const s = subject(channel([msg(1), quoting(4)], { pinned_messages: [{ ...quoting(4), pinned: true }] }));
    s.machine.dispatch([event("message.deleted", 9, { message: msg(1), hard_delete: true })]);
    s.machine.dispatch([isNew(quoting(5))]);
    expect(["m4", "m5"].map((id) => s.loaded(id)!.quoted_message)).toEqual([null, null]);
    expect(s.entry().pinned.map((one) => one.quoted_message)).toEqual([null]);
  });
  test("R-MSG-6: a pinned reply goes with its message", () => {
    const pinned = (n: number, parent: string) => ({ ...msg(n, { parent_id: parent }), pinned: true });
    const s = subject(channel([msg(1), msg(2)], { pinned_messages: [pinned(4, "m1"), pinned(5, "m2")] }));
    s.machine.dispatch([event("message.deleted", 9, { message: msg(1), hard_delete: true })]);
    expect(s.entry().pinned.map(({ id }) => id)).toEqual(["m5"]);
  });
  test("R-MSG-6: a reply that arrives after its message has gone is not shown: as a pin, in the channel, in an answer", () => {
    const late = (n: number) => msg(n, { parent_id: "m1", show_in_channel: true, type: "reply" });
    const s = subject(channel([msg(1), msg(2), late(3)]));
    s.machine.dispatch([event("message.deleted", 9, { message: msg(1), hard_delete: true })]);
    expect(s.loaded("m3")).toBeUndefined();
    s.machine.dispatch([
      isNew(late(4)),
      event("message.updated", 11, { message: { ...late(5), pinned: true } }),
    ]);
    const answer = channel([msg(2), late(4)], { pinned_messages: [{ ...late(5), pinned: true }] });
    s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true });
    expect(["m2", "m3", "m4", "m5"].filter((id) => s.loaded(id))).toEqual(["m2"]);
    expect(s.entry().pinned).toEqual([]);
  });
  test("R-MSG-7: a message deleted for the current user stays deleted when others edit it", () => {
    const s = subject(channel([msg(1)]));
    s.machine.dispatch([
      event("message.deleted", 9, { message: msg(1), deleted_for_me: true }),
      event("message.updated", 12, { message: msg(1, { text: "x", updated_at: at(12) }) }),
    ]);
    expect(s.loaded("m1")).toMatchObject({ type: "deleted", deleted_for_me: true });
  });
  test("R-MSG-8: an undeleted message is replaced by the event's message", () => {
    const s = subject(channel([msg(1, { type: "deleted", deleted_at: at(2), updated_at: at(2) })]));
    s.machine.dispatch([
      event("message.undeleted", 9, { message: msg(1, { text: "back", updated_at: at(9) }) }),
    ]);
    expect(s.loaded("m1")).toMatchObject({ type: "regular", text: "back" });
  });
  test("R-MSG-10: pins are ordered newest first, and an expired one is removed within a second", async () => {
    const s = subject(channel(msgs(1, 3)));
    const pin = (n: number, more = {}) =>
      event("message.updated", 50 + n, {
        message: msg(n, { pinned: true, pinned_at: at(50 + n), updated_at: at(50 + n), ...more }),
      });
    s.machine.dispatch([
      pin(1),
      pin(2, { pin_expires: new Date(s.clock.now() + 1000).toISOString() }),
      pin(3),
    ]);
    expect(s.entry().pinned.map((m) => m.id)).toEqual(["m3", "m2", "m1"]);
    await s.clock.advance(1600);
    expect(s.entry().pinned.map((m) => m.id)).toEqual(["m3", "m1"]);
    s.machine.close();
  });
  test("R-MSG-12: deleting a user's messages marks them as deleted and empties them", () => {
    const s = subject(
      channel([
        msg(1),
        msg(2, { user: user("eve"), text: "bad", mentioned_users: [user("bob")] }),
        msg(3, { quoted_message_id: "m2", quoted_message: msg(2, { user: user("eve") }) }),
      ]),
    );
    s.machine.dispatch([event("user.messages.deleted", 9, { user: user("eve") })]);
    expect(s.loaded("m2")).toMatchObject({ type: "deleted", text: "" });
    expect(s.loaded("m3")!.quoted_message).toMatchObject({ type: "deleted" });
    s.machine.dispatch([event("user.messages.deleted", 10, { user: user("eve"), hard_delete: true })]);
    expect(s.loaded("m2")).toMatchObject({ text: "", mentioned_users: [], attachments: [] });
    expect(s.loaded("m1")!.type).toBe("regular");
  });
  test("R-MSG-12: hard-deleting a user empties the user's messages, a soft delete leaves them", () => {
    const s = subject(channel([msg(1, { user: user("eve") }), msg(2)]));
    s.machine.dispatch([event("user.deleted", 9, { user: user("bob") })]);
    expect(s.loaded("m2")).toMatchObject({ type: "regular", text: "text 2" });
    s.machine.dispatch([event("user.deleted", 10, { user: user("eve"), hard_delete: true })]);
    expect(s.loaded("m1")).toMatchObject({ type: "deleted", text: "" });
  });
  test("an event about a message that has not arrived is applied when it arrives", () => {
    const s = subject(channel([msg(1)]));
    s.machine.dispatch([
      event("message.updated", 9, { message: msg(5, { text: "edited", updated_at: at(9) }) }),
      isNew(msg(5)),
    ]);
    expect(s.loaded("m5")!.text).toBe("edited");
  });
  test("a missing message within the loaded range is requested once, and the event is applied when it arrives", () => {
    const s = subject(channel([msg(1), msg(10)]));
    const updated = event("message.updated", 20, { message: msg(5, { text: "edited", updated_at: at(20) }) });
    s.machine.dispatch([updated, updated]);
    expect(s.machine.takeRefetches()).toEqual([{ kind: "message", cid: CID, id: "m5" }]);
    expect(s.machine.takeRefetches()).toEqual([]);
    s.machine.apply({ kind: "message", message: msg(5) });
    expect(s.shown()).toEqual(["m1", "m5", "m10"]);
    expect(s.loaded("m5")!.text).toBe("edited");
  });
  test("unreadable events change nothing and throw nothing", () => {
    const s = subject(channel([msg(1)]));
    const before = s.sets()[0]!.messages;
    s.machine.dispatch([
      event("message.new", 2, {}),
      event("message.new", 2, { message: null }),
      event("reaction.new", 2, { message: { id: 7 } }),
      event("member.added", 2, { member: null }),
      event("wave", 2, { anything: true }),
      { type: "message.new", created_at: "yesterday" } as never,
    ]);
    expect(s.sets()[0]!.messages).toBe(before);
  });
});

describe("reactions and votes", () => {
  test("R-MSG-9: reaction groups are taken from the event's message, own reactions from its reaction", () => {
    const s = subject(channel([msg(1)]));
    const voteEvent = (type: string, one: Reaction, seconds: number, count: number) =>
      event(type, seconds, {
        reaction: one,
        message: msg(1, {
          reaction_groups: count ? { love: group(count) } : {},
          latest_reactions:
            count > 1 ? [reaction("love", "ada", 5), reaction("love", "bob", 4)] : count ? [one] : [],
        }),
      });
    s.machine.dispatch([voteEvent("reaction.new", reaction("love", "bob", 4), 4, 1)]);
    expect(s.loaded("m1")).toMatchObject({ own_reactions: [], reaction_groups: { love: { count: 1 } } });
    s.machine.dispatch([voteEvent("reaction.new", reaction("love", "ada", 5), 5, 2)]);
    expect(s.loaded("m1")!.own_reactions.map((each) => each.type)).toEqual(["love"]);
    s.machine.dispatch([voteEvent("reaction.deleted", reaction("love", "ada", 5), 6, 0)]);
    expect(s.loaded("m1")!.own_reactions).toEqual([]);
    s.machine.dispatch([voteEvent("reaction.new", reaction("love", "ada", 5), 5, 2)]);
    expect(s.loaded("m1")).toMatchObject({ own_reactions: [], reaction_groups: {} });
  });
  test("specification/state.md §2: an answer older than an event changes only the own reactions", () => {
    const s = subject(channel([msg(1)]));
    const since = s.machine.revision();
    s.machine.dispatch([
      event("reaction.new", 9, {
        reaction: reaction("wow", "bob", 9),
        message: msg(1, {
          reaction_groups: { wow: group(1), love: group(1) },
          latest_reactions: [reaction("wow", "bob", 9), reaction("love", "ada", 8)],
        }),
      }),
    ]);
    s.machine.apply({
      kind: "message",
      since,
      message: msg(1, { reaction_groups: { love: group(1) }, own_reactions: [reaction("love", "ada", 8)] }),
    });
    expect(Object.keys(s.loaded("m1")!.reaction_groups).toSorted()).toEqual(["love", "wow"]);
    expect(s.loaded("m1")!.own_reactions).toHaveLength(1);
  });
  test("an updated poll keeps the own votes, and vote events of the current user change them", () => {
    const poll = (votes: number) => ({
      id: "p",
      name: "Tea?",
      vote_count: votes,
      own_votes: [],
      options: [],
    });
    const vote = (id: string, option: string, by = "ada") => ({
      id,
      poll_id: "p",
      option_id: option,
      user_id: by,
    });
    const s = subject(channel([msg(1, { poll_id: "p", poll: poll(0) as never })]));
    const voteEvent = (type: string, seconds: number, votes: number, one?: object) =>
      event(type, seconds, { poll: poll(votes), message_id: "m1", ...(one && { poll_vote: one }) });
    s.machine.dispatch([voteEvent("poll.vote_casted", 2, 1, vote("v1", "a"))]);
    s.machine.dispatch([voteEvent("poll.vote_casted", 3, 2, vote("v2", "b", "bob"))]);
    expect(s.loaded("m1")!.poll).toMatchObject({ vote_count: 2, own_votes: [{ id: "v1" }] });
    s.machine.dispatch([voteEvent("poll.vote_changed", 4, 2, vote("v3", "c"))]);
    expect(s.loaded("m1")!.poll!.own_votes.map((each) => each.id)).toEqual(["v3"]);
    s.machine.dispatch([voteEvent("poll.vote_removed", 5, 1, vote("v3", "c"))]);
    expect(s.loaded("m1")!.poll!.own_votes).toEqual([]);
    s.machine.dispatch([voteEvent("poll.deleted", 6, 0)]);
    expect(s.loaded("m1")).toMatchObject({ poll: null, poll_id: "p" });
    s.machine.dispatch([voteEvent("poll.vote_casted", 5, 3, vote("v4", "a"))]);
    expect(s.loaded("m1")!.poll).toBeNull();
  });
});

describe("own messages and changes not yet answered", () => {
  const ada = user("ada");
  const send = (id = "ada-1", seq = 1) =>
    row({ kind: "send", message: { id, text: "hi" }, options: {} }, id, seq);
  test("R-SEND-5: a sent message shows at the end as sending, with the current user as author", () => {
    const s = subject(channel(msgs(1, 3)));
    s.machine.apply({
      kind: "queued",
      row: { ...send(), createdAt: Date.parse(at(1)) },
      user: ada,
      fresh: true,
    });
    expect(s.shown()).toEqual([...messageIds(1, 3), "ada-1"]);
    expect(s.loaded("ada-1")).toMatchObject({ status: "sending", type: "regular", user: { id: "ada" } });
  });
  test("D6: an own message hard-deleted before its answer is not restored by the answer", () => {
    const s = subject(channel(msgs(1, 3)));
    const copy = msg(2.5, { id: "ada-1", text: "hi", user: ada, updated_at: at(2.5) });
    s.machine.apply({ kind: "queued", row: send(), user: ada, fresh: true });
    s.machine.dispatch([isNew(copy), event("message.deleted", 9, { message: copy, hard_delete: true })]);
    s.machine.apply({ kind: "settled", row: send(), message: copy });
    expect(s.shown()).toEqual(messageIds(1, 3));
  });
  test("R-SEND-6, R-SEND-7: event and answer in either order give one message at the provider's position", () => {
    for (const echoFirst of [true, false]) {
      const s = subject(channel(msgs(1, 3)));
      s.machine.apply({ kind: "queued", row: send(), user: ada, fresh: true });
      const copy = msg(2.5, { id: "ada-1", text: "hi", user: ada, updated_at: at(2.5) });
      if (echoFirst) s.machine.dispatch([isNew(copy)]);
      s.machine.apply({ kind: "settled", row: send(), message: copy });
      if (!echoFirst) s.machine.dispatch([isNew(copy)]);
      expect(s.shown()).toEqual(["m1", "m2", "ada-1", "m3"]);
      expect(s.loaded("ada-1")!.status).toBeUndefined();
    }
  });
  test("R-SEND-7: a later answer with an older version is ignored", () => {
    const s = subject();
    s.machine.apply({ kind: "queued", row: send(), user: ada, fresh: true });
    s.machine.dispatch([isNew(msg(5, { id: "ada-1", user: ada, text: "edited", updated_at: at(9) }))]);
    s.machine.apply({
      kind: "settled",
      row: send(),
      message: msg(5, { id: "ada-1", user: ada, text: "hi" }),
    });
    expect(s.loaded("ada-1")!.text).toBe("edited");
  });
  test("R-SEND-8, R-SEND-10: a failed message stays through page loads and queries, and can be dropped", () => {
    const s = subject(channel(msgs(1, 3)));
    s.machine.apply({ kind: "queued", row: send(), user: ada, fresh: true });
    const failed = { ...send(), state: "failed" as const, error: { message: "no", code: 17 } };
    s.machine.apply({ kind: "rejected", row: failed });
    expect(s.loaded("ada-1")).toMatchObject({ status: "failed", error: { message: "no", code: 17 } });
    s.machine.apply({ kind: "channels", states: [channel(msgs(50, 74))], messageLimit: 25, watched: true });
    expect(s.shown()).toContain("ada-1");
    s.machine.apply({ kind: "channels", states: [channel(msgs(1, 3))], messageLimit: 25, watched: true });
    expect(
      s
        .sets()
        .flatMap(ids)
        .filter((id) => id === "ada-1"),
    ).toHaveLength(1);
    s.machine.apply({ kind: "dropped", row: failed });
    expect(s.loaded("ada-1")).toBeUndefined();
  });
  test("D5: own messages of the same time keep the order of sending", () => {
    const s = subject(channel(msgs(1, 2)));
    for (const [seq, id] of ["ada-z", "ada-a", "ada-m"].entries())
      s.machine.apply({ kind: "queued", row: send(id, seq + 1), user: ada, fresh: true });
    expect(s.shown().slice(2)).toEqual(["ada-z", "ada-a", "ada-m"]);
  });
  test("R-SEND-14: an edit shows at once, stays over other events, and a refusal restores the provider's version", () => {
    const s = subject(channel([msg(1)]));
    const edit = row({ kind: "edit", set: { text: "mine" }, unset: [] });
    s.machine.apply({ kind: "queued", row: edit, user: ada, fresh: true });
    expect(s.loaded("m1")).toMatchObject({ text: "mine", pendingChange: "edit" });
    s.machine.dispatch([
      event("message.updated", 9, { message: msg(1, { text: "theirs", updated_at: at(9), mood: "x" }) }),
    ]);
    expect(s.loaded("m1")).toMatchObject({ text: "mine", mood: "x" });
    s.machine.apply({ kind: "rejected", row: edit });
    expect(s.loaded("m1")).toMatchObject({ text: "theirs" });
    expect(s.loaded("m1")).not.toHaveProperty("pendingChange");
  });
  test("R-SEND-14: a delete and a reaction show at once, and are confirmed or undone", () => {
    const s = subject(channel([msg(1), msg(2)]));
    const remove = row({ kind: "delete", hard: false, forMe: false }, "m2", 2);
    const react = row({ kind: "react", type: "love", unique: false }, "m1", 3);
    s.machine.apply({ kind: "queued", row: remove, user: ada, fresh: true });
    s.machine.apply({ kind: "queued", row: react, user: ada, fresh: true });
    expect(s.loaded("m2")).toMatchObject({ type: "deleted" });
    expect(s.loaded("m1")).toMatchObject({
      own_reactions: [{ type: "love" }],
      reaction_groups: { love: { count: 1 } },
    });
    s.machine.apply({
      kind: "settled",
      row: remove,
      message: msg(2, { type: "deleted", deleted_at: at(9), updated_at: at(9) }),
    });
    s.machine.apply({ kind: "rejected", row: react });
    expect(s.loaded("m2")).toMatchObject({ type: "deleted", deleted_at: at(9) });
    expect(s.loaded("m1")).toMatchObject({ own_reactions: [], reaction_groups: {} });
  });
  test("a unique reaction replaces the other own reactions at once", () => {
    const s = subject(channel([msg(1)]));
    const react = (type: string, unique: boolean, seq: number): void =>
      s.machine.apply({
        kind: "queued",
        row: row({ kind: "react", type, unique }, "m1", seq),
        user: ada,
        fresh: true,
      });
    react("love", false, 2);
    react("wow", false, 3);
    expect(s.loaded("m1")!.own_reactions.map(({ type }) => type)).toEqual(["love", "wow"]);
    react("sad", true, 4);
    expect(s.loaded("m1")!.own_reactions.map(({ type }) => type)).toEqual(["sad"]);
    expect(Object.keys(s.loaded("m1")!.reaction_groups)).toEqual(["sad"]);
  });
});
