/** Focus, panels, popups and Esc as pure data: which part receives the keys after each step. */
import { expect, test } from "vitest";
import {
  withNextPane,
  escapePressed,
  withFocus,
  channelOpened,
  panelPushed,
  resized,
  sidebarToggled,
  withScroll,
  withCompletion,
} from "../../../src/tui/screen/transitions.ts";
import { popupPushed } from "../../../src/tui/screen/popup.ts";
import {
  detailsPanel,
  threadPanel,
  browsePlace,
  composerPlace,
  emptyScreen,
  topPanel,
  type Panel,
  type Screen,
} from "../../../src/tui/screen/screen.ts";

const at = (columns = 120, rows = 40): Screen =>
  channelOpened(emptyScreen(columns, rows), "messaging:general");
const thread = (s: Screen): Screen =>
  panelPushed(s, threadPanel({ cid: "messaging:general", parentId: "m1" }));
const help = (s: Screen): Screen => popupPushed(s, { kind: "help", query: "", top: 0 });

test("Esc closes the completion first, then the popups one by one, then goes from writing to browsing", () => {
  let s = help(help(at()));
  s = withCompletion(s, { start: 0, items: [{ insert: "a", label: "a" }], selected: 0 });
  s = escapePressed(s);
  expect([s.completion, s.popups.length]).toEqual([undefined, 2]);
  s = escapePressed(escapePressed(s));
  expect([s.popups.length, s.focus]).toEqual([0, "composer"]);
  expect(escapePressed(s).focus).toBe("messages");
});

test("Esc while browsing closes the panel, then the selection, and ends in the box", () => {
  let s = escapePressed(thread(at()));
  expect(s.focus).toBe("panel");
  s = escapePressed(s);
  expect([topPanel(s), s.focus]).toEqual([undefined, "messages"]);
  s = withScroll(s, { cid: "messaging:general" }, { selected: "m3" });
  s = escapePressed(s);
  expect([s.focus, s.views.get("messaging:general")]).toEqual(["composer", {}]);
});

test("opening a popup discards the completion and a key prefix", () => {
  const s = help({ ...at(), pendingKey: "g" });
  expect([s.pendingKey, s.completion]).toEqual([undefined, undefined]);
});

test("text goes to the thread while its panel is open, browsing to the focused pane", () => {
  const s = thread(at());
  expect(composerPlace(s)).toEqual({ cid: "messaging:general", parentId: "m1" });
  expect(browsePlace(withFocus(s, "messages"))).toEqual({ cid: "messaging:general" });
  expect(browsePlace(withFocus(s, "panel"))).toEqual({ cid: "messaging:general", parentId: "m1" });
});

test("with a panel without messages, browse keys have no target", () => {
  const s = panelPushed(at(), detailsPanel("messaging:general"));
  expect([s.focus, browsePlace(s)]).toEqual(["panel", undefined]);
});

test("panels stack, and the same one is not opened twice", () => {
  const s = panelPushed(thread(thread(at())), detailsPanel("messaging:general"));
  expect(s.panels).toMatchObject([{ name: "thread" }, { name: "details" }]);
});

test("a panel of the same kind for something else, or of another channel, is one more", () => {
  const names = (...panels: Panel[]): string[] =>
    panels.reduce(panelPushed, at()).panels.map(({ cid, key }) => `${cid?.split(":")[1]} ${key}`);
  const thread = (cid: string, parentId: string): Panel => threadPanel({ cid: `messaging:${cid}`, parentId });
  const [here, there] = ["general", "ops"].map((id) => detailsPanel(`messaging:${id}`)) as [Panel, Panel];
  const list = (key: string, cid?: string): Panel => ({ name: "list", key, ...(cid && { cid }) });
  expect(names(thread("general", "m1"), thread("general", "m2"), thread("general", "m2"))).toHaveLength(2);
  expect(names(thread("general", "m1"), thread("ops", "m1"))).toHaveLength(2);
  expect(names(here, there, there)).toHaveLength(2);
  expect(names(list("a"), list("b"), list("b"))).toHaveLength(2);
  expect(names(list("a", "x:1"), list("a", "x:2"))).toHaveLength(2);
});

test("Tab cycles through the visible panes", () => {
  const round = (s: Screen): string[] => {
    const been: string[] = [];
    let next = s;
    for (let i = 0; i < 4; i++) been.push((next = withNextPane(next, 1)).focus);
    return been;
  };
  expect(round(thread(at()))).toEqual(["messages", "panel", "sidebar", "composer"]);
  expect(round(thread(at(100, 30)))).toEqual(["panel", "sidebar", "composer", "panel"]);
  expect(round(at(60, 20))).toEqual(["messages", "composer", "messages", "composer"]);
});

test("opening another channel closes the panels of the old one and remembers it", () => {
  const s = channelOpened(thread(at()), "messaging:ops");
  expect([s.panels, s.lastCid, s.focus]).toEqual([[], "messaging:general", "composer"]);
});

test("toggling hides the sidebar, and shows it over the messages on a narrow screen", () => {
  expect(sidebarToggled(at()).sidebar.hidden).toBe(true);
  const over = sidebarToggled(at(60, 20));
  expect([over.sidebar.over, over.focus]).toEqual([true, "sidebar"]);
  expect(sidebarToggled(over).focus).toBe("composer");
});

test("a window too small for the sidebar moves the focus away from it", () => {
  const s = withFocus(at(), "sidebar");
  expect(resized(s, 40, 10).focus).toBe("composer");
});

test("the sidebar over the messages of a narrow window is gone once the window was wider", () => {
  const over = withFocus(at(60, 20), "sidebar");
  expect(resized(over, 60, 24).sidebar.over).toBe(true);
  for (const columns of [80, 120, 160]) {
    const wide = resized(over, columns, 24);
    expect([wide.sidebar.over, wide.focus]).toEqual([false, "sidebar"]);
    expect(resized(wide, 60, 20).sidebar.over).toBe(false);
  }
});
