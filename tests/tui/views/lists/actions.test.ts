/** What keys and the mouse do in Inbox, Threads, Later and Drafts. */
import { describe, expect, test } from "vitest";
import { draftList } from "../../../../src/tui/views/lists/drafts.ts";
import { listCounts } from "../../../../src/tui/views/lists/lists.ts";
import { topPanel } from "../../../../src/tui/screen/screen.ts";
import { ScreenDriver, type ScreenDriverOptions } from "../../../support/screen-driver.ts";
import { listWorkspace, selectedEntry } from "../../../support/user-lists.ts";

const GENERAL = "messaging:general";
const OPS = "messaging:ops";
async function at(
  key: string,
  options: ScreenDriverOptions = {},
  core = listWorkspace(),
): Promise<ScreenDriver> {
  const m = new ScreenDriver(core, options);
  await m.press(key);
  return m;
}
const cursor = (m: ScreenDriver): string | undefined => selectedEntry(m)?.key;

describe("moving", () => {
  test.each([
    ["default", ["j", "j", "j", "k", "g", "G", "home", "end", "pageup", "pagedown"]],
    ["vim", ["j", "j", "j", "k", "g g", "G", "home", "end", "C-b", "C-f"]],
    ["emacs", ["C-n", "n", "down", "C-p", "A-<", "A->", "home", "end", "A-v", "C-v"]],
  ] as const)("%s: lines, ends and pages, which hold at the ends", async (keys, chords) => {
    const m = await at("A-t", { keys });
    const seen = [cursor(m)];
    for (const chord of chords) {
      await m.press(...chord.split(" "));
      seen.push(cursor(m));
    }
    expect(seen).toEqual(["t1", "t2", "t3", "t3", "t2", "t1", "t3", "t1", "t3", "t1", "t3"]);
  });

  test("the reason why a list failed is shown, and Enter retries", async () => {
    const core = listWorkspace();
    const answer = core.answers.get("queryThreads")!;
    core.answers.set("queryThreads", () => {
      throw new Error("the provider is asleep");
    });
    const m = await at("A-t", {}, core);
    expect(m.model.lists.threads).toMatchObject({ loading: false, error: "the provider is asleep" });
    core.answers.set("queryThreads", answer);
    await m.press("enter");
    expect(cursor(m)).toBe("t1");
  });
});

describe("Enter opens", () => {
  test("a thread over the list, and Esc returns to the list with the next entry selected", async () => {
    const m = await at("A-t");
    await m.press("enter");
    expect(topPanel(m.screen)).toMatchObject({ name: "thread", key: "t1" });
    expect(m.screen.focus).toBe("panel");
    await m.press("esc");
    expect([topPanel(m.screen), cursor(m)]).toMatchObject([{ name: "threads" }, "t2"]);
  });
  test("a channel at its first unread message, with the list beside it if there is room", async () => {
    for (const [columns, panels] of [
      [120, [{ name: "inbox" }]],
      [80, []],
    ] as const) {
      const m = await at("A-i", { columns });
      await m.press("enter");
      expect([m.screen.cid, m.screen.focus, m.selected()?.id]).toEqual([OPS, "messages", "o1"]);
      expect(m.screen.panels).toMatchObject(panels);
    }
  });
  test("a channel marked unread elsewhere, and releases its hold on reading (R-READ-6)", async () => {
    const core = listWorkspace();
    core.changeChannel(OPS, (entry) => ({ ...entry, keepsUnread: true }));
    const m = await at("A-i", {}, core);
    await m.press("enter");
    expect(m.asked("endLine")).toEqual([["endLine", OPS]]);
  });
  test("the message of a reminder", async () => {
    const m = await at("A-r");
    await m.press("enter");
    expect([m.screen.cid, m.screen.focus, m.selected()?.id]).toEqual([GENERAL, "messages", "m1"]);
  });
  test("a draft in its box, also of a thread", async () => {
    const m = await at("A-e");
    expect(draftList.entries(m.model).map(({ title }) => title)).toEqual([
      "#ops",
      "#general · thread",
      "#gone",
    ]);
    await m.press("enter");
    expect([m.screen.cid, m.screen.focus, m.text()]).toEqual([OPS, "composer", "for\nops"]);
    await m.press("A-e", "G", "k", "enter");
    expect(topPanel(m.screen)).toMatchObject({ name: "thread", key: "m1" });
    expect([m.screen.focus, m.text()]).toEqual(["composer", "a reply"]);
  });
});

describe("r replies to an entry", () => {
  test.each([
    ["A-t", GENERAL, "t1"],
    ["A-r", GENERAL, "m1"],
    ["A-i", OPS, undefined],
  ])("%s", async (key, cid, parentId) => {
    const m = await at(key);
    await m.press("r");
    expect(m.screen.focus).toBe("composer");
    expect(m.ports.boxes.place).toEqual({ cid, ...(parentId !== undefined && { parentId }) });
  });
});

describe("x finishes an entry, and can be undone", () => {
  test("a channel is marked read, and by undo unread again from the same message", async () => {
    const m = await at("A-i");
    await m.press("x", "C-_");
    expect(m.asked("markRead", "markUnread")).toEqual([
      ["markRead", OPS],
      ["markUnread", OPS, "o1"],
    ]);
  });
  test("a thread is marked read, and the next one is selected", async () => {
    const m = await at("A-t");
    expect(listCounts(m.model).threads).toBe(2);
    await m.press("x");
    expect([cursor(m), listCounts(m.model).threads]).toEqual(["t2", 1]);
    expect(m.told().at(-1)).toContain("1 thread marked read");
  });
  test("a thread that is already read says so, whatever others are unread", async () => {
    const m = await at("A-t");
    await m.press("G", "x");
    expect([listCounts(m.model).threads, m.told()]).toEqual([2, ["This is already read."]]);
  });
  test.each([
    ["A-i", "x"],
    ["A-i", "A"],
    ["A-t", "x"],
    ["A-t", "A"],
  ])(
    "what the provider refuses to mark stays unread, and only the reason is shown: %s %s",
    async (list, key) => {
      const m = await at(list);
      const before = listCounts(m.model);
      m.core.call = () => Promise.reject(new Error("not now"));
      m.core.markRead = () => Promise.reject(new Error("not now"));
      await m.press(key);
      await m.settle();
      expect([listCounts(m.model), m.told()]).toEqual([before, ["not now"]]);
    },
  );
  test("a due reminder is removed, and undone without its past time (RE-2)", async () => {
    const m = await at("A-r");
    expect(listCounts(m.model).later).toBe(1);
    await m.press("x");
    expect(listCounts(m.model).later).toBe(0);
    await m.press("C-_");
    expect(m.asked("call").slice(-1)).toEqual([
      ["call", "createReminder", { path: { id: "m1" }, body: { remind_at: null } }],
    ]);
  });
  test("a future reminder is undone with its time", async () => {
    const m = await at("A-r");
    const soon = m.model.lists.reminders.items.find(
      ({ remind_at: when }) => when != null && Date.parse(when) > m.model.now,
    )!;
    while (!cursor(m)?.includes(soon.message_id)) await m.press("j");
    await m.press("x", "C-_");
    expect(m.asked("call").slice(-1)).toEqual([
      ["call", "createReminder", { path: { id: soon.message_id }, body: { remind_at: soon.remind_at } }],
    ]);
  });
  test("a draft is discarded, and its text returns by undo", async () => {
    const m = await at("A-e");
    await m.press("x");
    expect(m.core.draft({ cid: OPS })).toBeUndefined();
    expect([cursor(m), listCounts(m.model).drafts]).toEqual([`${GENERAL} m1`, 2]);
    await m.press("C-_");
    expect(m.core.draft({ cid: OPS })?.text).toBe("for\nops");
    expect(listCounts(m.model).drafts).toBe(3);
  });
});

describe("A marks everything read", () => {
  test("in the Inbox, and undoes all at once", async () => {
    const m = await at("A-i");
    await m.press("A", "C-_");
    expect(m.asked("markRead")).toEqual([
      ["markRead", OPS],
      ["markRead", "messaging:design"],
    ]);
    expect(m.asked("markUnread")).toEqual([["markUnread", OPS, "o1"]]);
  });
  test("in Threads, and says how many, or that there is nothing unread", async () => {
    const m = await at("A-t");
    await m.press("A");
    expect(listCounts(m.model).threads).toBe(0);
    expect(m.told().at(-1)).toContain("2 threads marked read");
    await m.press("A");
    expect(m.told().at(-1)).toBe("Everything is already read.");
    await m.press("C-_");
    const bodies = m.core.calls("call").flatMap(([name, args]) => (name === "markUnread" ? [args] : []));
    expect(bodies).toMatchObject(["t1", "t2"].map((thread_id) => ({ body: { thread_id } })));
  });
  test("but what is refused, whose reason is shown; undo restores the others", async () => {
    const m = await at("A-i");
    m.core.changeChannel("messaging:design", (entry) => ({ ...entry, firstUnreadId: "d1" }));
    await m.settle();
    const markRead = m.core.markRead.bind(m.core);
    m.core.markRead = (cid) => (cid === OPS ? Promise.reject(new Error("not now")) : markRead(cid));
    await m.press("A");
    expect(m.told().map((text) => text.split(" · ")[0])).toEqual(["1 channel marked read", "not now"]);
    await m.press("C-_");
    expect(m.asked("markUnread")).toEqual([["markUnread", "messaging:design", "d1"]]);
  });
  test("but not in Later and Drafts", async () => {
    const m = await at("A-r");
    await m.press("A");
    expect(m.told()).toEqual(["Only Inbox and Threads can be marked read."]);
  });
});

test.each(["inbox", "threads", "later", "drafts"] as const)("/%s opens the list", async (list) => {
  const m = new ScreenDriver(listWorkspace());
  await m.type(`/${list} `);
  await m.press("enter");
  expect([topPanel(m.screen), m.text()]).toMatchObject([{ name: list }, ""]);
});

test("clicking the channel's title opens its details, and the member count its members", async () => {
  for (const [x, panel] of [
    [4, { name: "details" }],
    [14, { name: "members" }],
  ] as const) {
    const m = new ScreenDriver(listWorkspace());
    await m.click(x, 0);
    expect(topPanel(m.screen)).toMatchObject({ ...panel, cid: GENERAL });
  }
});

describe("the mouse", () => {
  test("a click opens the entry under it, also on its second row, but not on the title", async () => {
    const m = await at("A-t");
    const { x, y } = m.model.layout.panel!;
    await m.click(x + 2, y);
    expect(topPanel(m.screen)).toMatchObject({ name: "threads" });
    await m.click(x + 2, y + 5);
    expect(topPanel(m.screen)).toMatchObject({ name: "thread", key: "t2" });
  });
  test("the wheel moves the cursor", async () => {
    const m = await at("A-t");
    const { x, y } = m.model.layout.panel!;
    await m.wheel(x + 2, y + 5, true);
    expect(cursor(m)).toBe("t2");
    await m.wheel(x + 2, y + 5, false);
    expect(cursor(m)).toBe("t1");
  });
  test("the sidebar's lines open their lists", async () => {
    const m = new ScreenDriver(listWorkspace());
    const { x, y } = m.model.layout.sidebar!;
    for (const [row, list] of ["inbox", "threads", "later", "drafts"].entries()) {
      await m.click(x + 2, y + row);
      expect(topPanel(m.screen)).toMatchObject({ name: list });
    }
  });
});
