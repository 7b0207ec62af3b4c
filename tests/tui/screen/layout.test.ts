/** The rectangles of the screen: the widths of specification/screen.md §1, nothing outside the screen, no overlaps. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isInside } from "../../../src/tui/screen/drawn-panes.ts";
import { borderAt } from "../../../src/tui/screen/panes.ts";
import {
  belowTitle,
  layout,
  LEAST,
  popupRect,
  type Layout,
  type LayoutOptions,
  type Rect,
} from "../../../src/tui/screen/layout.ts";

const optionsFor = (columns: number, rows: number, more: Partial<LayoutOptions> = {}): LayoutOptions => ({
  columns,
  rows,
  panel: false,
  sidebarHidden: false,
  sidebarOver: false,
  composerRows: 1,
  ...more,
});

test("from 120 columns the sidebar is 24 wide and the panel 36 % beside the messages", () => {
  const wide = layout(optionsFor(120, 40, { panel: true }));
  expect([wide.sidebar?.width, wide.panel?.width, wide.beside]).toEqual([24, 43, true]);
  expect(wide.main?.width).toBe(120 - 24 - 43 - 2);
});

test("from 80 to 119 columns the sidebar is 20 wide and the panel covers the messages", () => {
  for (const columns of [80, 119]) {
    const medium = layout(optionsFor(columns, 30, { panel: true }));
    expect([medium.sidebar?.width, medium.main, medium.beside]).toEqual([20, undefined, false]);
    expect(medium.panel?.width).toBe(columns - 20 - 1);
  }
});

test("from 50 to 79 columns there is one column, and the sidebar covers it on request", () => {
  expect(layout(optionsFor(79, 30)).sidebar).toBeUndefined();
  const over = layout(optionsFor(50, 30, { sidebarOver: true }));
  expect([over.sidebar?.width, over.main]).toEqual([50, undefined]);
});

test("panes have the chosen widths, but leave the others a minimum", () => {
  const at = (sidebar: number, panel: number): Layout =>
    layout(optionsFor(120, 40, { panel: true, widths: { sidebar, panel } }));
  expect([at(30, 40).sidebar?.width, at(30, 40).panel?.width]).toEqual([30, 40]);
  for (const l of [at(1, 1), at(400, 1), at(1, 400), at(400, 400)]) {
    expect(l.main!.width).toBeGreaterThanOrEqual(40);
    expect(l.sidebar!.width).toBeGreaterThanOrEqual(12);
    expect(l.panel!.width).toBeGreaterThanOrEqual(24);
  }
});

test("under 50 columns or 12 rows there are no frames", () => {
  for (const [columns, rows] of [
    [49, 30],
    [120, 11],
  ] as const)
    expect(layout(optionsFor(columns, rows))).toMatchObject({ kind: "tiny", rules: [] });
  expect(layout(optionsFor(50, 12)).kind).toBe("narrow");
});

test("the composer grows to a third of the rows and no further", () => {
  expect(layout(optionsFor(120, 39, { composerRows: 5 })).composer.height).toBe(5);
  expect(layout(optionsFor(120, 39, { composerRows: 99 })).composer.height).toBe(12);
});

const rects = (l: Layout): Rect[] =>
  [l.header, l.sidebar, l.main, l.panel, l.composer, l.status].filter((r) => r !== undefined);

test("no rectangle leaves the screen, and no two overlap, at any size", () => {
  fc.assert(
    fc.property(
      fc.record({
        columns: fc.integer({ min: 1, max: 300 }),
        rows: fc.integer({ min: 1, max: 100 }),
        panel: fc.boolean(),
        widths: fc.record({
          sidebar: fc.integer({ min: 1, max: 400 }),
          panel: fc.integer({ min: 1, max: 400 }),
        }),
        sidebarHidden: fc.boolean(),
        sidebarOver: fc.boolean(),
        composerRows: fc.integer({ min: 1, max: 60 }),
      }),
      (w) => {
        const all = rects(layout(w));
        for (const r of all) {
          expect(Math.min(r.x, r.y, r.width)).toBeGreaterThanOrEqual(0);
          expect(r.x + r.width).toBeLessThanOrEqual(w.columns);
          expect(r.y + r.height).toBeLessThanOrEqual(w.rows);
        }
        for (const [i, a] of all.entries())
          for (const b of all.slice(i + 1)) {
            const apart =
              a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
            expect(apart).toBe(true);
          }
      },
    ),
  );
});

test("a popup fits the smallest screen", () => {
  const r = popupRect({ columns: 50, rows: 12 }, { width: 64, height: 40 });
  expect(r.x + r.width).toBeLessThanOrEqual(50);
  expect(r.y + r.height).toBeLessThanOrEqual(12);
});

test("a popup leaves the message it acts on in sight where one side has room, with a blank row between", () => {
  const size = { columns: 120, rows: 40 };
  const over = (from: number, to: number): Rect => popupRect(size, { width: 72, height: 20 }, { from, to });
  expect([over(30, 32).y + over(30, 32).height, over(30, 32).height]).toEqual([29, 20]);
  expect(over(4, 6)).toMatchObject({ y: 7, height: 20 });
  expect(over(18, 22).height).toBe(16);
  expect(over(2, 37)).toEqual(popupRect(size, { width: 72, height: 20 }));
});

test("the border between panes is found at its column, from its first row to the line below the panes", () => {
  const wide = layout(optionsFor(120, 40, { panel: true }));
  const [sidebar, panel] = [wide.sidebar!.x + wide.sidebar!.width, wide.panel!.x - 1];
  const below = wide.divider!;
  const at = (x: number) => [0, 1, below - 1, below].map((y) => borderAt(wide, x, y));
  expect(at(sidebar)).toEqual([undefined, "sidebar", "sidebar", undefined]);
  expect(at(panel)).toEqual([undefined, "panel", "panel", undefined]);
  expect(at(sidebar + 1)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a cell is inside a rectangle on its edges, and outside one cell beyond each", () => {
  const rect: Rect = { x: 3, y: 5, width: 4, height: 2 };
  const inside = (x: number, y: number) => isInside(rect, x, y);
  expect([inside(3, 5), inside(6, 5), inside(3, 6), inside(6, 6)]).toEqual([true, true, true, true]);
  expect([inside(2, 5), inside(7, 5), inside(3, 4), inside(3, 7)]).toEqual([false, false, false, false]);
});

test("a screen that is too small for any view has none, and the least that is not has all of them", () => {
  const { columns, rows } = LEAST;
  for (const [width, height] of [
    [columns - 1, rows],
    [columns, rows - 1],
    [20, 1],
  ] as const) {
    const { tooSmall, main, panel, status } = layout(optionsFor(width, height, { panel: true }));
    expect([tooSmall, main, panel, status]).toEqual([true, undefined, undefined, undefined]);
  }
  const { tooSmall, panel, status } = layout(optionsFor(columns, rows, { panel: true }));
  expect([tooSmall, belowTitle(panel!).height, status!.y]).toEqual([undefined, 3, 5]);
});

test("a popup on a low screen has all rows but the last one", () => {
  expect(popupRect({ columns: 40, rows: 10 }, { width: 38, height: 40 })).toMatchObject({ y: 0, height: 9 });
  expect(popupRect({ columns: 40, rows: 10 }, { width: 38, height: 4 })).toMatchObject({ y: 2, height: 4 });
});
