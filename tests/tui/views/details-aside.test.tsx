/** The details of a channel that a wide screen shows unasked (specification/screen.md §1). */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { detailsPanel } from "../../../src/tui/screen/screen.ts";
import { details } from "../../../src/tui/views/details/details.ts";
import { plain } from "../../../src/text/width.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

const TITLE = "Details · #general";
const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const coreWithTwoChannels = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", { messages: [message("m1", "ana", "hi"), message("m2", "bo", "there")] }),
      channel("ops"),
    ]),
  );

async function show(columns = 160, core = coreWithTwoChannels(), rows = 40): Promise<Mounted> {
  const m = await mount(core, { columns, rows });
  open.push(m);
  return m;
}

test("from 160 columns the details of the open channel stand beside its messages, below that they do not", async () => {
  const m = await show(159);
  expect(m.text()).not.toContain(TITLE);
  await m.resize(160, 40);
  expect(m.text()).toContain(TITLE);
  expect(m.text()).toContain("there");
  await m.resize(160, 11);
  expect(m.text()).not.toContain(TITLE);
});

test("they take no keys: Esc browses the messages, Tab passes them by", async () => {
  const m = await show();
  await m.press("esc");
  expect(m.screen.focus).toBe("messages");
  await m.press("tab", "tab");
  expect([m.screen.focus, m.screen.panels]).toEqual(["composer", []]);
  expect(m.text()).toContain(TITLE);
});

test("an opened panel takes their place and gives it back", async () => {
  const m = await show();
  await m.press("A-i");
  expect(m.text()).not.toContain(TITLE);
  await m.press("esc", "esc");
  expect(m.text()).toContain(TITLE);
});

test("closed by hand they stay closed, beside other channels and after the next start, until they are opened", async () => {
  const core = coreWithTwoChannels();
  const m = await show(160, core);
  await m.press("C-t");
  expect(m.text()).not.toContain("Details ·");
  m.open("messaging:ops");
  await m.settle();
  expect(m.text()).not.toContain("Details ·");
  const later = await show(160, core);
  expect(later.text()).not.toContain("Details ·");
  await later.press("C-t");
  expect(later.text()).toContain("Details ·");
});

test("a click opens them like any panel, and Esc then closes them by hand", async () => {
  const m = await show();
  await m.click(150, 10);
  expect(m.screen.panels.map(({ name }) => name)).toEqual(["details"]);
  await m.press("esc");
  expect([m.screen.panels, m.screen.detailsClosed]).toEqual([[], true]);
});

test("the wheel opens them too, so that they stay where they were turned to", async () => {
  const m = await show();
  await m.wheel(150, 10, true);
  expect(m.screen.panels.map(({ name }) => name)).toEqual(["details"]);
});

test("names of fields take twelve cells from a width of 32 on, and nine in a narrower panel", () => {
  const state = stateOf([channel("general")]);
  const panel = detailsPanel("messaging:general");
  const context = { now: 0, utc: true, theme: makeTheme(0) } as never;
  const row = (width: number): string =>
    plain(details.rows({ state, panel, entry: state.channels.get(panel.cid)!, width, context })[0]!);
  expect([row(31), row(32)]).toEqual([" name      #general", " name         #general"]);
});

const LONG_NAME =
  "A name of ninety letters and more, with Ελληνικά and 日本語, which no title line has room to show whole";

test("a name that every title cuts can be read whole: a channel's in its details, a person's with their message", async () => {
  const ana = { id: "ana", name: LONG_NAME };
  const core = new FakeCore(
    stateOf([
      channel("general", { name: LONG_NAME, messages: [{ ...message("m1", "ana", "hi"), user: ana }] }),
    ]),
  );
  const panelText = (m: Mounted): string =>
    Array.from({ length: 38 }, (_, y) =>
      m
        .line(y + 2)
        .slice(m.line(2).lastIndexOf("│") + 1)
        .trim(),
    )
      .join("")
      .replaceAll(/\s/g, "");
  const whole = LONG_NAME.replaceAll(" ", "");
  const m = await show(120, core);
  await m.press("C-t");
  expect(panelText(m)).toContain(whole);
  await m.press("esc", "C-t", "v");
  expect(panelText(m)).toContain(whole);
});

test("pinned messages are shown as they read, without Markdown, and by their files if there is no text", async () => {
  const pinned = [
    message("p1", "ana", "**read** the `runbook`"),
    message("p2", "bo", "", { attachments: [{ title: "plan.pdf" }] }),
  ];
  const m = await show(160, new FakeCore(stateOf([channel("general", { pinned })])));
  expect(m.text()).toContain("ana: read the runbook");
  expect(m.text()).toContain("bo: plan.pdf");
});
