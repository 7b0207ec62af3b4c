/** A panel is one folder: a new one is in the palette, the key tables, the help, the hints and under the mouse by its registration alone. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { readKeys } from "../../../src/tui/bindings/key-file.ts";
import { keysPage } from "../../../src/tui/bindings/keys-page.ts";
import { actionNames, actionRow } from "../../../src/tui/keys/action-table.ts";
import type { KeyProfile } from "../../../src/tui/keys/lookup.ts";
import { registerPanel } from "../../../src/tui/ports/panels.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { topPanel } from "../../../src/tui/screen/screen.ts";
import { helpLines } from "../../../src/tui/views/popup/rows.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";
import { notes, opened } from "./notes/notes.ts";

const before = [...actionNames];
const open: Mounted[] = [];
let remove = (): void => {};
beforeAll(() => {
  remove = registerPanel(notes.definition);
});
afterAll(() => remove());
beforeEach(() => void opened.splice(0));
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

/** Opened from the palette, by its title. */
async function shown(keys: KeyProfile = "default", size = { columns: 120, rows: 24 }): Promise<Mounted> {
  const core = new FakeCore(stateOf([channel("general")]));
  const m = await mount(core, { theme: makeTheme(0), keys, ...size });
  open.push(m);
  await m.press(keys === "emacs" ? "A-x" : "C-p");
  await m.type("jottings\r");
  await m.settle();
  return m;
}
const hints = (m: Mounted): string => m.line(m.screen.rows - 1);
/** The line with the cursor's mark. */
const marked = (m: Mounted): string => /▌(note \d+)/.exec(m.text())?.[1] ?? "";

test("it opens from the palette with its title, rows, footer and hints, and Esc closes it", async () => {
  const m = await shown();
  expect(m.text()).toMatch(/Notes · #general +1 of \d+\+? +Esc ×/);
  expect(m.text()).toContain("▌note 0");
  expect(m.text()).toContain("more notes");
  expect(hints(m)).toContain("NOTES  ⏎ read  Esc close  ? help");
  await m.press("down");
  expect(hints(m)).toContain("⏎ read  b burn");
  await m.press("esc");
  expect(topPanel(m.screen)).toBeUndefined();
});

test.each(["default", "vim", "emacs"] as const)(
  "its cursor moves by the keys of all lists, and the next page is loaded at the end (%s)",
  async (keys) => {
    const m = await shown(keys);
    const at: string[] = [];
    for (const key of ["j", "down", "k", "pagedown", "pageup", "C-d", "home", "end"]) {
      await m.press(key);
      await m.settle();
      at.push(marked(m));
    }
    // The body has 19 rows, of which the footer has one.
    expect(at.slice(0, 3)).toEqual(["note 1", "note 2", "note 1"]);
    expect(Number(at[3]!.slice(5))).toBeGreaterThan(10);
    expect(at.slice(4, 5)).toEqual(["note 1"]);
    expect(at.slice(6)).toEqual(["note 0", "note 39"]);
    await m.press("G");
    expect(marked(m)).toBe("note 79");
    expect(m.text()).not.toContain("more notes");
  },
);

test("a click selects a line, a second one opens it, the wheel moves, and its keys act on the line", async () => {
  const m = await shown();
  const { x, y } = m.model.layout.panel!;
  await m.click(x + 4, y + 4);
  expect([marked(m), opened]).toEqual(["note 3", []]);
  await m.click(x + 4, y + 4);
  await m.wheel(x + 4, y + 4, true);
  await m.press("enter", "b");
  expect(opened).toEqual(["note 3", "note 4", "no more note 4"]);
});

test("its keys can be bound in a key file, and the help and docs/keys.md have them", async () => {
  const { table, faults } = readKeys("notes Ctrl-B notes.burn\nanywhere Alt-N notes.show", "f", "default");
  expect(faults).toEqual([]);
  expect([table["notes"]!["C-b"], table.global["A-n"]]).toEqual(["notes.burn", "notes.show"]);
  expect(helpLines(KEY_TABLES.default, "burn")).toEqual([
    { section: "In the notes" },
    { keys: "b", title: "Burn the note" },
  ]);
  expect(keysPage()).toContain("### In the notes");
  expect(actionRow("write").contexts).toContain("notes");
});

test("at 80 columns it covers the messages, and nothing of it is left once it is removed", async () => {
  const m = await shown("default", { columns: 80, rows: 24 });
  expect(m.text()).toContain("▌note 0");
  expect(m.text()).not.toContain("No messages yet");
  remove();
  expect(actionNames).toEqual(before);
  expect(Object.keys(KEY_TABLES.default)).not.toContain("notes");
  expect(actionRow("write").contexts).not.toContain("notes");
  remove = registerPanel(notes.definition);
});
