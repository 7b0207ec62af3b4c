/** The messages split in two halves: pure functions that open, switch and close them. */
import { layoutKind, type Layout } from "./layout.ts";
import { topPanel, type Screen } from "./screen.ts";
import { memoizeLast, type Model } from "./store.ts";

/** The other half is on the screen: there is room, and no panel covers it. */
export const isSplit = (screen: Pick<Screen, "other" | "panels" | "columns" | "rows">): boolean =>
  screen.other !== undefined && !topPanel(screen) && hasRoomForHalves(screen);

export const hasRoomForHalves = ({ columns, rows }: Pick<Screen, "columns" | "rows">): boolean =>
  layoutKind(columns, rows) === "wide";

/** Gives the other half a channel, at the right if there was only one half; the focus stays, and panels over it close. */
export const besideOpened = (screen: Screen, cid: string): Screen => ({
  ...screen,
  panels: [],
  focus: screen.focus === "panel" ? "composer" : screen.focus,
  other: { cid, lastCid: screen.other?.cid, isLeft: screen.other?.isLeft ?? false },
});

export const halfClosed = (screen: Screen): Screen => ({ ...screen, other: undefined });

/** Moves the focus to the other half: to its list if it was in the list of this one, else to its box. */
export function halfSwitched(screen: Screen): Screen {
  const { cid, lastCid, other, focus } = screen;
  if (!other) return screen;
  return {
    ...screen,
    cid: other.cid,
    lastCid: other.lastCid,
    other: cid === undefined ? undefined : { cid, lastCid, isLeft: !other.isLeft },
    focus: focus === "messages" ? focus : "composer",
    jumping: false,
    range: undefined,
    completion: undefined,
    vim: undefined,
    enterHeld: undefined,
    pendingKey: undefined,
    quitArmed: false,
  };
}

/** The screen as the other half sees it: its channel is the open one, without the focus, panels and the tour. */
export const screenOfOther = memoizeLast((screen: Screen): Screen => ({
  ...screen,
  cid: screen.other?.cid,
  panels: [],
  tour: undefined,
  focus: "sidebar",
  completion: undefined,
  vim: undefined,
}));

/** The rectangles as the views of the other half see them. */
export const layoutOfOther = (layout: Layout): Layout => ({
  ...layout,
  banner: undefined,
  ...layout.other,
  other: undefined,
});

/** The model as the views of the other half see it. */
export const seenFromOther = memoizeLast((model: Model): Model => ({
  ...model,
  whole: model,
  screen: screenOfOther(model.screen),
  layout: layoutOfOther(model.layout),
}));
