/** The actions of the navigation keys: they move in whatever has the focus. */
import { belowTitle } from "../screen/layout.ts";
import { openPanelIn } from "../ports/panels.ts";
import type { Action, Ports } from "../ports/ports.ts";
import { topPopup } from "../screen/popup.ts";
import { goToEnd, movePage, moveStep } from "../views/messages/navigation.ts";
import { popupStep } from "../views/popup/actions.ts";
import { moveInSidebar } from "../views/sidebar/actions.ts";

/** A list that a key moves in. */
interface MovedList {
  /** Moves by lines; beyond the ends it stops there. */
  move(by: number): void;
  /** Lines in a page. */
  page: number;
}

const POPUP_PAGE = 10;

/** The list that has the focus; undefined while that is a list of messages. */
function focused(ports: Ports): MovedList | undefined {
  const { screen, layout } = ports.store.get();
  const height = layout.panel ? belowTitle(layout.panel).height : 0;
  if (topPopup(screen)) return { page: POPUP_PAGE, move: (by) => popupStep(by)(ports) };
  if (screen.focus === "sidebar")
    return { page: (layout.sidebar?.height ?? 2) - 1, move: (by) => moveInSidebar(by)(ports) };
  if (screen.focus !== "panel") return undefined;
  const own = openPanelIn(screen);
  const { list } = own?.of ?? {};
  if (own && list) return { page: list.page(height), move: (by) => list.move(ports, own.panel, by) };
  return undefined;
}

const moveLines =
  (by: 1 | -1): Action =>
  (ports) => {
    const list = focused(ports);
    if (list) list.move(by);
    else moveStep(by)(ports);
  };

/** 1 = a page, which leaves a line visible, 0.5 = half a page. */
const movePages =
  (part: number): Action =>
  (ports) => {
    const list = focused(ports);
    if (list) list.move(Math.sign(part) * Math.max(1, Math.round(Math.abs(part) * list.page)));
    else movePage(part)(ports);
  };

const moveToEnd =
  (end: "first" | "last"): Action =>
  (ports) => {
    const list = focused(ports);
    if (list) list.move(end === "first" ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER);
    else goToEnd(end)(ports);
  };

export const navigationActions = {
  lineDown: moveLines(1),
  lineUp: moveLines(-1),
  firstLine: moveToEnd("first"),
  lastLine: moveToEnd("last"),
  pageDown: movePages(1),
  pageUp: movePages(-1),
  halfPageDown: movePages(0.5),
  halfPageUp: movePages(-0.5),
} satisfies Record<string, Action>;
