/** Channels and threads open at their first unread message, with what was read above it, or at the newest one. */
import { afterEach, expect, test } from "vitest";
import { NO_THREADS, type ThreadsState } from "../../../src/core/lists/threads-state.ts";
import { READ_AFTER } from "../../../src/wire/constants.ts";
import { FakeCore, channel, message, messageSet, stateOf, thread } from "../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const lines = (count: number, prefix = "m") =>
  Array.from({ length: count }, (_, i) => message(`${prefix}${i}`, "ana", `line ${i}.`, { minute: i * 6 }));

const unread = (from: number) => ({
  ...channel("general", { unread: 60 - from, firstUnreadId: `m${from}` }),
  sets: [messageSet(lines(60))],
  watched: true,
});

async function show(core: FakeCore, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, { columns: 100, rows: 24, ...options });
  open.push(m);
  return m;
}

test("a channel opens at its first unread message, with earlier ones above and the number of those below", async () => {
  const m = await show(new FakeCore(stateOf([unread(20)])));
  const text = m.text();
  expect(text).toContain("line 20.");
  expect(text).toContain("line 19.");
  expect(text).toContain("40 new");
  expect(text).toMatch(/↓ \d+ new messages/);
  expect(text).not.toContain("line 59.");
});

test("what is unread and fits on the screen shows the newest message, which stays in sight", async () => {
  const core = new FakeCore(stateOf([unread(57)]));
  const m = await show(core);
  expect(m.text()).toContain("line 59.");
  core.arrive("messaging:general", message("next", "ana", "the next one", { minute: 400 }));
  await m.settle();
  expect(m.text()).toContain("the next one");
});

test("with openAt newest a channel opens at its newest message", async () => {
  const m = await show(new FakeCore(stateOf([unread(20), channel("ops")])), {
    open: "messaging:ops",
    openAt: "newest",
  });
  await m.press("A-a");
  expect(m.screen.cid).toBe("messaging:general");
  expect(m.text()).toContain("line 59.");
});

test("u goes to the first unread message and G to the newest", async () => {
  const m = await show(new FakeCore(stateOf([unread(20)])));
  await m.press("esc", "G");
  expect(m.text()).toContain("line 59.");
  await m.press("u");
  expect(m.selected()?.id).toBe("m20");
});

test("when the first unread message is not loaded, the messages around the last read one are", async () => {
  const entry = unread(0);
  const read = new Map([
    [
      "me",
      {
        user: { id: "me" },
        last_read: "2026-01-01T00:00:00Z",
        last_read_message_id: "old",
        unread_messages: 60,
      },
    ],
  ]);
  const core = new FakeCore(
    stateOf([{ ...entry, read, sets: [messageSet(lines(60), { hasPrev: true })] } as never]),
  );
  const m = await show(core);
  expect(m.core.calls("jumpTo")).toEqual([[{ cid: "messaging:general" }, "old"]]);
});

test.each([
  ["a mark without a message", { last_read: "2026-01-01T00:00:00Z" }, "2026-01-01T00:00:00.000Z"],
  ["no mark at all", undefined, "1970-01-01T00:00:00.000Z"],
])(
  "with %s the first message after its time is looked up, and nothing is read meanwhile",
  async (_, mark, at) => {
    const read = new Map(mark ? [["me", { user: { id: "me" }, unread_messages: 60, ...mark }]] : []);
    const core = new FakeCore(
      stateOf([{ ...unread(0), read, sets: [messageSet(lines(12), { hasPrev: true })] } as never]),
    );
    const found = Promise.withResolvers<object>();
    const asked: unknown[] = [];
    core.answers.set(
      "queryChannel",
      ({ body }: { body: { messages: { created_at_after_or_equal: string } } }) => {
        asked.push(body.messages.created_at_after_or_equal);
        return found.promise;
      },
    );
    const m = await show(core);
    m.pace.tick(2 * READ_AFTER);
    expect(core.calls("seen")).toEqual([]);
    expect(asked).toEqual([at]);
    found.resolve({ messages: [{ id: "first" }] });
    await m.settle();
    expect(core.calls("jumpTo")).toEqual([[{ cid: "messaging:general" }, "first"]]);
  },
);

test("when the last read message is gone, the first one after it is looked up", async () => {
  const mark = { user: { id: "me" }, last_read: "2026-01-01T00:00:00Z", last_read_message_id: "gone" };
  const read = new Map([["me", { ...mark, unread_messages: 60 }]]);
  const core = new FakeCore(
    stateOf([{ ...unread(0), read, sets: [messageSet(lines(12), { hasPrev: true })] } as never]),
  );
  const asked: string[] = [];
  core.jumpTo = async (_, id) => {
    asked.push(id);
    if (id === "gone") throw new Error("Message does not exist");
  };
  core.answers.set("queryChannel", () => ({ messages: [{ id: "first" }] }));
  const m = await show(core);
  await m.settle();
  expect(asked).toEqual(["gone", "first"]);
});

test("when the first unread message is known and not loaded, it is loaded itself", async () => {
  const entry = { ...unread(20), firstUnreadId: "earlier" };
  const core = new FakeCore(
    stateOf([{ ...entry, sets: [messageSet(lines(60), { hasPrev: true })] } as never]),
  );
  const m = await show(core);
  expect(m.core.calls("jumpTo")).toEqual([[{ cid: "messaging:general" }, "earlier"]]);
});

test("what was loaded around the last read message is shown from the first unread one on, and nothing later is read", async () => {
  const mark = { user: { id: "me" }, last_read: "2026-01-01T00:00:00Z", last_read_message_id: "m9" };
  const read = new Map([["me", { ...mark, unread_messages: 50 }]]);
  const all = lines(60);
  const newest = messageSet(all.slice(50), { hasPrev: true });
  const core = new FakeCore(stateOf([{ ...unread(50), unread: 50, read, sets: [newest] } as never]));
  core.jumpTo = async () =>
    core.changeChannel("messaging:general", (entry) => ({
      ...entry,
      firstUnreadId: "m10",
      sets: [messageSet(all)],
    }));
  const m = await show(core);
  m.pace.tick(READ_AFTER);
  await m.settle();
  m.pace.tick(READ_AFTER);
  expect(m.text()).toContain("line 10.");
  expect(m.text()).not.toContain("line 59.");
  expect(core.calls("seen").filter(([, upTo]) => upTo === undefined)).toEqual([]);
});

test("a thread opens at its first unread reply, which has the line and, in the panel, the cursor", async () => {
  const parent = message("p", "ana", "the question", { minute: 1, reply_count: 40 });
  const entry = {
    ...channel("general"),
    sets: [messageSet([parent])],
    watched: true,
    threads: new Map([["p", thread("p", lines(40, "r"))]]),
  };
  const core = new FakeCore(stateOf([entry]));
  const listed = {
    parent_message_id: "p",
    channel_cid: "messaging:general",
    parent_message: parent,
    latest_replies: [],
    unread: 30,
    reply_count: 40,
  };
  const threads = { ...NO_THREADS, threads: [listed], loaded: true } as unknown as ThreadsState;
  Object.defineProperty(core.threads, "state", { value: () => threads });
  const m = await show(core);
  await m.press("esc", "t", "esc");
  expect(m.text()).toContain("30 new");
  expect(m.text()).toContain("line 10.");
  expect(m.text()).not.toContain("line 39.");
  m.pace.tick(READ_AFTER);
  await m.press("G", "u");
  expect(m.selected()?.id).toBe("r10");
});
