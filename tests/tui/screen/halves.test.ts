/** The two halves as pure data: which channel is in which half, what has the focus, and the rectangles of both. */
import { describe, expect, test } from "vitest";
import { besideOpened, halfClosed, halfSwitched, isSplit } from "../../../src/tui/screen/halves.ts";
import { layout, type Layout, type LayoutOptions, type Rect } from "../../../src/tui/screen/layout.ts";
import { borderAt, paneResized } from "../../../src/tui/screen/panes.ts";
import { detailsPanel, emptyScreen, type Screen } from "../../../src/tui/screen/screen.ts";
import {
  channelOpened,
  panelPushed,
  resized,
  withFocus,
  withNextPane,
} from "../../../src/tui/screen/transitions.ts";
import { memoizeLast } from "../../../src/tui/screen/store.ts";

const at = (columns = 120, rows = 40): Screen => channelOpened(emptyScreen(columns, rows), "team:left");
const halves = (columns = 120): Screen => besideOpened(at(columns), "team:right");

/** The channels from left to right, that with the focus in brackets. */
function shown({ cid, other }: Screen): string {
  const focused = `[${cid}]`;
  if (!other) return focused;
  return other.isLeft ? `${other.cid} ${focused}` : `${focused} ${other.cid}`;
}

describe("channels and focus", () => {
  test("a second channel opens at the right, and the focus stays in the box", () => {
    expect([shown(halves()), halves().focus]).toEqual(["[team:left] team:right", "composer"]);
  });

  test("Tab goes from one half to the other and back, in the box as in the list", () => {
    for (const focus of ["composer", "messages"] as const) {
      const right = withNextPane(withFocus(halves(), focus), 1);
      expect([shown(right), right.focus]).toEqual(["team:left [team:right]", focus]);
      const left = withNextPane(right, 1);
      expect([shown(left), left.focus]).toEqual(["[team:left] team:right", focus]);
    }
  });

  test("Shift-Tab goes to the sidebar and from there back, and to the other half while it is hidden", () => {
    const sidebar = withNextPane(halves(), -1);
    expect([shown(sidebar), sidebar.focus]).toEqual(["[team:left] team:right", "sidebar"]);
    expect(withNextPane(sidebar, 1).focus).toBe("composer");
    const hidden = { ...halves(), sidebar: { ...halves().sidebar, hidden: true } };
    expect(shown(withNextPane(hidden, -1))).toBe("team:left [team:right]");
  });

  test("a half without room or behind a panel is passed over by Tab", () => {
    const narrow = halves(119);
    expect([isSplit(narrow), withNextPane(narrow, 1).focus]).toEqual([false, "messages"]);
    expect(isSplit(resized(narrow, 120, 40))).toBe(true);
    const covered = withFocus(panelPushed(halves(), detailsPanel("team:left")), "composer");
    expect([isSplit(covered), shown(withNextPane(covered, 1))]).toEqual([false, "[team:left] team:right"]);
  });

  test("a channel opens in the half with the focus, and each half has its own previous channel", () => {
    const right = channelOpened(halfSwitched(halves()), "team:third");
    expect([shown(right), right.lastCid]).toEqual(["team:left [team:third]", "team:right"]);
    const left = halfSwitched(right);
    expect([shown(left), left.lastCid]).toEqual(["[team:left] team:third", undefined]);
    expect(halfSwitched(left).lastCid).toBe("team:right");
  });

  test("the channel of the other half is not opened again: that half gets the focus", () => {
    const right = channelOpened(withFocus(halves(), "sidebar"), "team:right");
    expect([shown(right), right.focus]).toEqual(["team:left [team:right]", "composer"]);
  });

  test("nothing half typed goes along to the other half", () => {
    const typing: Screen = {
      ...halves(),
      completion: { start: 0, items: [], selected: 0 },
      vim: {} as never,
      enterHeld: true,
      pendingKey: "g",
      quitArmed: true,
      range: { key: "team:left", from: "m1" },
    };
    const { completion, vim, enterHeld, pendingKey, quitArmed, range } = halfSwitched(typing);
    expect([completion, vim, enterHeld, pendingKey, quitArmed, range]).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      false,
      undefined,
    ]);
  });

  test("closing keeps the half with the focus; one half alone stays as it is", () => {
    expect(shown(halfClosed(halfSwitched(halves())))).toBe("[team:right]");
    expect(halfSwitched(at())).toEqual(at());
  });
});

describe("rectangles", () => {
  const split = (columns: number, focused: "left" | "right", more: Partial<LayoutOptions> = {}): Layout =>
    layout({
      columns,
      rows: 40,
      panel: false,
      sidebarHidden: false,
      sidebarOver: false,
      composerRows: 2,
      halves: { focused, otherBanner: false },
      ...more,
    });
  const across = ({ x, width }: Rect): [number, number] => [x, x + width];

  test("two halves share the messages, and each has its title and its box, from edge to rule", () => {
    for (const columns of [120, 121, 160, 300]) {
      const l = split(columns, "left");
      const { main, other, middle, header, composer } = l;
      expect(Math.abs(main!.width - other!.main.width), String(columns)).toBeLessThanOrEqual(1);
      expect([across(main!)[1], across(other!.main)]).toEqual([middle, [middle! + 1, columns]]);
      for (const [left, right] of [
        [header!, other!.header],
        [composer, other!.composer],
      ] as const)
        expect([across(left), across(right)]).toEqual([
          [0, middle],
          [middle! + 1, columns],
        ]);
    }
  });

  test("the focus moves no rule: the halves only change what is called the other", () => {
    const [left, right] = [split(141, "left"), split(141, "right")];
    expect(right.middle).toBe(left.middle);
    expect(right.main).toEqual(left.other!.main);
    expect(right.other).toEqual({ header: left.header, main: left.main, composer: left.composer });
  });

  test("a panel covers the half without the focus, with one title and one box", () => {
    for (const focused of ["left", "right"] as const) {
      const l = split(160, focused, { panel: true });
      const open = split(160, focused);
      expect([l.main, l.panel, l.other]).toEqual([open.main, open.other!.main, undefined]);
      expect([l.header!.width, l.composer.width]).toEqual([160, 160]);
    }
  });

  test("below 120 columns there is one half", () => {
    expect(split(119, "right")).toEqual(split(119, "right", { halves: undefined }));
  });

  test("a wide sidebar leaves both halves 40 cells", () => {
    const l = split(120, "left", { widths: { sidebar: 400 } });
    expect(Math.min(l.main!.width, l.other!.main.width)).toBeGreaterThanOrEqual(40);
  });

  test("each half has the banner of its own channel", () => {
    const l = split(160, "left", { banner: false, halves: { focused: "left", otherBanner: true } });
    expect([l.banner, l.other!.banner?.y, l.other!.main.y, l.main!.y]).toEqual([undefined, 1, 2, 1]);
  });

  test("the rule between the halves is no border to move; the sidebar has one", () => {
    const l = split(160, "left", { panel: true });
    expect(borderAt(l, l.middle!, 5)).toBeUndefined();
    expect(borderAt(l, l.sidebar!.width, 5)).toBe("sidebar");
    expect(paneResized(halves(160), l, 2).panes).toEqual({ sidebar: l.sidebar!.width + 2 });
  });
});

test("what is worked out for both halves in turn is worked out once for each", () => {
  let runs = 0;
  const square = memoizeLast((n: number) => ({ run: ++runs, n: n * n }), 2);
  const [two, three] = [square(2), square(3)];
  expect([square(2), square(3), runs]).toEqual([two, three, 2]);
  square(2);
  square(4);
  expect([square(2), square(4).n, runs]).toEqual([two, 16, 3]);
  square(3);
  expect(runs).toBe(4);
});
