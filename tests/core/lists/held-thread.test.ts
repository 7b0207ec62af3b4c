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
const part = (id: string, created: number, last?: number) => ({
  user_id: id,
  user: user(id),
  thread_id: "p",
  channel_cid: CID,
  created_at: at(created),
  ...(last !== undefined && { last_thread_message_at: at(last) }),
});
const love = { type: "love" } as never;
const held: HeldThread = {
  parent_message_id: "p",
  parent_message: msg(1, { id: "p", own_reactions: [love] }),
  channel_cid: CID,
  created_at: at(2),
  updated_at: at(10),
  last_message_at: at(10),
  reply_count: 2,
  participant_count: 2,
  thread_participants: [part("bob", 2), part("cy", 3)],
  latest_replies: [reply(8, "cy"), reply(10, "bob", { own_reactions: [love] })],
  read: [
    { user: user("ada"), last_read: at(8), unread_messages: 1 },
    { user: user("bob"), last_read: at(10), unread_messages: 0 },
  ],
  unread: 1,
};
const after = (told: AnyEvent, from = held): HeldThread | undefined => {
  const change = threadChangeOf(told, facts);
  expect(change?.id).toBe("p");
  return change!.change(from);
};
const isNew = (message: Message): AnyEvent => event("message.new", 50, { message, user: message.user });

describe("a reply", () => {
  const twelve = reply(12, "dan");
  const added: HeldThread = {
    ...held,
    latest_replies: [...held.latest_replies, twelve],
    reply_count: 3,
    last_message_at: at(12),
    participant_count: 3,
    thread_participants: [...held.thread_participants!, part("dan", 12, 12)],
    unread: 2,
  };
  test("of a stranger counts, is unread and makes him one of the thread; told twice it is one", () => {
    expect(after(isNew(twelve))).toStrictEqual(added);
    expect(after(event("notification.thread_message_new", 50, { message: twelve }))).toStrictEqual(added);
    expect(after(isNew(twelve), added)).toStrictEqual({
      ...added,
      latest_replies: [...held.latest_replies, { ...twelve, own_reactions: [] }],
    });
  });
  test("of one who is there moves his moment alone", () => {
    expect(after(isNew(reply(12, "cy")))).toMatchObject({
      participant_count: 2,
      thread_participants: [part("bob", 2), part("cy", 3, 12)],
    });
  });
  test("of oneself reads the thread; a silent and a muted one are not unread", () => {
    expect(after(isNew(reply(12, "ada")))).toMatchObject({ reply_count: 3, unread: 0 });
    expect(after(isNew(reply(12, "bob", { silent: true })))).toMatchObject({ reply_count: 3, unread: 1 });
    expect(after(isNew(reply(12, "muted")))).toMatchObject({ reply_count: 3, unread: 1 });
  });
  test("older than the newest is in the numbers of the page already; of one moment the id decides", () => {
    expect(after(isNew(reply(9)))).toBe(held);
    const twin = reply(10, "bob", { id: "a" });
    expect(after(isNew(twin))!.latest_replies.map(({ id }) => id)).toEqual(["r8", "a", "r10"]);
    const bare = heldThread(
      { ...held, latest_replies: undefined, last_message_at: undefined } as never,
      "ada",
    );
    expect(after(isNew(reply(3)), bare)!.latest_replies.map(({ id }) => id)).toEqual(["r3"]);
  });
  test("known already is the newer of both, with the own reactions that were held", () => {
    const newer = reply(10, "bob", { text: "new", updated_at: at(11) });
    expect(after(isNew(newer))!.latest_replies).toEqual([
      held.latest_replies[0],
      { ...newer, own_reactions: [love] },
    ]);
    expect(after(isNew(reply(10, "bob", { text: "old", updated_at: at(9) })))!.latest_replies).toEqual(
      held.latest_replies,
    );
    const changed = event("message.updated", 50, { message: newer });
    expect(after(changed)).toEqual({
      ...held,
      latest_replies: [held.latest_replies[0], { ...newer, own_reactions: [love] }],
    });
    expect(after(event("reaction.new", 50, { message: reply(5) }))).toBe(held);
  });
});

describe("a deleted reply", () => {
  const gone = (which: Message, more: object = {}) =>
    event("message.deleted", 50, { message: which, ...more });
  const ten = reply(10, "bob", { updated_at: at(40) });
  const asDeleted = { ...ten, type: "deleted", own_reactions: [love], deleted_at: at(50) };
  test("is left as deleted, and was unread when it is behind the own mark", () => {
    expect(after(gone(ten))).toEqual({
      ...held,
      latest_replies: [held.latest_replies[0], asDeleted],
      reply_count: 1,
      unread: 0,
    });
    expect(after(gone({ ...ten, deleted_at: at(41) }))!.latest_replies[1]!.deleted_at).toBe(at(41));
    expect(after(gone(reply(8, "cy")))).toMatchObject({ reply_count: 1, unread: 1 });
    expect(after(gone(reply(10, "ada")))).toMatchObject({ reply_count: 1, unread: 1 });
    expect(after(gone(ten), { ...held, unread: 0, reply_count: 0 })).toMatchObject({
      reply_count: 0,
      unread: 0,
    });
  });
  test("for good goes, counted once; for oneself it changes no number", () => {
    expect(after(gone(ten, { hard_delete: true }))).toEqual({
      ...held,
      latest_replies: [held.latest_replies[0]],
      reply_count: 1,
      unread: 0,
    });
    const before = { ...held, latest_replies: [held.latest_replies[0]!, asDeleted as Message] };
    expect(after(gone(ten), before)).toBe(before);
    expect(after(gone(ten, { hard_delete: true }), before)).toMatchObject({ reply_count: 2, unread: 1 });
    expect(after(gone(ten, { deleted_for_me: true }))).toMatchObject({ reply_count: 2, unread: 1 });
    const back = event("message.undeleted", 60, { message: { ...ten, updated_at: at(60) } });
    expect(after(back, before)).toMatchObject({ reply_count: 3, latest_replies: [{}, { type: "reply" }] });
    expect(after(back)!.reply_count).toBe(2);
  });
});

describe("a read mark", () => {
  const marks = (more: object, by = "bob", seconds = 50) =>
    event("message.read", seconds, { user: user(by), ...more });
  const named = { thread: { parent_message_id: "p" } };
  test("of another is his alone, by the thread or by its id", () => {
    const read = [held.read![0], { user: user("bob"), last_read: at(50), unread_messages: 0 }];
    expect(after(marks(named))).toEqual({ ...held, read });
    expect(after(marks({ thread_id: "p" }))).toEqual({ ...held, read });
    expect(after(marks(named, "zed"))!.read).toEqual([
      ...held.read!,
      { user: user("zed"), last_read: at(50), unread_messages: 0 },
    ]);
    expect(after(marks(named, "bob", 9))).toEqual(held);
  });
  test("of one's own makes it read; a mark as unread counts from one on, though it goes back", () => {
    const bobs = held.read![1];
    const mine = { user: user("ada"), last_read: at(50), unread_messages: 0, last_read_message_id: "r10" };
    const last = { last_read_message_id: "r10" };
    expect(after(marks({ ...named, ...last }, "ada"))).toEqual({ ...held, unread: 0, read: [bobs, mine] });
    expect(after(event("notification.mark_read", 50, { thread_id: "p", ...last }))).toEqual({
      ...held,
      unread: 0,
      read: [bobs, mine],
    });
    const unread = (more: object) =>
      after(event("notification.mark_unread", 50, { thread_id: "p", last_read_at: at(7), ...more }));
    expect(unread({ unread_messages: 3 })).toEqual({
      ...held,
      unread: 3,
      read: [bobs, { user: user("ada"), last_read: at(7), unread_messages: 3 }],
    });
    expect(unread({})!.unread).toBe(1);
    expect(unread({ unread_messages: 0 })!.unread).toBe(1);
    const nobody = after(event("notification.mark_read", 50, { thread_id: "p" }), { ...held, read: [] });
    expect(nobody!.read).toEqual([{ user: { id: "ada" }, last_read: at(50), unread_messages: 0 }]);
  });
});

describe("a change", () => {
  test("of the thread keeps what it does not tell: replies, reads, draft; people only where it names none", () => {
    const draft = { message: { text: "x" } } as never;
    const told = {
      ...held,
      updated_at: at(10),
      title: "T",
      latest_replies: [],
      read: [],
      unread: 9,
    } as unknown as Thread;
    const { thread_participants: _, ...unnamed } = told as HeldThread;
    const from = { ...held, draft, stale: true };
    expect(after(event("thread.updated", 50, { thread: unnamed }), from)).toEqual({ ...from, title: "T" });
    expect(
      after(event("thread.updated", 50, { thread: { ...told, thread_participants: [] } }))!
        .thread_participants,
    ).toEqual([]);
    expect(after(event("thread.updated", 50, { thread: { ...told, updated_at: at(9) } }))).toBe(held);
    const { read: _read, thread_participants: _people, ...little } = held;
    const kept = after(
      event("thread.updated", 50, { thread: { ...unnamed, read: undefined } }),
      little as HeldThread,
    )!;
    expect(kept.read).toBeUndefined();
    expect(kept).not.toHaveProperty("draft");
    expect(kept).not.toHaveProperty("stale");
  });
  test("of a draft comes and goes, by the event's parent or its own", () => {
    const draft = { parent_id: "p", message: { text: "x" } };
    const drafted = { ...held, draft };
    expect(after(event("draft.updated", 50, { draft }))).toEqual(drafted);
    expect(after(event("draft.updated", 50, { parent_id: "p", draft: { message: {} } }))).toMatchObject({
      draft: { message: {} },
    });
    expect(after(event("draft.deleted", 50, { draft }), drafted as never)).toEqual(held);
  });
  test("of the parent reaches it, newer versions alone; deleted for good it ends the thread", () => {
    const parent = msg(1, { id: "p", text: "new", updated_at: at(40) });
    const next = { ...parent, own_reactions: [love] };
    const gone = (more: object = {}) => event("message.deleted", 50, { message: parent, ...more });
    expect(after(event("message.updated", 50, { message: parent }))).toEqual({
      ...held,
      parent_message: next,
    });
    expect(
      after(event("message.updated", 50, { message: { ...parent, updated_at: "2025-01-01T00:00:00Z" } })),
    ).toEqual(held);
    expect(after(gone())).toEqual({ ...held, parent_message: next, deleted_at: at(50) });
    expect(after(gone({ message: { ...parent, deleted_at: at(49) } }))!.deleted_at).toBe(at(49));
    expect(after(gone({ deleted_for_me: true }))).toEqual({ ...held, parent_message: next });
    expect(after(gone({ hard_delete: true }))).toBeUndefined();
    const back = event("message.undeleted", 50, { message: parent });
    expect(after(back, { ...held, deleted_at: at(45) })).toEqual({ ...held, parent_message: next });
    const { parent_message: _, ...orphan } = held;
    expect(
      after(event("message.updated", 50, { message: parent }), orphan as HeldThread)!.parent_message,
    ).toBe(parent);
  });
});

test("R-MSG-7: a reply deleted for oneself stays deleted although others still edit it", () => {
  const gone = after(event("message.deleted", 50, { message: reply(10), deleted_for_me: true }))!;
  const edited = event("message.updated", 60, {
    message: reply(10, "bob", { text: "new", updated_at: at(60) }),
  });
  expect(after(edited, gone)!.latest_replies[1]).toMatchObject({ type: "deleted", deleted_for_me: true });
  expect(after(isNew(reply(10, "bob", { updated_at: at(60) })), gone)!.latest_replies[1]!.type).toBe(
    "deleted",
  );
  const back = event("message.undeleted", 60, { message: reply(10, "bob", { updated_at: at(60) }) });
  expect(after(back, gone)).toMatchObject({ reply_count: 2, latest_replies: [{}, { type: "reply" }] });
  expect(after(event("message.deleted", 50, { message: reply(10) }))!.latest_replies[1]).not.toHaveProperty(
    "deleted_for_me",
  );
});

test("events that name no thread are about none", () => {
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

test("a thread as it was told has its replies, and as unread what its own read says", () => {
  expect(heldThread(held, "ada")).toEqual(held);
  expect(heldThread(held, "bob").unread).toBe(0);
  expect(heldThread({ ...held, read: undefined, latest_replies: undefined } as never, "ada")).toMatchObject({
    unread: 0,
    latest_replies: [],
  });
});
