/** Saving messages for later by key: without a time, after an offset, at a typed time; and opening due reminders. */
import { afterEach, describe, expect, test } from "vitest";
import { timeChoices } from "../../../../src/tui/views/lists/reminders.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { topPanel } from "../../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { EPOCH, message, messageSet } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";
import { listWorkspace } from "../../../support/user-lists.ts";

const GENERAL = "messaging:general";
const NOW = EPOCH + 86_400_000;
const calls = (m: ScreenDriver): unknown[] => m.asked("call").map(([, ...rest]) => rest);
const labels = (m: ScreenDriver): string[] => choicesOf(topPopup(m.screen), m.model).map((c) => c.label);

describe("R asks when", () => {
  test("RE-9: the offsets and someday are offered, and the choice is sent to the provider", async () => {
    const m = new ScreenDriver(listWorkspace());
    await m.press("esc", "R");
    expect(labels(m)).toEqual([
      "in 2 min",
      "in 15 min",
      "in 30 min",
      "in 1 h",
      "in 4 h",
      "in 1 d",
      "someday",
    ]);
    await m.press("down", "enter");
    expect(calls(m)).toEqual([
      ["createReminder", { path: { id: "m1" }, body: { remind_at: "2026-11-18T09:15:00.000Z" } }],
    ]);
    expect(m.told()).toEqual(["reminder at 09:15"]);
  });
  test("a typed time is understood as everywhere; a past or invalid one offers nothing", () => {
    const offered = (query: string): string[] =>
      timeChoices(query, NOW, true).map(({ label, at }) =>
        at === undefined ? label : new Date(at).toISOString(),
      );
    expect(offered("2h")).toEqual(["2026-11-18T11:00:00.000Z"]);
    expect(offered("18:30")).toEqual(["2026-11-18T18:30:00.000Z"]);
    expect(offered("tomorrow")).toEqual(["2026-11-19T00:00:00.000Z"]);
    expect(offered("some")).toEqual(["someday"]);
    // A time of day that has passed means tomorrow.
    expect(offered("8:30 am")).toEqual(["2026-11-19T08:30:00.000Z"]);
    for (const query of ["today 08:30", "yesterday", "2026-11-01", "soon"])
      expect(offered(query)).toEqual([]);
  });
  test("in Later it changes the reminder under the cursor", async () => {
    const m = new ScreenDriver(listWorkspace());
    await m.press("A-r", "R");
    await m.type("2h\r");
    expect(calls(m).slice(-1)).toEqual([
      ["updateReminder", { path: { id: "m1" }, body: { remind_at: "2026-11-18T11:00:00.000Z" } }],
    ]);
  });
});

describe("s saves a message without a time", () => {
  test("and can be undone", async () => {
    const m = new ScreenDriver(listWorkspace());
    await m.press("esc", "s", "C-_");
    expect(calls(m)).toEqual([
      ["createReminder", { path: { id: "m1" }, body: {} }],
      ["deleteReminder", { path: { id: "m1" } }],
    ]);
  });
  test("again removes it, but not a reminder with a time, which is named", async () => {
    const held = { channel_cid: GENERAL, user_id: "me", message_id: "m1", created_at: "", updated_at: "" };
    for (const [remind_at, asked, told] of [
      [null, [["deleteReminder", { path: { id: "m1" } }]], "removed from Later"],
      ["2026-11-20T09:00:00Z", [], "Already in Later, for Fri 09:00"],
    ] as const) {
      const core = listWorkspace();
      const savedMessage = message("m1", "ana", "x", { reminder: { ...held, remind_at } });
      core.changeChannel(GENERAL, (entry) => ({ ...entry, sets: [messageSet([savedMessage])] }));
      const m = new ScreenDriver(core);
      await m.press("esc", "s");
      expect(calls(m)).toEqual(asked);
      expect(m.told().at(-1)).toContain(told);
    }
  });
});

describe("a notice about a due reminder", () => {
  const open: Mounted[] = [];
  afterEach(() => {
    for (const m of open.splice(0)) m.unmount();
  });
  async function due(): Promise<Mounted> {
    const core = listWorkspace();
    await core.reminders.load();
    const m = await mount(core, { columns: 100, rows: 20, readOn: "manual", open: "messaging:ops" });
    open.push(m);
    const [reminder] = core.reminders.state().items;
    core.hear({ type: "notification.reminder_due", message_id: "m1", reminder });
    await m.settle();
    return m;
  }
  test("names its key, which opens the message and closes the notice", async () => {
    const m = await due();
    expect(m.text()).toContain("A reminder is due: keep m1 · Alt-O opens it");
    await m.press("A-o");
    expect([m.screen.cid, m.selected()?.id]).toEqual([GENERAL, "m1"]);
    expect(m.core.calls("dismiss")).toEqual([["n0"]]);
  });
  test("opens the message on a click too", async () => {
    const m = await due();
    await m.click(90, 1);
    expect([m.screen.cid, m.selected()?.id]).toEqual([GENERAL, "m1"]);
  });
  test("is opened by the key before those of reminders that were due earlier", async () => {
    const m = await due();
    const [, second] = m.core.reminders.state().items;
    m.core.hear({ type: "notification.reminder_due", message_id: "k2", reminder: second });
    await m.settle();
    await m.press("A-o");
    expect(m.core.calls("dismiss")).toEqual([["n1"]]);
  });
  test("is not needed for the key, which then opens Later", async () => {
    const m = await mount(listWorkspace(), { readOn: "manual" });
    open.push(m);
    await m.press("A-o");
    expect(topPanel(m.screen)).toMatchObject({ name: "later" });
  });
  test("is the only kind that a click opens; others are closed", async () => {
    const m = await mount(listWorkspace(), { columns: 100, rows: 20, readOn: "manual" });
    open.push(m);
    m.core.notify({ level: "info", text: "something happened" });
    await m.settle();
    await m.click(95, 1);
    expect(m.core.calls("dismiss")).toEqual([["n0"]]);
    expect([m.screen.cid, m.screen.panels]).toEqual([GENERAL, []]);
  });
});
