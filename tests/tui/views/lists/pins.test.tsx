/** Pinned messages: the line above the messages, moving in the list and unpinning, and returning from it. */
import { afterEach, expect, test } from "vitest";
import { selectedEntry } from "../../../support/user-lists.ts";
import { topPanel } from "../../../../src/tui/screen/screen.ts";
import { FakeCore, channel, message, stateOf, thread, user } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const GENERAL = "messaging:general";
const pinned = (id: string, from: string, text: string, more = {}) =>
  message(id, from, text, { pinned: true, pinned_by: user("bo"), ...more });
const old = pinned("m1", "ana", "the **runbook** is in the wiki");
const reply = pinned("r1", "cy", "ask in #ops first", { parent_id: "m2", minute: 2 });

function workspace(pins = [reply, old]): FakeCore {
  const messages = [
    old,
    message("m2", "bo", "who knows?", { minute: 1, reply_count: 1 }),
    message("m3", "ana", "three", { minute: 3 }),
  ];
  return new FakeCore(
    stateOf([
      channel("general", { messages, pinned: pins, threads: new Map([["m2", thread("m2", [reply])]]) }),
      channel("ops"),
    ]),
  );
}
const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
async function show(options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(workspace(), { columns: 80, rows: 18, readOn: "manual", ...options });
  open.push(m);
  return m;
}

test("a line above the messages names the newest pin, unless there is too little room", async () => {
  const m = await show();
  expect(m.line(1)).toContain("pinned · 1 of 2 · cy: ask in #ops first");
  const small = await show({ columns: 50, rows: 12 });
  expect(small.text()).not.toContain("1 of 2");
  const none = await mount(workspace([]), { columns: 80, rows: 18 });
  open.push(none);
  expect(none.text()).not.toContain("pinned ·");
});

test("a click on it opens the list, whose entries say who pinned them", async () => {
  const m = await show({ columns: 120 });
  await m.click(40, 1);
  expect(m.text().replace(/ +$/gm, "")).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching · 2 pinned                                                           ● online   work
     Inbox                  │ pinned · 1 of 2 · cy: ask in #ops first           │ Pinned messages · 2         1 of 2  Esc ×
     Threads                │                                                   │▌cy · thread      pinned by bo · Tue 09:02
     Later                  │                                                   │▌ask in #ops first
     Drafts                 │ the beginning of this channel                     │ ana              pinned by bo · Tue 09:00
                            │                                                   │ the runbook is in the wiki
     ▾ Channels             │ ── Tue 17 Nov ─────────────────────────────────── │
    ▌  #general             │ ana  09:00                                        │
       #ops                 │   the runbook is in the wiki (pinned by bo)       │
                            │ bo  09:01                                         │
                            │   who knows?                                      │
                            │   1 reply ›                                       │
                            │ ana  09:03                                        │
                            │   three                                           │
                            │                                                   │
    ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
     › message #general
     VIEW  ⏎ open  x unpin  r answer  R remind  Esc close  ? help"
  `);
  expect(m.screen.focus).toBe("panel");
});

test.each([
  ["default", ["esc", "P"]],
  ["vim", ["esc", "P"]],
  ["emacs", ["C-x", "p"]],
] as const)(
  "%s: its key opens the list, Enter opens a message and Backspace returns",
  async (keys, chords) => {
    const m = new ScreenDriver(workspace(), { keys, columns: 120 });
    await m.press(...chords);
    expect(topPanel(m.screen)).toMatchObject({ name: "pins" });
    await m.press("down", "enter");
    expect([m.selected()?.id, m.screen.focus]).toEqual(["m1", "messages"]);
    await m.press("backspace");
    expect([m.screen.focus, selectedEntry(m)?.key]).toEqual(["panel", "m1"]);
  },
);

test("a pinned reply opens its thread", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("esc", "P", "enter");
  expect(topPanel(m.screen)).toMatchObject({ name: "thread", key: "m2" });
});

test("x unpins a message and can be undone; where it is not allowed, that is said", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("esc", "P", "x");
  expect(m.asked("pin")).toEqual([["pin", "r1", false]]);
  expect(m.told()).toEqual(["unpinned · Ctrl-_ to undo"]);
  await m.press("C-_");
  expect(m.asked("pin").at(-1)).toEqual(["pin", "r1", true]);
  const core = workspace();
  core.changeChannel(GENERAL, (entry) => ({
    ...entry,
    channel: { ...entry.channel, own_capabilities: ["send-message"] },
  }));
  const other = new ScreenDriver(core);
  await other.press("esc", "P", "x");
  expect(other.asked("pin")).toEqual([]);
  expect(other.told().at(-1)).toContain("does not allow");
});

test("/pins opens the list, and an empty one explains how to pin", async () => {
  const m = await mount(workspace([]), { columns: 80, rows: 18 });
  open.push(m);
  await m.type("/pins\r");
  expect(m.text()).toContain("No pinned messages in this channel.");
});
