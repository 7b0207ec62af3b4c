/** How each event changes a loaded thread: replies, counts, participants, reads, drafts and the parent (specification/threads.md §7). */
import { describe, expect, test } from "vitest";
import { threadChangeOf, heldThread, type HeldThread } from "../../../src/core/lists/held-thread.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import type { Thread } from "../../../src/wire/entities/thread.ts";
import { at, CID, event, msg, user } from "../state/world.ts";

const facts = { me: "ada", isSilenced: (id: string, cid: string) => id === "muted" && cid === CID };
const reply = (seconds: number, by = "bob", more: Partial<Message> = {}): Message =>
  msg(seconds, { id: `r${seconds}`, parent_id: "p", user: user(by), ...more });
const participant = (id: string, created: number, last?: number) => ({
  user_id: id,
  user: user(id),
  thread_id: "p",
  channel_cid: CID,
  created_at: at(created),
  ...(last !== undefined && { last_thread_message_at: at(last) }),
});
const love = { type: "love" } as never;
const base: HeldThread = {
  parent_message_id: "p",
  parent_message: msg(1, { id: "p", own_reactions: [love] }),
  channel_cid: CID,
  created_at: at(2),
  updated_at: at(10),
  last_message_at: at(10),
  reply_count: 2,
  participant_count: 2,
  thread_participants: [participant("bob", 2), participant("cy", 3)],
  latest_replies: [reply(8, "cy"), reply(10, "bob", { own_reactions: [love] })],
  read: [
    { user: user("ada"), last_read: at(8), unread_messages: 1 },
    { user: user("bob"), last_read: at(10), unread_messages: 0 },
  ],
  unread: 1,
};
const apply = (incoming: AnyEvent, from = base): HeldThread | undefined => {
  const change = threadChangeOf(incoming, facts);
  expect(change?.id).toBe("p");
  return change!.change(from);
};
const isNew = (message: Message): AnyEvent => event("message.new", 50, { message, user: message.user });

describe("a reply", () => {
  const twelve = reply(12, "dan");
  const added: HeldThread = {
    ...base,
    latest_replies: [...base.latest_replies, twelve],
    reply_count: 3,
    last_message_at: at(12),
    participant_count: 3,
    thread_participants: [...base.thread_participants!, participant("dan", 12, 12)],
    unread: 2,
  };
  test("of another user counts, is unread and adds a participant; a repeated event counts once", () => {
    expect(apply(isNew(twelve))).toStrictEqual(added);
    expect(apply(event("notification.thread_message_new", 50, { message: twelve }))).toStrictEqual(added);
    expect(apply(isNew(twelve), added)).toStrictEqual({
      ...added,
      latest_replies: [...base.latest_replies, { ...twelve, own_reactions: [] }],
    });
  });
  test("of a participant changes only that participant's last reply time", () => {
    expect(apply(isNew(reply(12, "cy")))).toMatchObject({
      participant_count: 2,
      thread_participants: [participant("bob", 2), participant("cy", 3, 12)],
    });
  });
  test("of the current user reads the thread; silent replies and those of muted users are not unread", () => {
    expect(apply(isNew(reply(12, "ada")))).toMatchObject({ reply_count: 3, unread: 0 });
    expect(apply(isNew(reply(12, "bob", { silent: true })))).toMatchObject({ reply_count: 3, unread: 1 });
    expect(apply(isNew(reply(12, "muted")))).toMatchObject({ reply_count: 3, unread: 1 });
  });
  test("older than the newest one is counted already; replies of the same time are ordered by id", () => {
    expect(apply(isNew(reply(9)))).toBe(base);
    const sameTime = reply(10, "bob", { id: "a" });
    expect(apply(isNew(sameTime))!.latest_replies.map(({ id }) => id)).toEqual(["r8", "a", "r10"]);
    const emptyThread = heldThread(
      { ...base, latest_replies: undefined, last_message_at: undefined } as never,
      "ada",
    );
    expect(apply(isNew(reply(3)), emptyThread)!.latest_replies.map(({ id }) => id)).toEqual(["r3"]);
  });
  test("that is loaded already is replaced by a newer version and keeps the own reactions", () => {
    const newer = reply(10, "bob", { text: "new", updated_at: at(11) });
    expect(apply(isNew(newer))!.latest_replies).toEqual([
      base.latest_replies[0],
      { ...newer, own_reactions: [love] },
    ]);
    expect(apply(isNew(reply(10, "bob", { text: "old", updated_at: at(9) })))!.latest_replies).toEqual(
      base.latest_replies,
    );
    const changed = event("message.updated", 50, { message: newer });
    expect(apply(changed)).toEqual({
      ...base,
      latest_replies: [base.latest_replies[0], { ...newer, own_reactions: [love] }],
    });
    expect(apply(event("reaction.new", 50, { message: reply(5) }))).toBe(base);
  });
});

describe("a deleted reply", () => {
  const deleteEvent = (which: Message, more: object = {}) =>
    event("message.deleted", 50, { message: which, ...more });
  const ten = reply(10, "bob", { updated_at: at(40) });
  const asDeleted = { ...ten, type: "deleted", own_reactions: [love], deleted_at: at(50) };
  test("stays as deleted, and lowers the unread count if it was after the own read mark", () => {
    expect(apply(deleteEvent(ten))).toEqual({
      ...base,
      latest_replies: [base.latest_replies[0], asDeleted],
      reply_count: 1,
      unread: 0,
    });
    expect(apply(deleteEvent({ ...ten, deleted_at: at(41) }))!.latest_replies[1]!.deleted_at).toBe(at(41));
    expect(apply(deleteEvent(reply(8, "cy")))).toMatchObject({ reply_count: 1, unread: 1 });
    expect(apply(deleteEvent(reply(10, "ada")))).toMatchObject({ reply_count: 1, unread: 1 });
    expect(apply(deleteEvent(ten), { ...base, unread: 0, reply_count: 0 })).toMatchObject({
      reply_count: 0,
      unread: 0,
    });
  });
  test("is removed by a hard delete and counted once; deleted for oneself it changes no count", () => {
    expect(apply(deleteEvent(ten, { hard_delete: true }))).toEqual({
      ...base,
      latest_replies: [base.latest_replies[0]],
      reply_count: 1,
      unread: 0,
    });
    const before = { ...base, latest_replies: [base.latest_replies[0]!, asDeleted as Message] };
    expect(apply(deleteEvent(ten), before)).toBe(before);
    expect(apply(deleteEvent(ten, { hard_delete: true }), before)).toMatchObject({
      reply_count: 2,
      unread: 1,
    });
    expect(apply(deleteEvent(ten, { deleted_for_me: true }))).toMatchObject({ reply_count: 2, unread: 1 });
    const undeleted = event("message.undeleted", 60, { message: { ...ten, updated_at: at(60) } });
    expect(apply(undeleted, before)).toMatchObject({
      reply_count: 3,
      latest_replies: [{}, { type: "reply" }],
    });
    expect(apply(undeleted)!.reply_count).toBe(2);
  });
});

describe("a read mark", () => {
  const marks = (more: object, by = "bob", seconds = 50) =>
    event("message.read", seconds, { user: user(by), ...more });
  const named = { thread: { parent_message_id: "p" } };
  test("of another user changes only that user's entry, found by the thread or by its id", () => {
    const read = [base.read![0], { user: user("bob"), last_read: at(50), unread_messages: 0 }];
    expect(apply(marks(named))).toEqual({ ...base, read });
    expect(apply(marks({ thread_id: "p" }))).toEqual({ ...base, read });
    expect(apply(marks(named, "zed"))!.read).toEqual([
      ...base.read!,
      { user: user("zed"), last_read: at(50), unread_messages: 0 },
    ]);
    expect(apply(marks(named, "bob", 9))).toEqual(base);
  });
  test("of the current user makes the thread read; marking unread counts at least one and may go back", () => {
    const bobs = base.read![1];
    const mine = { user: user("ada"), last_read: at(50), unread_messages: 0, last_read_message_id: "r10" };
    const last = { last_read_message_id: "r10" };
    expect(apply(marks({ ...named, ...last }, "ada"))).toEqual({ ...base, unread: 0, read: [bobs, mine] });
    expect(apply(event("notification.mark_read", 50, { thread_id: "p", ...last }))).toEqual({
      ...base,
      unread: 0,
      read: [bobs, mine],
    });
    const unread = (more: object) =>
      apply(event("notification.mark_unread", 50, { thread_id: "p", last_read_at: at(7), ...more }));
    expect(unread({ unread_messages: 3 })).toEqual({
      ...base,
      unread: 3,
      read: [bobs, { user: user("ada"), last_read: at(7), unread_messages: 3 }],
    });
    expect(unread({})!.unread).toBe(1);
    expect(unread({ unread_messages: 0 })!.unread).toBe(1);
    const nobody = apply(event("notification.mark_read", 50, { thread_id: "p" }), { ...base, read: [] });
    expect(nobody!.read).toEqual([{ user: { id: "ada" }, last_read: at(50), unread_messages: 0 }]);
  });
});

describe("a change", () => {
  test("of the thread keeps the replies, reads, draft and participants that the event omits", () => {
    const draft = { message: { text: "x" } } as never;
    const incoming = {
      ...base,
      updated_at: at(10),
      title: "T",
      latest_replies: [],
      read: [],
      unread: 9,
    } as unknown as Thread;
    const { thread_participants: _, ...unnamed } = incoming as HeldThread;
    const from = { ...base, draft, stale: true };
    expect(apply(event("thread.updated", 50, { thread: unnamed }), from)).toEqual({ ...from, title: "T" });
    expect(
      apply(event("thread.updated", 50, { thread: { ...incoming, thread_participants: [] } }))!
        .thread_participants,
    ).toEqual([]);
    expect(apply(event("thread.updated", 50, { thread: { ...incoming, updated_at: at(9) } }))).toBe(base);
    const { read: _read, thread_participants: _people, ...withoutPeople } = base;
    const updated = apply(
      event("thread.updated", 50, { thread: { ...unnamed, read: undefined } }),
      withoutPeople as HeldThread,
    )!;
    expect(updated.read).toBeUndefined();
    expect(updated).not.toHaveProperty("draft");
    expect(updated).not.toHaveProperty("stale");
  });
  test("of a draft sets and removes it, by the parent id of the event or of the draft", () => {
    const draft = { parent_id: "p", message: { text: "x" } };
    const drafted = { ...base, draft };
    expect(apply(event("draft.updated", 50, { draft }))).toEqual(drafted);
    expect(apply(event("draft.updated", 50, { parent_id: "p", draft: { message: {} } }))).toMatchObject({
      draft: { message: {} },
    });
    expect(apply(event("draft.deleted", 50, { draft }), drafted as never)).toEqual(base);
  });
  test("of the parent applies newer versions only; a hard delete removes the thread", () => {
    const parent = msg(1, { id: "p", text: "new", updated_at: at(40) });
    const next = { ...parent, own_reactions: [love] };
    const deleteEvent = (more: object = {}) => event("message.deleted", 50, { message: parent, ...more });
    expect(apply(event("message.updated", 50, { message: parent }))).toEqual({
      ...base,
      parent_message: next,
    });
    expect(
      apply(event("message.updated", 50, { message: { ...parent, updated_at: "2025-01-01T00:00:00Z" } })),
    ).toEqual(base);
    expect(apply(deleteEvent())).toEqual({ ...base, parent_message: next, deleted_at: at(50) });
    expect(apply(deleteEvent({ message: { ...parent, deleted_at: at(49) } }))!.deleted_at).toBe(at(49));
    expect(apply(deleteEvent({ deleted_for_me: true }))).toEqual({ ...base, parent_message: next });
    expect(apply(deleteEvent({ hard_delete: true }))).toBeUndefined();
    const undeleted = event("message.undeleted", 50, { message: parent });
    expect(apply(undeleted, { ...base, deleted_at: at(45) })).toEqual({ ...base, parent_message: next });
    const { parent_message: _, ...orphan } = base;
    expect(
      apply(event("message.updated", 50, { message: parent }), orphan as HeldThread)!.parent_message,
    ).toBe(parent);
  });
});

test("R-MSG-7: a reply deleted for oneself stays deleted when others edit it", () => {
  const deletedForMe = apply(event("message.deleted", 50, { message: reply(10), deleted_for_me: true }))!;
  const edited = event("message.updated", 60, {
    message: reply(10, "bob", { text: "new", updated_at: at(60) }),
  });
  expect(apply(edited, deletedForMe)!.latest_replies[1]).toMatchObject({
    type: "deleted",
    deleted_for_me: true,
  });
  expect(apply(isNew(reply(10, "bob", { updated_at: at(60) })), deletedForMe)!.latest_replies[1]!.type).toBe(
    "deleted",
  );
  const undeleted = event("message.undeleted", 60, { message: reply(10, "bob", { updated_at: at(60) }) });
  expect(apply(undeleted, deletedForMe)).toMatchObject({
    reply_count: 2,
    latest_replies: [{}, { type: "reply" }],
  });
  expect(apply(event("message.deleted", 50, { message: reply(10) }))!.latest_replies[1]).not.toHaveProperty(
    "deleted_for_me",
  );
});

test("an event that names no thread changes none", () => {
  const about = (type: string, more: object = {}) => threadChangeOf(event(type, 50, more as never), facts);
  for (const [type, more] of [
    ["message.new", { message: msg(1) }],
    ["message.read", { user: user("bob") }],
    ["message.read", { thread_id: "p" }],
    ["notification.mark_read", {}],
    ["notification.mark_unread", {}],
    ["thread.updated", { thread: {} }],
    ["draft.updated", { draft: {} }],
    ["channel.updated", { message: msg(1) }],
    ["message.updated", {}],
  ] as const)
    expect([type, about(type, more)]).toEqual([type, undefined]);
  for (const type of ["notification.mark_read", "notification.mark_unread"])
    expect(threadChangeOf(event(type, 50, { thread_id: "p" }), { ...facts, me: undefined })).toBeUndefined();
});

test("a thread from an answer has its replies, and the unread count of the current user's read entry", () => {
  expect(heldThread(base, "ada")).toEqual(base);
  expect(heldThread(base, "bob").unread).toBe(0);
  expect(heldThread({ ...base, read: undefined, latest_replies: undefined } as never, "ada")).toMatchObject({
    unread: 0,
    latest_replies: [],
  });
});
