/** The rows of a pane as components: one Text per row, empty rows included, and an unchanged picture is rendered once. */
import { Box } from "ink";
import { render } from "ink-testing-library";
import type { JSX } from "react";
import { afterEach, expect, test } from "vitest";
import { PortsContext } from "../../../src/tui/components/context.ts";
import { Rows, type DrawnRows } from "../../../src/tui/components/rows.tsx";
import { FakeCore, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

const { ports } = new ScreenDriver(new FakeCore(stateOf([])), { open: "" });
const shown: { unmount(): void }[] = [];
afterEach(() => {
  for (const one of shown.splice(0)) one.unmount();
});

/** A screen of 20 × 5 with one pane on it. */
const paneWith = (drawn: DrawnRows): JSX.Element => (
  <PortsContext value={ports}>
    <Box width={20} height={5}>
      <Rows drawn={drawn} />
    </Box>
  </PortsContext>
);
function show(drawn: DrawnRows) {
  const screen = render(paneWith(drawn));
  shown.push(screen);
  return {
    lines: () =>
      screen
        .lastFrame()!
        .split("\n")
        .map((row) => row.trimEnd()),
    again: (next: DrawnRows) => screen.rerender(paneWith(next)),
  };
}
const rect = { x: 2, y: 1, width: 12, height: 3 };

test("rows are drawn inside the pane, and an empty row keeps its place", () =>
  expect(show({ rect, rows: ["first", "", "third"] }).lines()).toEqual(["", "  first", "", "  third", ""]));

test("rows beyond the pane's height are not drawn, and a long row is cut", () =>
  expect(show({ rect, rows: ["far too long for it", "b", "c", "d"] }).lines()).toEqual([
    "",
    "  far too lon…",
    "  b",
    "  c",
    "",
  ]));

test("the same rows again render nothing, and different rows do", () => {
  let renders = 0;
  const counted = (...rows: string[]): DrawnRows => ({
    rect,
    get rows() {
      renders++;
      return rows;
    },
  });
  const drawn = counted("a", "b");
  const pane = show(drawn);
  expect(renders).toBe(1);
  pane.again(drawn);
  expect(renders).toBe(1);
  pane.again(counted("a", "changed"));
  expect(renders).toBe(2);
  expect(pane.lines()).toContain("  changed");
});
