/** The smallest screens: what can still be used, and the sentence where nothing can. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";
import { cellWidth } from "../../../src/text/width.ts";
import { LEAST } from "../../../src/tui/screen/layout.ts";

let m: Mounted;
afterEach(() => m.unmount());

async function show(columns: number, rows: number): Promise<void> {
  const messages = [message("m1", "ana", "a message of some length"), message("m2", "me", "short")];
  m = await mount(new FakeCore(stateOf([channel("general", { messages }), channel("ops")])), {
    columns,
    rows,
  });
}
const isWhole = (columns: number, rows: number): boolean =>
  m.text().split("\n").length === rows &&
  m
    .text()
    .split("\n")
    .every((row) => cellWidth(row) <= columns);

test.each([
  [40, 10],
  [LEAST.columns, LEAST.rows],
])(
  "at %i × %i the messages, the box and each list have rows, and the last line has the key of help",
  async (columns, rows) => {
    await show(columns, rows);
    expect(m.text()).toContain("short ✓");
    expect(m.text()).toContain("› message #general");
    const last = (): string => m.line(rows - 1);
    expect(last()).toMatch(/^ WRITE .*●.* F1/);
    for (const [keys, shown] of [
      [["C-p"], "▌ Go to"],
      [["f1"], "Anywhere"],
      [["C-p", ..."settings:", "enter"], "▌ Theme"],
    ] as const) {
      await m.press(...keys);
      expect(m.text()).toContain(shown);
      expect(last()).toMatch(/^ CHOOSE .* F1/);
      expect(isWhole(columns, rows)).toBe(true);
      await m.press("esc");
    }
    await m.type("/he");
    expect(m.text()).toContain("▌/help");
    expect(m.text()).toContain("› /he");
  },
);

test("at the least size the sentence of an empty channel is whole, and the values of its details break at blanks", async () => {
  const entry = channel("general");
  const topical = {
    ...entry,
    channel: { ...entry.channel, topic: "Everything else" } as typeof entry.channel,
  };
  m = await mount(new FakeCore(stateOf([topical])), { ...LEAST });
  expect(m.text().replace(/\s+/g, " ")).toContain("No messages yet. Say something.");
  await m.press("C-t");
  expect(m.text()).toMatch(/topic +Everything\b/);
});

test("below that a sentence says how much is needed, nothing is typed or sent unseen, and the text is there again afterwards", async () => {
  await show(80, 24);
  await m.type("a draft");
  await m.resize(LEAST.columns - 1, LEAST.rows);
  expect(m.text().replace(/\s+/g, " ")).toBe(
    "Parley needs 24 × 6 cells: make the window larger. Ctrl-C quits. ",
  );
  await m.type(" unseen\r");
  await m.click(1, 1);
  await m.resize(80, LEAST.rows - 1);
  expect(m.text()).toContain("Parley needs 24 × 6 cells");
  await m.resize(80, 24);
  expect(m.text()).toContain("› a draft");
  expect(m.text()).not.toContain("unseen");
  expect(m.core.calls("send")).toEqual([]);
});

test("there Ctrl-C quits at once, whatever is in the box", async () => {
  await show(80, 24);
  await m.type("a draft");
  await m.resize(10, 3);
  await m.press("C-c");
  expect(m.left).toBe(true);
});
