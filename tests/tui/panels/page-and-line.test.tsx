/** A page and a panel with a line of text work by their registration alone, as a list does. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readKeys } from "../../../src/tui/bindings/key-file.ts";
import { panelPoll, registerPanel } from "../../../src/tui/ports/panels.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { topPanel } from "../../../src/tui/screen/screen.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";
import { facts } from "./facts/facts.ts";
import { asked, lookup } from "./lookup/lookup.tsx";

const open: Mounted[] = [];
let remove: (() => void)[] = [];
beforeAll(() => {
  remove = [registerPanel(facts), registerPanel(lookup)];
});
afterAll(() => remove.toReversed().forEach((undo) => undo()));
beforeEach(() => void asked.splice(0));
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

/** Opened from the palette, by its title. */
async function shown(title: string): Promise<Mounted> {
  const core = new FakeCore(stateOf([channel("general")]));
  const m = await mount(core, { theme: makeTheme(0), columns: 120, rows: 24 });
  open.push(m);
  await m.press("C-p");
  await m.type(`${title}\r`);
  await m.settle();
  return m;
}
const hints = (m: Mounted): string => m.line(m.screen.rows - 1);
const firstFact = (m: Mounted): string => /(fact \d+)/.exec(m.text())?.[1] ?? "";

test("a page scrolls by the keys of lists and the wheel", async () => {
  const m = await shown("facts");
  expect(m.text()).toMatch(/Facts · #general +1–19 of 60 {2}Esc ×/);
  expect(hints(m)).toContain("PANEL  ↓ down");
  await m.press("j", "down", "k");
  expect(firstFact(m)).toBe("fact 1");
  await m.press("G");
  expect(m.text()).toContain("fact 59");
  expect(m.text()).toMatch(/Facts · #general +42–60 of 60 {2}Esc ×/);
  await m.press("home");
  const { x, y } = m.model.layout.panel!;
  await m.wheel(x + 4, y + 4, true);
  expect(firstFact(m)).toBe("fact 3");
});

test("a page lies where it was when what covered it is closed", async () => {
  const m = await shown("facts");
  await m.press("pagedown");
  const before = firstFact(m);
  expect(before).not.toBe("fact 0");
  await m.press("C-p");
  await m.type("members\r");
  expect(m.text()).toContain("Members · #general");
  await m.press("esc");
  expect(firstFact(m)).toBe(before);
});

test("letters are typed into the line of a panel, and the keys of editing work there", async () => {
  const m = await shown("look something");
  expect(hints(m)).toContain("LOOKUP  Esc close");
  await m.type("jig saw");
  expect(m.text()).toContain("? jig saw");
  expect(hints(m)).toContain("⏎ ask");
  await m.press("C-w");
  await m.type("q?");
  await m.press("enter");
  expect(asked).toEqual(["jig q?"]);
  expect(panelPoll(m.screen)).toBeUndefined();
  await m.press("C-c");
  await m.type("now");
  panelPoll(m.screen)?.(m.ports);
  expect(asked).toEqual(["jig q?", "again"]);
  await m.press("C-c", "C-c");
  expect(topPanel(m.screen)).toBeUndefined();
});

test("a key file cannot take letters from the line", () => {
  const { table, faults } = readKeys("lookup x lookup.ask\nlookup Ctrl-B lookup.ask", "f", "vim");
  expect(faults).toEqual(["f line 1: x is text here: begin with Ctrl, Alt or a key that has a name"]);
  expect(table["lookup"]).toMatchObject({ "C-b": "lookup.ask", "C-w": "deleteWordLeft", down: "lineDown" });
});
