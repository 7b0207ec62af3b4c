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
import { at, channel, CID, event, msg, quiet, subject, user } from "../state/world.ts";

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
const told = (state: ThreadsState, ...events: AnyEvent[]): ThreadsState =>
  events.reduce((held, each) => nextThreads(held, each, facts), state);
const isNew = (message: Message, type = "message.new", more: Record<string, unknown> = {}): AnyEvent =>
  event(type, 500, { message, user: message.user, ...more });
const ids = (state: ThreadsState): string[] => state.threads.map((each) => each.parent_message_id);
const one = (state: ThreadsState, id = "p1") => state.threads.find((each) => each.parent_message_id === id)!;

describe("pages", () => {
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
      log: quiet,
      state: machine.state,
      userId: () => "ada",
      now: () => clock.now(),
    });
    return { threads, calls, answers, clock, machine };
  }

  test("R-THREAD-1: the list asks for 10, 10 and 3, one thread for 100 and 3", async () => {
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
  test("an event that comes while a page is asked for is not lost", async () => {
    const l = list();
    const gate = Promise.withResolvers<unknown>();
    l.answers.push(gate.promise);
    const loading = l.threads.load();
    l.threads.onEvent(isNew(reply("p1", 20)));
    gate.resolve({ threads: [thread("p1", 10)] });
    await loading;
    expect(one(l.threads.state())).toMatchObject({ reply_count: 3, unread: 1 });
  });
  test("a page that fails says why and leaves what is held", async () => {
    const l = list();
    l.answers.push({ threads: [thread("p1", 10)], next: "n" }, new Error("no answer"));
    await l.threads.load();
    await expect(l.threads.more()).rejects.toThrow("no answer");
    expect(l.threads.state()).toMatchObject({ loading: false, error: "no answer", next: "n" });
    expect(ids(l.threads.state())).toEqual(["p1"]);
  });
  test("of what a first page does not name a hundred stay, the newest, when its next page has the others", () => {
    const many = Array.from({ length: 150 }, (_, n) => thread(`p${n}`, n + 3));
    const again = withPage(
      loaded(...many),
      { threads: [thread("new", 900)], next: "more", first: true },
      "ada",
    );
    expect(ids(again)).toEqual(["new", ...Array.from({ length: 100 }, (_, n) => `p${149 - n}`)]);
    const whole = withPage(loaded(...many), { threads: [thread("new", 900)], first: true }, "ada");
    expect(whole.threads).toHaveLength(151);
  });
  test("the channel of a thread is held with the channels, not once more with each thread", () => {
    const held = one(loaded(thread("p1", 5, { channel: channel().channel as never })));
    expect(held).toMatchObject({ channel_cid: CID });
    expect(held).not.toHaveProperty("channel");
  });
  test("a reconnect loads the first page anew; what it does not name is stale and stays (specification/threads.md §7)", async () => {
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
    expect(one(l.threads.state()).stale).toBeUndefined();
    l.threads.reset();
    expect(l.threads.state()).toEqual(NO_THREADS);
  });
  test("R-THREAD-3: at its end on screen it is read, at most one call in 1000", async () => {
    const l = list();
    l.answers.push({
      threads: [thread("p1", 10, { read: [{ user: user("ada"), last_read: at(1), unread_messages: 2 }] })],
    });
    await l.threads.load();
    l.threads.seen({ cid: CID, parentId: "nobody" });
    l.threads.seen({ cid: CID, parentId: "p1" });
    expect(one(l.threads.state()).unread).toBe(0);
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
  test("a mark by hand that is refused leaves the thread unread", async () => {
    const l = list();
    const read = [{ user: user("ada"), last_read: at(1), unread_messages: 2 }];
    l.answers.push({ threads: [thread("p1", 10, { read })] }, new Error("refused"), {});
    await l.threads.load();
    const place = { cid: CID, parentId: "p1" };
    await expect(l.threads.markRead(place)).rejects.toThrow("refused");
    expect(one(l.threads.state()).unread).toBe(2);
    await l.threads.markRead(place);
    expect(one(l.threads.state()).unread).toBe(0);
  });
  test("a mark that waits for its second is not made when the thread was marked unread meanwhile", async () => {
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
  test("R-THREAD-3: a thread that is not in the list is marked once for each newest foreign reply", async () => {
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
  test("TH-10: a thread outside the list that was kept unread is read again when it is seen again", async () => {
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
  test("R-THREAD-2: an update goes out and its answer is held", async () => {
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
    expect(one(l.threads.state())).toMatchObject({ title: "Tea", latest_replies: [{ id: "p1-r10" }] });
  });
});

describe("R-THREAD-2: refused before any request", () => {
  const update =
    (body: object, id = "p1") =>
    (): void =>
      validateCall("updateThreadPartial", { path: { message_id: id }, body } as never);
  test("TH-2: reserved fields, in the order given, in set and unset, paths into them too", () => {
    expect(update({ set: { reply_count: 1, title: "x", read: [] } })).toThrow(
      "reserved thread field(s) cannot be set: reply_count, read",
    );
    expect(update({ unset: ["mood", "cid"] })).toThrow("reserved thread field(s) cannot be set: cid");
    expect(update({ set: { "channel.name": "x" }, unset: ["user_id"] })).toThrow(
      "reserved thread field(s) cannot be set: channel.name, user_id",
    );
  });
  test("TH-3, TH-4: nothing to update, no id", () => {
    expect(update({})).toThrow("Nothing to update");
    expect(update({ set: {}, unset: [] })).toThrow("Nothing to update");
    expect(update({ set: { title: "x" } }, " ")).toThrow("a message id is required for an update");
  });
  test("TH-1: a title and custom keys may be set and removed", () => {
    expect(update({ set: { title: "x", "mood.today": "calm" }, unset: ["colour"] })).not.toThrow();
  });
});

describe("events", () => {
  test("R-THREAD-3: +1 per foreign reply, not for own, silent or muted ones", () => {
    const state = told(
      loaded(thread("p1", 10)),
      isNew(reply("p1", 11)),
      isNew(reply("p1", 12, "bob", { silent: true })),
      isNew(reply("p1", 13, "muted")),
    );
    expect(one(state)).toMatchObject({
      unread: 1,
      reply_count: 5,
      last_message_at: at(13),
      participant_count: 2,
    });
    expect(one(told(state, isNew(reply("p1", 14, "ada")))).unread).toBe(0);
  });
  test("both events feed the same update, the id guards against doing it twice (specification/threads.md §7)", () => {
    const r = reply("p1", 20, "cy");
    const state = told(
      loaded(thread("p1", 10)),
      isNew(r),
      isNew(r, "notification.thread_message_new", { thread_id: "p1" }),
    );
    expect(one(state)).toMatchObject({ reply_count: 3, unread: 1, participant_count: 2 });
    expect(one(state).latest_replies.map(({ id }) => id)).toEqual(["p1-r10", "p1-r20"]);
    // A reply that the page has counted already.
    expect(told(state, isNew(reply("p1", 5)))).toBe(state);
  });
  test("news of a thread that is not held is remembered once, if it is the own user's (specification/threads.md §7)", () => {
    const state = told(
      loaded(thread("p1", 10)),
      isNew(reply("p7", 20), "notification.thread_message_new", { thread_id: "p7" }),
      isNew(reply("p8", 20)),
      isNew(reply("p9", 20), "message.new", { thread_participants: [user("ada")] }),
      isNew(reply("p7", 21), "notification.thread_message_new", { thread_id: "p7" }),
    );
    expect(state.unseen).toEqual(["p7", "p9"]);
    expect(withPage(state, { threads: [thread("p7", 20)], first: true }, "ada").unseen).toEqual([]);
    expect(told(NO_THREADS, isNew(reply("p7", 20), "notification.thread_message_new")).unseen).toEqual([]);
  });
  test("unread ones come first, then by the newest reply, then by id", () => {
    const state = loaded(thread("c", 9), thread("b", 9), thread("a", 12));
    expect(ids(state)).toEqual(["a", "b", "c"]);
    expect(ids(told(state, isNew(reply("c", 10))))).toEqual(["c", "a", "b"]);
  });
  test("R-THREAD-3: 0 on own read, of message.read and of notification.mark_read", () => {
    const unread = told(loaded(thread("p1", 10)), isNew(reply("p1", 11)));
    const by = (who: string): AnyEvent =>
      event("message.read", 600, {
        user: user(who),
        thread: { parent_message_id: "p1" },
        last_read_message_id: "p1-r11",
      });
    expect(one(told(unread, by("ada")))).toMatchObject({ unread: 0 });
    const bob = one(told(unread, by("bob")));
    expect(bob.unread).toBe(1);
    expect(bob.read!.find((read) => read.user.id === "bob")).toMatchObject({
      last_read: at(600),
      last_read_message_id: "p1-r11",
    });
    expect(one(told(unread, event("notification.mark_read", 600, { thread_id: "p1" }))).unread).toBe(0);
    // Reading the channel does not read its threads (TH-12).
    expect(told(unread, event("notification.mark_read", 600))).toBe(unread);
    expect(
      one(told(loaded(thread("p1", 10)), event("notification.mark_unread", 600, { thread_id: "p1" }))).unread,
    ).toBe(1);
  });
  test("updates, reactions and deletes reach replies and the parent; own reactions are kept", () => {
    const own = { type: "like", user_id: "ada" } as never;
    const state = loaded(
      thread("p1", 10, { latest_replies: [reply("p1", 10, "bob", { own_reactions: [own] })] }),
    );
    const edited = reply("p1", 10, "bob", { text: "new", updated_at: at(30) });
    const after = told(
      state,
      isNew(edited, "message.updated"),
      isNew(reply("p1", 10, "bob", { text: "old" }), "reaction.new"),
    );
    expect(one(after).latest_replies[0]).toMatchObject({ text: "new", own_reactions: [own] });
    expect(
      one(told(state, isNew(msg(1, { id: "p1", text: "first", updated_at: at(40) }), "message.updated")))
        .parent_message!.text,
    ).toBe("first");
    const gone = told(
      after,
      isNew({ ...edited, type: "deleted", deleted_at: at(50), updated_at: at(50) }, "message.deleted"),
    );
    expect(one(gone)).toMatchObject({ reply_count: 1, latest_replies: [{ type: "deleted" }] });
    expect(
      one(told(gone, isNew({ ...edited, type: "deleted", updated_at: at(50) }, "message.deleted")))
        .reply_count,
    ).toBe(1);
    const back = told(gone, isNew({ ...edited, type: "reply", updated_at: at(60) }, "message.undeleted"));
    expect(one(back)).toMatchObject({ reply_count: 2, latest_replies: [{ type: "reply" }] });
    expect(one(told(after, isNew(edited, "message.deleted", { hard_delete: true }))).latest_replies).toEqual(
      [],
    );
  });
  test("a deleted unread reply lowers the number, never below 0", () => {
    const r = reply("p1", 20);
    const state = told(
      loaded(thread("p1", 10)),
      isNew(r),
      isNew({ ...r, type: "deleted", updated_at: at(30) }, "message.deleted"),
    );
    expect(one(state)).toMatchObject({ unread: 0, reply_count: 2 });
  });
  test("a deleted parent: soft keeps the thread with deleted_at, hard drops it", () => {
    const state = loaded(thread("p1", 10));
    const parent = msg(1, { id: "p1", type: "deleted", deleted_at: at(70), updated_at: at(70) });
    expect(one(told(state, isNew(parent, "message.deleted")))).toMatchObject({ deleted_at: at(70) });
    expect(ids(told(state, isNew(parent, "message.deleted", { hard_delete: true })))).toEqual([]);
  });
  test("thread.updated changes title and custom keys, older ones nothing; drafts come and go", () => {
    const state = loaded(thread("p1", 10, { title: "Old" }));
    const update = (seconds: number, title: string): AnyEvent =>
      event("thread.updated", seconds, {
        thread: { ...thread("p1", seconds, { title }), latest_replies: undefined, read: undefined },
      });
    expect(one(told(state, update(20, "New"), update(5, "Older")))).toMatchObject({
      title: "New",
      latest_replies: [{ id: "p1-r10" }],
    });
    const draft = { channel_cid: CID, parent_id: "p1", created_at: at(1), message: { id: "d", text: "re" } };
    const written = told(state, event("draft.updated", 20, { draft, parent_id: "p1" }));
    expect(one(written).draft).toEqual(draft);
    expect(one(told(written, event("draft.deleted", 21, { draft, parent_id: "p1" }))).draft).toBeUndefined();
  });
  test("a lost channel takes its threads, a user whose messages go loses his replies (R-MSG-12)", () => {
    const state = loaded(thread("p1", 10), thread("p2", 9, { channel_cid: "messaging:other" }));
    expect(ids(told(state, event("channel.deleted", 20)))).toEqual(["p2"]);
    const gone = told(state, event("user.messages.deleted", 20, { user: user("bob"), hard_delete: true }));
    expect(one(gone).latest_replies[0]).toMatchObject({ type: "deleted", text: "", deleted_at: at(20) });
    expect(one(gone, "p2").latest_replies[0]!.type).toBe("reply");
  });
});
