/** The preview of the text in the box: rendered as others will see it, shown above the box, and closed again. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";
import { cellWidth } from "../../../../src/text/width.ts";

let m: Mounted;
afterEach(() => m.unmount());

async function show(size = { columns: 80, rows: 24 }): Promise<void> {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]));
  m = await mount(core, size);
}
const previewRows = (): string[] =>
  m
    .text()
    .split("\n")
    .flatMap((row) => /┃ (.*?) *│?$/.exec(row)?.[1] ?? []);

test("Alt-M shows the box as others will see it, and hides the preview again", async () => {
  await show();
  await m.type("**bold** and `code`, see [us](https://example.com)");
  expect(previewRows()).toEqual([]);
  await m.press("A-m");
  expect(previewRows()).toEqual(["bold and code, see us (example.com)"]);
  expect(m.text()).toContain("› **bold** and");
  await m.type(" _more_");
  expect(previewRows()[0]).toContain("more");
  expect(previewRows()[0]).not.toContain("_");
  await m.press("A-m");
  expect(previewRows()).toEqual([]);
});

test("with an empty box a notice says that it is on, and a command has no preview", async () => {
  await show();
  await m.press("A-m");
  expect(m.core.calls("notify").map(([notice]) => (notice as { text: string }).text)).toEqual([
    "Preview on: what you write is shown as others will see it.",
  ]);
  await m.type("/theme dark");
  expect(previewRows()).toEqual([]);
});

test("of a long text the end is shown, and half of the box stays for typing", async () => {
  await show({ columns: 60, rows: 24 });
  await m.press("A-m");
  for (let n = 1; n <= 12; n++) {
    await m.type(`- point ${n}`);
    await m.press("C-j");
  }
  expect(previewRows().at(-1)).toContain("point 12");
  expect(previewRows().length).toBeLessThan(5);
  expect(m.text()).toContain("- point 12");
});

test("hostile text stays in its cells", async () => {
  await show({ columns: 50, rows: 14 });
  await m.press("A-m");
  m.ports.boxes.setEditor({
    ...m.ports.boxes.at().editor,
    text: "a\u202eb\u009b31m漢字".repeat(40),
    cursor: 0,
  });
  await m.settle();
  expect(m.text()).toContain("漢字");
  for (const row of m.text().split("\n")) expect(cellWidth(row)).toBeLessThanOrEqual(50);
});
