/** Saves the layout for the next start: pane widths, a hidden sidebar, the open panel, and two halves. */
import { sameFields } from "../../model/same-list.ts";
import { restoreHalves, storedHalves, type StoredHalves } from "../navigation/halves.ts";
import { openPanelIn, panelDefinitions } from "../ports/panels.ts";
import type { Ports } from "../ports/ports.ts";
import type { Screen } from "../screen/screen.ts";
import { layoutKind, type PaneWidths } from "../screen/layout.ts";
import { withFocus } from "../screen/transitions.ts";
import type { Reads } from "../screen/store.ts";

/** A thread is not restored: the first message typed at the next start would be sent to it. */
type RestorablePanel = string;

interface StoredLayout {
  panes?: PaneWidths;
  hidden?: boolean;
  detailsClosed?: boolean;
  panel?: RestorablePanel | undefined;
  halves?: StoredHalves | undefined;
}

const KEY = "layout";

/** Applies the saved widths and sidebar state; malformed parts are dropped. */
export function withLayout(screen: Screen, stored: unknown): Screen {
  const { panes, hidden, detailsClosed } = (stored ?? {}) as StoredLayout;
  const isWidth = (width: unknown): boolean => Number.isInteger(width) && (width as number) > 0;
  const validWidths = Object.fromEntries(Object.entries(panes ?? {}).filter(([, width]) => isWidth(width)));
  return {
    ...screen,
    panes: validWidths,
    detailsClosed: detailsClosed === true,
    sidebar: { ...screen.sidebar, hidden: hidden === true },
  };
}

function panelOf(screen: Pick<Screen, "panels">): RestorablePanel | undefined {
  const own = openPanelIn(screen)?.of;
  return own?.restore ? own.name : undefined;
}

const storedLayout = (screen: SavedSlices): StoredLayout => ({
  panes: screen.panes,
  hidden: screen.sidebar.hidden,
  detailsClosed: screen.detailsClosed === true,
  panel: panelOf(screen),
  halves: storedHalves(screen),
});

/** Restores the panel if it fits beside the messages; the composer keeps the focus. */
function restorePanel(ports: Ports, kind: RestorablePanel): void {
  const { store } = ports;
  const { cid, columns, rows } = store.screen;
  if (cid === undefined || layoutKind(columns, rows) !== "wide") return;
  panelDefinitions()
    .find(({ name }) => name === kind)
    ?.restore?.(ports);
  store.update((s) => withFocus(s, "composer"));
}

/** The slices that {@link layoutSaver} reads. */
export const LAYOUT_SLICES = [
  "cid",
  "other",
  "panes",
  "movingBorder",
  "panels",
  "detailsClosed",
  "sidebar",
  "loading",
] as const;

type SavedSlices = Reads<(typeof LAYOUT_SLICES)[number]>["screen"];

/** Returns a function to call after every change; it also restores the saved panel once the first channel is open. */
export function layoutSaver(ports: Ports): (model: Reads<(typeof LAYOUT_SLICES)[number]>) => void {
  const { core } = ports;
  let before: object | undefined;
  return ({ screen }) => {
    if (screen.cid === undefined || screen.movingBorder !== undefined) return;
    const { panes, panels, sidebar, other, detailsClosed } = screen;
    const { hidden } = sidebar;
    const now = { panes, panels, detailsClosed, hidden, other, halfCid: other && screen.cid };
    const first = before === undefined;
    // While quitting, the screen is drawn once for the next start's first frame: that is not the user's layout.
    if (!first && screen.loading) return;
    if (before && sameFields(before, now)) return;
    before = now;
    if (!first) return core.keep(KEY, storedLayout(screen));
    const stored = core.remember<StoredLayout>(KEY);
    restoreHalves(ports, stored?.halves);
    if (stored?.panel !== undefined && panels.length === 0) restorePanel(ports, stored.panel);
  };
}
