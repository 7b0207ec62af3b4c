/** The layout of a snapshot: the rows the composer wants are the only thing that depends on what is written. */
import { words } from "../../text/words.ts";
import { layout, layoutKind } from "../layout.ts";
import type { Layout } from "../layout.ts";
import { channelTitle } from "../screen/channels.ts";
import { EMPTY_COMPOSER } from "../screen/composer.ts";
import { composerPlace, placeKey, topPanel } from "../screen/screen.ts";
import type { Screen } from "../screen/screen.ts";
import { memoLast } from "../store.ts";
import type { Model } from "../store.ts";
import { composerHeight } from "./composer.ts";

/** The banner while writing in a thread, undefined elsewhere. */
export function replyBanner(model: Model, me: string | undefined): string | undefined {
  const place = composerPlace(model.screen);
  if (place?.parentId === undefined) return undefined;
  const entry = model.state.channels.get(place.cid);
  const title = entry ? channelTitle(entry, me) : place.cid;
  const box = model.screen.composers.get(placeKey(place)) ?? EMPTY_COMPOSER;
  return `${words.channel.reply} · ${box.alsoChannel ? "☑" : "☐"} ${words.channel.alsoTo(title)}`;
}

const same = memoLast(
  (columns: number, rows: number, panel: boolean, hidden: boolean, over: boolean, composerRows: number) =>
    layout({ columns, rows, panel, sidebarHidden: hidden, sidebarOver: over, composerRows }),
);

/** The same object while nothing moved, so that panes can be compared by it. */
export function measure(model: Model, me: string | undefined): Layout {
  const { screen } = model;
  const place = composerPlace(screen);
  const box = (place && screen.composers.get(placeKey(place))) ?? EMPTY_COMPOSER;
  const width = layoutKind(screen.columns, screen.rows) === "tiny" ? screen.columns : screen.columns - 2;
  return same(
    screen.columns,
    screen.rows,
    panelShown(screen),
    screen.sidebar.hidden,
    screen.sidebar.over,
    composerHeight(box, width, replyBanner(model, me)),
  );
}

/** A panel covers the messages below 120 columns, except while the messages have the keys. */
function panelShown(screen: Screen): boolean {
  if (!topPanel(screen)) return false;
  return layoutKind(screen.columns, screen.rows) === "wide" || screen.focus !== "messages";
}
