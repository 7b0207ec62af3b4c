/** The tour for new users: shown at the first visit of the demo, steps ticked off when done, closed and restarted. */
import { afterEach, expect, test } from "vitest";
import { openFirst } from "../../../src/tui/start/first-channel.ts";
import { listenForTourSteps, markTourSteps } from "../../../src/tui/effects/tour.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { tourRow } from "../../../src/tui/views/tour/tour.ts";
import { nextStep } from "../../../src/tui/screen/tour.ts";
import { STEPS } from "../../../src/tui/screen/tour-steps.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
async function show(
  options: MountOptions = {},
  core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })])),
) {
  const m = await mount(core, { columns: 100, rows: 24, ...options });
  open.push(m);
  return m;
}
/** Subscribes the tour to events; the returned function delivers one as the provider would. */
function eventSender(m: Mounted): FakeCore["hear"] {
  listenForTourSteps(m.ports);
  return (event) => m.core.hear(event);
}

test("the first visit to the demo starts it, and a later one or another provider does not", async () => {
  const visit = async (profile: string, stored: Record<string, unknown>): Promise<string | undefined> => {
    const core = new FakeCore(stateOf([channel("welcome")]));
    for (const [key, value] of Object.entries(stored)) core.kept.set(key, value);
    const m = await show({}, core);
    m.change((s) => {
      const next = { ...s };
      delete next.cid;
      return next;
    });
    core.kept.delete("channel");
    if (stored.channel) core.kept.set("channel", stored.channel);
    const ports = { ...m.ports, settings: { ...m.ports.settings, profile } };
    openFirst(ports, undefined);
    return nextStep(m.screen);
  };
  expect(await visit("local", {})).toBe("reply");
  expect(await visit("local", { channel: "messaging:welcome" })).toBeUndefined();
  expect(await visit("work", {})).toBeUndefined();
  expect(await visit("local", { tour: { done: ["reply"], on: false } })).toBeUndefined();
});

test.each([
  [120, "tour 1 of 8 · Reply in a thread: Esc, t on a message, type, Enter · /tour lists all"],
  [100, "tour 1 of 8 · Reply in a thread: Esc, t on a message, type, Enter"],
  [80, "Reply in a thread: Esc, t on a message, type, Enter"],
  [50, "Reply in a thread · /tour says how"],
])("in %d columns the keys are never left out", async (columns, row) => {
  const m = await show({ columns });
  await m.type("/tour\r");
  await m.press("esc");
  expect(m.text()).toContain(row);
});

test("a line above the messages shows the next step with its keys, and a click shows all steps", async () => {
  const m = await show();
  expect(m.text()).not.toContain("tour 1 of 8");
  await m.type("/tour\r");
  await m.press("esc");
  expect(m.line(1)).toContain("tour 1 of 8 · Reply in a thread: Esc, t on a message, type, Enter");
  await m.click(40, 1);
  expect(m.text().replace(/ +$/gm, "")).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                                                  ● online   work
     Inbox              │ tour 1 of 8 · Reply in a thread: Esc, t on a message, type, Enter
     Th
     La ╭─ Tour ───────────────────────────────────────────────────────────────────────── 1 of 10 ─╮
     Dr │  ›                                                                                       │
        ├──────────────────────────────────────────────────────────────────────────────────────────┤
     ▾  │▌ ○ Reply in a thread  Esc, t on a message, type, Enter                                   │
    ▌   │  ○ React  Esc, + on a message, type an emoji, Enter                                      │
        │  ○ Vote in a poll  /poll creates one; on a poll Esc, 1 twice                             │
        │  ○ Search  Ctrl-F, then type a word                                                      │
        │  ○ Attach a file  Ctrl-O, choose one, Enter                                              │
        │  ○ Save for later  Esc, s on a message                                                   │
        │  ○ Change the colours  /theme, choose one, Enter                                         │
        │  ○ Quit  Ctrl-C twice, or /quit                                                          │
        │  Start over                                                                              │
        │  End the tour                                                                            │
        ╰──────────────────────────────────────────────────────────────────────────────────────────╯

                        │ ── Tue 17 Nov ───────────────────────────────────────────────────────────────
                        │ 09:00  ana             hi
                        │
    ────────────────────┴───────────────────────────────────────────────────────────────────────────────
     › message #general
     CHOOSE  ⏎ choose  Esc close  ↑↓ move  type to search"
  `);
});

test("without the demo's guide no step asks to write to it", async () => {
  const m = await show();
  await m.type("/tour\r");
  await m.press("esc");
  m.change((s) => ({ ...s, tour: { done: ["reply", "react"], on: true } }));
  await m.settle();
  expect(m.line(1)).toContain("Vote in a poll: /poll creates one; on a poll Esc, 1");
  const demo = { keys: KEY_TABLES.default, settings: { profile: "local" } };
  const row = tourRow({ done: ["reply", "react"], on: true }, demo, makeTheme(0), 100);
  expect(row).toContain("Vote in a poll: send “poll”, and when it appears Esc, 1");
});

test("where the attach key means something else while browsing, the step says so", () => {
  const before = { done: STEPS.slice(0, STEPS.indexOf("attach")), on: true };
  const rowOf = (keys: keyof typeof KEY_TABLES): string =>
    tourRow(before, { keys: KEY_TABLES[keys], settings: { profile: "local" } }, makeTheme(0), 100);
  expect(rowOf("vim")).toContain("Attach a file: Ctrl-O while writing, choose one, Enter");
  expect(rowOf("default")).toContain("Attach a file: Ctrl-O, choose one, Enter");
  expect(rowOf("emacs")).toContain("Attach a file: Ctrl-X Ctrl-F, choose one, Enter");
});

test("steps are ticked once when the user did them, in any order", async () => {
  const m = await show();
  const sendEvent = eventSender(m);
  await m.type("/tour\r");
  await m.press("esc");
  sendEvent({ type: "reaction.new", user: { id: "ana" } });
  expect(m.screen.tour?.done).toEqual([]);
  const mine = { id: "me" };
  sendEvent({ type: "reaction.new", user: mine });
  sendEvent({ type: "reaction.new", user: mine });
  sendEvent({ type: "message.new", message: { user: mine } });
  sendEvent({ type: "message.new", message: { user: mine, parent_id: "m1" } });
  sendEvent({ type: "poll.vote_casted", poll_vote: { user: mine } });
  sendEvent({ type: "reminder.created", user_id: "me" });
  expect(m.screen.tour?.done).toEqual(["react", "reply", "vote", "save"]);
  await m.press("C-f");
  markTourSteps(m.ports, m.ports.store.get());
  expect(nextStep(m.screen)).toBe("search");
  await m.type("tea");
  markTourSteps(m.ports, m.ports.store.get());
  expect(nextStep(m.screen)).toBe("attach");
  expect(m.core.kept.get("tour")).toEqual({ done: ["react", "reply", "vote", "save", "search"], on: true });
});

test("a vote in a single-choice poll ticks its step", async () => {
  const m = await show();
  const sendEvent = eventSender(m);
  await m.type("/tour\r");
  sendEvent({ type: "poll.vote_changed", poll_vote: { user: { id: "ana" } } });
  expect(m.screen.tour?.done).toEqual([]);
  sendEvent({ type: "poll.vote_changed", poll_vote: { user: { id: "me" } } });
  expect(m.screen.tour?.done).toEqual(["vote"]);
});

test("the last step ends it; it can be ended earlier and restarted", async () => {
  const m = await show();
  await m.type("/tour\r");
  await m.press("esc");
  m.change((s) => ({ ...s, tour: { done: STEPS.filter((step) => step !== "leave"), on: true } }));
  await m.type("/quit\r");
  expect(m.core.kept.get("tour")).toEqual({ done: [...STEPS], on: false });
  await m.type("/tour\r");
  expect(m.screen.tour).toEqual({ done: [], on: true });
  await m.press("esc");
  await m.type("/tour off\r");
  expect(m.screen.tour?.on).toBe(false);
  expect(m.text()).not.toContain("tour 1 of 8");
});
