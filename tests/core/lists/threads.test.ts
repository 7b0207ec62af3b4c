/** The thread list: its requests, changes by events, and local checks (specification/threads.md, R-THREAD). */
import { describe, expect, test } from "vitest";
import { validateCall } from "../../../src/core/base/validate-call.ts";
import { ThreadList } from "../../../src/core/lists/threads.ts";
import {
  NO_THREADS,
  nextThreads,
  withPage,
  type ThreadsState,
} from "../../../src/core/lists/threads-state.ts";
import type { ThreadContext } from "../../../src/core/lists/held-thread.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import type { Thread } from "../../../src/wire/entities/thread.ts";
import { at, channel, CID, event, msg, silentLog, subject, user } from "../state/world.ts";

const reply = (parent: string, seconds: number, author = "bob", more: Partial<Message> = {}): Message =>
  msg(seconds, { id: `${parent}-r${seconds}`, parent_id: parent, user: user(author), ...more });

function thread(id: string, seconds: number, more: Partial<Thread> = {}): Thread {
  return {
    parent_message_id: id,
    parent_message: msg(1, { id }),
    channel_cid: CID,
    created_at: at(2),
    updated_at: at(seconds),
    last_message_at: at(seconds),
    reply_count: 2,
    participant_count: 1,
    thread_participants: [
      { user_id: "bob", user: user("bob"), thread_id: id, channel_cid: CID, created_at: at(2) },
    ],
    latest_replies: [reply(id, seconds)],
    read: [{ user: user("ada"), last_read: at(seconds), unread_messages: 0 }],
    ...more,
  };
}

const facts: ThreadContext = { me: "ada", isSilenced: (id) => id === "muted" };
const loaded = (...threads: Thread[]): ThreadsState => withPage(NO_THREADS, { threads, first: true }, "ada");
const reduce = (state: ThreadsState, ...events: AnyEvent[]): ThreadsState =>
  events.reduce((accumulated, each) => nextThreads(accumulated, each, facts), state);
const isNew = (message: Message, type = "message.new", more: Record<string, unknown> = {}): AnyEvent =>
  event(type, 500, { message, user: message.user, ...more });
const ids = (state: ThreadsState): string[] => state.threads.map((each) => each.parent_message_id);
const threadOf = (state: ThreadsState, id = "p1") =>
  state.threads.find((each) => each.parent_message_id === id)!;

describe("loading and marking", () => {
  function list(state = channel()) {
    const { machine, clock } = subject(state);
    const calls: { name: string; args: Record<string, unknown> }[] = [];
    const answers: unknown[] = [];
    const threads = new ThreadList({
      call: (async (name: string, args: Record<string, unknown>) => {
        calls.push({ name, args });
        const answer = await answers.shift();
        if (answer instanceof Error) throw answer;
        return answer ?? {};
      }) as never,
      clock,
      log: silentLog,
      state: machine.state,
      userId: () => "ada",
      now: () => clock.now(),
    });
    return { threads, calls, answers, clock, machine };
  }

  test("R-THREAD-1: the list requests 10 threads with 10 participants and 3 replies, a single thread 100 and 3", async () => {
    const l = list();
    l.answers.push(
      { threads: [thread("p1", 10)], next: "n2" },
      { threads: [thread("p2", 9)] },
      { thread: thread("p3", 1) },
    );
    await l.threads.load();
    expect(l.calls[0]).toMatchObject({
      name: "queryThreads",
      args: { body: { limit: 10, participant_limit: 10, reply_limit: 3, watch: true } },
    });
    expect(await l.threads.more()).toBe(true);
    expect(l.calls[1]!.args.body).toMatchObject({ next: "n2", limit: 10 });
    expect(await l.threads.more()).toBe(false);
    expect(ids(l.threads.state())).toEqual(["p1", "p2"]);
    await l.threads.get("p3");
    expect(l.calls[2]).toMatchObject({
      name: "getThread",
      args: { path: { message_id: "p3" }, query: { participant_limit: 100, reply_limit: 3 } },
    });
  });
  test("a reply that arrives during the request of a page is counted", async () => {
    const l = list();
    const gate = Promise.withResolvers<unknown>();
    l.answers.push(gate.promise);
    const loading = l.threads.load();
    l.threads.onEvent(isNew(reply("p1", 20)));
    gate.resolve({ threads: [thread("p1", 10)] });
    await loading;
    expect(threadOf(l.threads.state())).toMatchObject({ reply_count: 3, unread: 1 });
  });
  test("a failed page shows its error and leaves the loaded threads", async () => {
    const l = list();
    l.answers.push({ threads: [thread("p1", 10)], next: "n" }, new Error("no answer"));
    await l.threads.load();
    await expect(l.threads.more()).rejects.toThrow("no answer");
    expect(l.threads.state()).toMatchObject({ loading: false, error: "no answer", next: "n" });
    expect(ids(l.threads.state())).toEqual(["p1"]);
  });
  test("of the threads missing from a first page with more pages the newest hundred stay, else all", () => {
    const many = Array.from({ length: 150 }, (_, n) => thread(`p${n}`, n + 3));
    const reloaded = withPage(
      loaded(...many),
      { threads: [thread("new", 900)], next: "more", first: true },
      "ada",
    );
    expect(ids(reloaded)).toEqual(["new", ...Array.from({ length: 100 }, (_, n) => `p${149 - n}`)]);
    const whole = withPage(loaded(...many), { threads: [thread("new", 900)], first: true }, "ada");
    expect(whole.threads).toHaveLength(151);
  });
  test("a loaded thread keeps the cid of its channel, not a copy of the channel", () => {
    const accumulated = threadOf(loaded(thread("p1", 5, { channel: channel().channel as never })));
    expect(accumulated).toMatchObject({ channel_cid: CID });
    expect(accumulated).not.toHaveProperty("channel");
  });
  test("a reconnect reloads the first page; threads missing from it stay as stale (specification/threads.md §7)", async () => {
    const l = list();
    l.threads.onConnected();
    expect(l.calls).toEqual([]);
    l.answers.push({ threads: [thread("p1", 10), thread("p2", 9)] }, { threads: [thread("p1", 12)] });
    await l.threads.load();
    l.threads.onConnected();
    await l.clock.settle();
    expect(l.threads.state().threads).toMatchObject([
      { parent_message_id: "p1" },
      { parent_message_id: "p2", stale: true },
    ]);
    expect(threadOf(l.threads.state()).stale).toBeUndefined();
    l.threads.reset();
    expect(l.threads.state()).toEqual(NO_THREADS);
  });
  test("R-THREAD-3: a thread seen to its end is marked read, with at most one request per 1000 ms", async () => {
    const l = list();
    l.answers.push({
      threads: [thread("p1", 10, { read: [{ user: user("ada"), last_read: at(1), unread_messages: 2 }] })],
    });
    await l.threads.load();
    l.threads.seen({ cid: CID, parentId: "nobody" });
    l.threads.seen({ cid: CID, parentId: "p1" });
    expect(threadOf(l.threads.state()).unread).toBe(0);
    l.threads.seen({ cid: CID, parentId: "p1" });
    expect(l.calls.slice(1)).toMatchObject([
      { name: "markRead", args: { path: { type: "messaging", id: "kitchen" }, body: { thread_id: "p1" } } },
    ]);
    l.threads.onEvent(isNew(reply("p1", 20)));
    l.threads.seen({ cid: CID, parentId: "p1" });
    expect(l.calls).toHaveLength(2);
    await l.clock.advance(1000);
    expect(l.calls).toHaveLength(3);
    await l.clock.advance(1000);
    expect(l.clock.timers).toEqual([]);
    await l.threads.markUnread({ cid: CID, parentId: "p1" });
    expect(l.calls.at(-1)).toMatchObject({ name: "markUnread", args: { body: { thread_id: "p1" } } });
  });
  test("a refused markRead leaves the thread unread", async () => {
    const l = list();
    const read = [{ user: user("ada"), last_read: at(1), unread_messages: 2 }];
    l.answers.push({ threads: [thread("p1", 10, { read })] }, new Error("refused"), {});
    await l.threads.load();
    const place = { cid: CID, parentId: "p1" };
    await expect(l.threads.markRead(place)).rejects.toThrow("refused");
    expect(threadOf(l.threads.state()).unread).toBe(2);
    await l.threads.markRead(place);
    expect(threadOf(l.threads.state()).unread).toBe(0);
  });
  test("marking a thread unread cancels a delayed read mark", async () => {
    const l = list();
    const read = [{ user: user("ada"), last_read: at(1), unread_messages: 2 }];
    l.answers.push({ threads: [thread("p1", 10, { read })] });
    await l.threads.load();
    const place = { cid: CID, parentId: "p1" };
    l.threads.seen(place);
    l.threads.onEvent(isNew(reply("p1", 20)));
    l.threads.seen(place);
    await l.threads.markUnread(place);
    await l.clock.advance(2000);
    expect(l.calls.map(({ name }) => name)).toEqual(["queryThreads", "markRead", "markUnread"]);
  });
  test("R-THREAD-3: a thread outside the list is marked read once per newest reply of another user", async () => {
    const l = list(channel([msg(1, { id: "p1" })]));
    const page = (...messages: Message[]): void =>
      l.machine.apply({ kind: "page", cid: CID, parentId: "p1", messages, pagination: { limit: 25 } });
    l.threads.seen({ cid: CID, parentId: "p1" });
    page(reply("p1", 10));
    l.threads.seen({ cid: CID, parentId: "p1" });
    await l.clock.advance(1000);
    l.threads.seen({ cid: CID, parentId: "p1" });
    await l.clock.advance(1000);
    expect(l.calls).toMatchObject([{ name: "markRead", args: { body: { thread_id: "p1" } } }]);
    page(reply("p1", 10), reply("p1", 11));
    l.threads.seen({ cid: CID, parentId: "p1" });
    page(reply("p1", 10), reply("p1", 11), reply("p1", 12, "ada"));
    await l.clock.advance(1000);
    l.threads.seen({ cid: CID, parentId: "p1" });
    await l.clock.advance(1000);
    expect(l.calls).toHaveLength(2);
  });
  test("TH-10: a thread outside the list that was marked unread is marked read when seen again", async () => {
    const l = list(channel([msg(1, { id: "p1" })]));
    const messages = [reply("p1", 10)];
    l.machine.apply({ kind: "page", cid: CID, parentId: "p1", messages, pagination: { limit: 25 } });
    l.threads.seen({ cid: CID, parentId: "p1" });
    await l.clock.advance(1000);
    await l.threads.markUnread({ cid: CID, parentId: "p1" });
    l.threads.seen({ cid: CID, parentId: "p1" });
    await l.clock.advance(1000);
    expect(l.calls.map(({ name }) => name)).toEqual(["markRead", "markUnread", "markRead"]);
  });
  test("R-THREAD-2: an update is sent and its answer is shown", async () => {
    const l = list();
    l.answers.push(
      { threads: [thread("p1", 10)] },
      { thread: thread("p1", 11, { title: "Tea", latest_replies: [], read: [] }) },
    );
    await l.threads.load();
    await l.threads.update("p1", { set: { title: "Tea" } });
    expect(l.calls[1]).toMatchObject({
      name: "updateThreadPartial",
      args: { body: { set: { title: "Tea" } } },
    });
    expect(threadOf(l.threads.state())).toMatchObject({ title: "Tea", latest_replies: [{ id: "p1-r10" }] });
  });
});

describe("R-THREAD-2: invalid updates are refused before any request", () => {
  const update =
    (body: object, id = "p1") =>
    (): void =>
      validateCall("updateThreadPartial", { path: { message_id: id }, body } as never);
  test("TH-2: reserved fields in set or unset, or paths into them, are named in order", () => {
    expect(update({ set: { reply_count: 1, title: "x", read: [] } })).toThrow(
      "reserved thread field(s) cannot be set: reply_count, read",
    );
    expect(update({ unset: ["mood", "cid"] })).toThrow("reserved thread field(s) cannot be set: cid");
    expect(update({ set: { "channel.name": "x" }, unset: ["user_id"] })).toThrow(
      "reserved thread field(s) cannot be set: channel.name, user_id",
    );
  });
  test("TH-3, TH-4: an update without changes and one without an id are refused", () => {
    expect(update({})).toThrow("Nothing to update");
    expect(update({ set: {}, unset: [] })).toThrow("Nothing to update");
    expect(update({ set: { title: "x" } }, " ")).toThrow("a message id is required for an update");
  });
  test("TH-1: a title and custom keys may be set and removed", () => {
    expect(update({ set: { title: "x", "mood.today": "calm" }, unset: ["colour"] })).not.toThrow();
  });
});

describe("events", () => {
  test("R-THREAD-3: a reply of another user is unread, a silent one and one of a muted user not; an own reply reads the thread", () => {
    const state = reduce(
      loaded(thread("p1", 10)),
      isNew(reply("p1", 11)),
      isNew(reply("p1", 12, "bob", { silent: true })),
      isNew(reply("p1", 13, "muted")),
    );
    expect(threadOf(state)).toMatchObject({
      unread: 1,
      reply_count: 5,
      last_message_at: at(13),
      participant_count: 2,
    });
    expect(threadOf(reduce(state, isNew(reply("p1", 14, "ada")))).unread).toBe(0);
  });
  test("a reply that arrives as two events counts once (specification/threads.md §7)", () => {
    const r = reply("p1", 20, "cy");
    const state = reduce(
      loaded(thread("p1", 10)),
      isNew(r),
      isNew(r, "notification.thread_message_new", { thread_id: "p1" }),
    );
    expect(threadOf(state)).toMatchObject({ reply_count: 3, unread: 1, participant_count: 2 });
    expect(threadOf(state).latest_replies.map(({ id }) => id)).toEqual(["p1-r10", "p1-r20"]);
    // A reply that the page has counted already.
    expect(reduce(state, isNew(reply("p1", 5)))).toBe(state);
  });
  test.each<[whose: string, isRemembered: boolean, event: AnyEvent]>([
    ["that was announced to the user", true, isNew(reply("p7", 20), "notification.thread_message_new")],
    [
      "of a thread with the user",
      true,
      isNew(reply("p7", 20), "message.new", { thread_participants: [user("ada")] }),
    ],
    ["to a message of the user", true, isNew(reply("p7", 20), "message.new", { parent_author: "ada" })],
    ["by the user", true, isNew(reply("p7", 20, "ada"))],
    ["that mentions the user", true, isNew(reply("p7", 20, "bob", { mentioned_users: [user("ada")] }))],
    [
      "among others",
      false,
      isNew(reply("p7", 20), "message.new", { thread_participants: [user("cy")], parent_author: "cy" }),
    ],
  ])(
    "a reply in an unlisted thread is remembered once, if the current user takes part (specification/threads.md §7): one %s",
    (_, isRemembered, arrived) => {
      const state = reduce(loaded(thread("p1", 10)), arrived, arrived);
      expect(state.unseen).toEqual(isRemembered ? ["p7"] : []);
      expect(reduce(NO_THREADS, arrived).unseen).toEqual([]);
    },
  );
  test("a new first page forgets the remembered threads, a further one only those that it brings", () => {
    const announced = (id: string) => isNew(reply(id, 20), "notification.thread_message_new");
    const state = reduce(loaded(thread("p1", 10)), announced("p7"), announced("p9"));
    expect(withPage(state, { threads: [thread("p7", 20)], first: true }, "ada").unseen).toEqual([]);
    expect(withPage(state, { threads: [thread("p7", 20)], first: false }, "ada").unseen).toEqual(["p9"]);
  });
  test("threads are ordered by unread, then newest reply, then id", () => {
    const state = loaded(thread("c", 9), thread("b", 9), thread("a", 12));
    expect(ids(state)).toEqual(["a", "b", "c"]);
    expect(ids(reduce(state, isNew(reply("c", 10))))).toEqual(["c", "a", "b"]);
  });
  test("R-THREAD-3: message.read of the current user and notification.mark_read set the unread count to 0", () => {
    const unread = reduce(loaded(thread("p1", 10)), isNew(reply("p1", 11)));
    const readBy = (who: string): AnyEvent =>
      event("message.read", 600, {
        user: user(who),
        thread: { parent_message_id: "p1" },
        last_read_message_id: "p1-r11",
      });
    expect(threadOf(reduce(unread, readBy("ada")))).toMatchObject({ unread: 0 });
    const bob = threadOf(reduce(unread, readBy("bob")));
    expect(bob.unread).toBe(1);
    expect(bob.read!.find((read) => read.user.id === "bob")).toMatchObject({
      last_read: at(600),
      last_read_message_id: "p1-r11",
    });
    expect(threadOf(reduce(unread, event("notification.mark_read", 600, { thread_id: "p1" }))).unread).toBe(
      0,
    );
    // Reading the channel does not read its threads (TH-12).
    expect(reduce(unread, event("notification.mark_read", 600))).toBe(unread);
    expect(
      threadOf(reduce(loaded(thread("p1", 10)), event("notification.mark_unread", 600, { thread_id: "p1" })))
        .unread,
    ).toBe(1);
  });
  test("edits, reactions and deletes apply to replies and parent; own reactions stay", () => {
    const own = { type: "like", user_id: "ada" } as never;
    const state = loaded(
      thread("p1", 10, { latest_replies: [reply("p1", 10, "bob", { own_reactions: [own] })] }),
    );
    const edited = reply("p1", 10, "bob", { text: "new", updated_at: at(30) });
    const after = reduce(
      state,
      isNew(edited, "message.updated"),
      isNew(reply("p1", 10, "bob", { text: "old" }), "reaction.new"),
    );
    expect(threadOf(after).latest_replies[0]).toMatchObject({ text: "new", own_reactions: [own] });
    expect(
      threadOf(
        reduce(state, isNew(msg(1, { id: "p1", text: "first", updated_at: at(40) }), "message.updated")),
      ).parent_message!.text,
    ).toBe("first");
    const afterDelete = reduce(
      after,
      isNew({ ...edited, type: "deleted", deleted_at: at(50), updated_at: at(50) }, "message.deleted"),
    );
    expect(threadOf(afterDelete)).toMatchObject({ reply_count: 1, latest_replies: [{ type: "deleted" }] });
    expect(
      threadOf(
        reduce(afterDelete, isNew({ ...edited, type: "deleted", updated_at: at(50) }, "message.deleted")),
      ).reply_count,
    ).toBe(1);
    const undeleted = reduce(
      afterDelete,
      isNew({ ...edited, type: "reply", updated_at: at(60) }, "message.undeleted"),
    );
    expect(threadOf(undeleted)).toMatchObject({ reply_count: 2, latest_replies: [{ type: "reply" }] });
    expect(
      threadOf(reduce(after, isNew(edited, "message.deleted", { hard_delete: true }))).latest_replies,
    ).toEqual([]);
  });
  test("deleting an unread reply lowers the unread count", () => {
    const r = reply("p1", 20);
    const state = reduce(
      loaded(thread("p1", 10)),
      isNew(r),
      isNew({ ...r, type: "deleted", updated_at: at(30) }, "message.deleted"),
    );
    expect(threadOf(state)).toMatchObject({ unread: 0, reply_count: 2 });
  });
  test("a soft delete of the parent sets deleted_at, a hard delete removes the thread", () => {
    const state = loaded(thread("p1", 10));
    const parent = msg(1, { id: "p1", type: "deleted", deleted_at: at(70), updated_at: at(70) });
    expect(threadOf(reduce(state, isNew(parent, "message.deleted")))).toMatchObject({ deleted_at: at(70) });
    expect(ids(reduce(state, isNew(parent, "message.deleted", { hard_delete: true })))).toEqual([]);
  });
  test("thread.updated changes title and custom keys unless older; draft events set and remove the draft", () => {
    const state = loaded(thread("p1", 10, { title: "Old" }));
    const update = (seconds: number, title: string): AnyEvent =>
      event("thread.updated", seconds, {
        thread: { ...thread("p1", seconds, { title }), latest_replies: undefined, read: undefined },
      });
    expect(threadOf(reduce(state, update(20, "New"), update(5, "Older")))).toMatchObject({
      title: "New",
      latest_replies: [{ id: "p1-r10" }],
    });
    const draft = { channel_cid: CID, parent_id: "p1", created_at: at(1), message: { id: "d", text: "re" } };
    const withDraft = reduce(state, event("draft.updated", 20, { draft, parent_id: "p1" }));
    expect(threadOf(withDraft).draft).toEqual(draft);
    expect(
      threadOf(reduce(withDraft, event("draft.deleted", 21, { draft, parent_id: "p1" }))).draft,
    ).toBeUndefined();
  });
  test("a deleted channel removes its threads; deleting a user's messages in a channel empties the replies there (R-MSG-12)", () => {
    const state = loaded(thread("p1", 10), thread("p2", 9, { channel_cid: "messaging:other" }));
    expect(ids(reduce(state, event("channel.deleted", 20)))).toEqual(["p2"]);
    const afterDelete = reduce(
      state,
      event("user.messages.deleted", 20, { user: user("bob"), hard_delete: true }),
    );
    expect(threadOf(afterDelete).latest_replies[0]).toMatchObject({
      type: "deleted",
      text: "",
      deleted_at: at(20),
    });
    expect(threadOf(afterDelete, "p2").latest_replies[0]!.type).toBe("reply");
  });
  test("deleting a user's messages in the whole app empties replies and parents in every channel, and nobody else's (R-MSG-12)", () => {
    const written = (state: ThreadsState): string[][] =>
      ["p1", "p2"].map((id) => {
        const { parent_message, latest_replies } = threadOf(state, id);
        return [parent_message!, ...latest_replies].map(({ text, type }) => `${type} ${text}`.trim());
      });
    const of = (id: string, author: string, cid: string): Thread => {
      const parent_message = msg(1, { id, cid, user: user(author), text: "parent" });
      const replies = ["bob", "eve"].map((who, n) => reply(id, 5 + n, who, { cid, text: `from ${who}` }));
      return thread(id, 6, { channel_cid: cid, parent_message, latest_replies: replies });
    };
    const state = loaded(of("p1", "bob", CID), of("p2", "eve", "messaging:other"));
    const deleted = (more: Record<string, unknown>): ThreadsState =>
      reduce(state, event("user.messages.deleted", 20, { user: user("bob"), ...more }));
    const everywhere = [
      ["deleted", "deleted", "reply from eve"],
      ["regular parent", "deleted", "reply from eve"],
    ];
    expect(written(deleted({ cid: undefined }))).toEqual(everywhere);
    expect(written(deleted({ cid: undefined, hard_delete: true }))).toEqual(everywhere);
    expect(written(deleted({}))).toEqual([everywhere[0], written(state)[1]]);
    expect(deleted({ cid: undefined, user: user("nobody") })).toBe(state);
  });
  test.each([
    [{}, false],
    [{ mark_messages_deleted: true }, true],
    [{ hard_delete: true }, true],
  ])("user.deleted with %j empties the user's replies: %s (R-MSG-12)", (flags, empties) => {
    const state = loaded(thread("p1", 10), thread("p2", 9, { channel_cid: "messaging:other" }));
    const gone = { id: "bob", role: "user", deleted_at: at(20) };
    const after = reduce(state, event("user.deleted", 20, { cid: undefined, user: gone, ...flags }));
    for (const id of ["p1", "p2"]) {
      const [left] = threadOf(after, id).latest_replies;
      if (empties) expect(left).toMatchObject({ type: "deleted", text: "", deleted_at: at(20), user: gone });
      else expect(left).toBe(threadOf(state, id).latest_replies[0]);
    }
  });
  test("deleting a user's messages lowers the counts by the user's replies, unread ones also as unread, and a second time by none (R-MSG-12)", () => {
    const replies = [
      reply("p1", 9, "bob"),
      reply("p1", 11, "bob"),
      reply("p1", 12, "eve"),
      reply("p1", 13, "bob"),
    ];
    const read = [{ user: user("ada"), last_read: at(10), unread_messages: 3 }];
    const state = loaded(thread("p1", 13, { latest_replies: replies, reply_count: 4, read }));
    const deletion = event("user.messages.deleted", 20, { user: user("bob") });
    const once = reduce(state, deletion);
    expect(threadOf(once)).toMatchObject({ reply_count: 1, unread: 1 });
    const again = { ...deletion, hard_delete: true };
    expect(threadOf(reduce(once, deletion, again))).toMatchObject({ reply_count: 1, unread: 1 });
    const own = event("user.messages.deleted", 20, { user: user("ada") });
    const withOwn = loaded(
      thread("p1", 13, { latest_replies: [reply("p1", 12, "ada")], reply_count: 4, read }),
    );
    expect(threadOf(reduce(withOwn, own))).toMatchObject({ reply_count: 3, unread: 3 });
  });
  test("deleting a user's messages empties the quotes of them in parents and replies of others, and no other quotes (R-MSG-12)", () => {
    const quoting = (who: string): Partial<Message> => ({
      quoted_message_id: "q",
      quoted_message: msg(1, { id: "q", user: user(who), text: `quoted ${who}` }),
    });
    const state = loaded(
      thread("p1", 10, {
        parent_message: msg(1, { id: "p1", user: user("eve"), ...quoting("bob") }),
        latest_replies: [reply("p1", 9, "eve", quoting("bob")), reply("p1", 10, "eve", quoting("eve"))],
      }),
    );
    const after = reduce(state, event("user.messages.deleted", 20, { user: user("bob") }));
    const { parent_message, latest_replies } = threadOf(after);
    expect(
      [parent_message!, ...latest_replies].map((each) => [each.type, each.quoted_message!.text]),
    ).toEqual([
      ["regular", ""],
      ["reply", ""],
      ["reply", "quoted eve"],
    ]);
  });
  test("a title that repeats the first message is none, so it does not outlive the deletion or change of that message", () => {
    const parent_message = msg(1, { id: "p1", text: "the secret plan" });
    const deleted = { ...parent_message, type: "deleted" as const, text: "", updated_at: at(50) };
    const edited = { ...parent_message, text: "no plan", updated_at: at(50) };
    const titleAfter = (title: string | undefined, ...events: AnyEvent[]): string | undefined =>
      threadOf(
        reduce(
          loaded(thread("p1", 10, { parent_message, ...(title !== undefined && { title }) })),
          ...events,
        ),
      ).title;
    const update = event("thread.updated", 40, {
      thread: thread("p1", 40, { parent_message, title: "the secret plan" }),
    });
    const changes = [
      isNew(deleted, "message.deleted"),
      isNew(edited, "message.updated"),
      event("user.messages.deleted", 60, { user: parent_message.user }),
      event("user.deleted", 60, { user: parent_message.user, hard_delete: true, cid: undefined }),
    ];
    for (const change of changes) {
      for (const repeated of ["the secret plan", "the secret", undefined]) {
        expect(titleAfter(repeated, change)).toBeUndefined();
        expect(titleAfter(repeated, update, change)).toBeUndefined();
      }
      expect(titleAfter("Plans", change)).toBe("Plans");
    }
  });
});
