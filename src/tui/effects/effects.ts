/** Creates the effects that run without user input: read marks, paging, title, desktop notifications and others. */
import type { Ports } from "../ports/ports.ts";
import { closeGoneHalf } from "../navigation/halves.ts";
import { noticeKeeper } from "../views/status/past-notices.ts";
import { topPopup } from "../screen/popup.ts";
import type { Model, Slice, Slices } from "../screen/store.ts";
import { PANEL_SLICES } from "../ports/panels.ts";
import { ENTRY_SLICES } from "../views/lists/user-list.ts";
import { selectedChoice, refreshPicker } from "../screen/choices.ts";
import { topFor, windowOf } from "../views/sidebar/lines.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { noteEdit } from "../views/about/about.ts";
import { ANIMATION_SLICES, pictureMover } from "./animation.ts";
import { browseCursorKeeper } from "./browse-cursor.ts";
import { LAYOUT_SLICES, layoutSaver } from "./layout.ts";
import { firstUnreadOpener, OPENING_SLICES } from "./first-unread.ts";
import { surroundingsLoader, SURROUNDINGS_SLICES } from "./hit-surroundings.ts";
import { folderReader } from "./folders.ts";
import { pixelLayerUpdater } from "../views/picture/layer.ts";
import { loadMore } from "../views/lists/lists.ts";
import { DesktopNotices } from "./notify.ts";
import { PAGE_SLICES, Paging } from "./paging.ts";
import { signInOffer } from "./sign-in.ts";
import { READ_SLICES, ReadTracker } from "./read-marks.ts";
import { markTourSteps } from "./tour.ts";
import { sendUploaded } from "../views/composer/waiting-sends.ts";
import { titleUpdater } from "./title.ts";

/** What runs after changes of these slices. */
interface Effect {
  slices: ReadonlySet<Slice>;
  run: (model: Model) => void;
}

const after = <const K extends Slice>(slices: readonly K[], run: (model: Slices<K>) => void): Effect => ({
  slices: new Set<Slice>(slices),
  run: run as (model: Model) => void,
});

/** Shows the theme of the choice under the cursor, and the chosen one again when the picker closes. */
function themePreview({ store, themes }: Pick<Ports, "store" | "themes">): Effect {
  let shown: string | undefined;
  return after(["popups", "now", "look"], (model) => {
    const highlighted = selectedChoice(topPopup(model.screen), model)?.theme;
    if (highlighted === shown) return;
    shown = highlighted;
    store.restyle((old) => ({ ...old, theme: themes.make(highlighted ?? themes.chosen()) }));
  });
}

/** Brings the open channel into sight in the sidebar, once for each channel and height of the window. */
function channelRevealer({ store }: Pick<Ports, "store">): Effect {
  let revealed: string | undefined;
  let revealedIn: number | undefined;
  return after(["layout", "look", "sidebar", "focus", ...ENTRY_SLICES], (model) => {
    const { screen, layout } = model;
    const { cid, sidebar } = screen;
    if (cid === undefined || !layout.sidebar) return;
    if (cid === revealed && layout.rows === revealedIn) return;
    [revealed, revealedIn] = [cid, layout.rows];
    const { channels, height } = windowOf(model, layout.sidebar);
    const at = channels.findIndex((line) => line.kind === "channel" && line.cid === cid);
    const nearest = topFor(channels, sidebar.top, height, channels[at]?.key);
    if (nearest === sidebar.top) return;
    // The names of the groups above are shown, too, if there is room.
    const top = at < height ? 0 : nearest;
    store.update((s) => ({ ...s, sidebar: { ...s.sidebar, top } }), false);
  });
}

interface Effects {
  /** Called after every change of the model, before it is drawn, with the slices that have changed. */
  modelChanged(changed: ReadonlySet<Slice>): void;
  eventReceived(event: AnyEvent): void;
}

export function createEffects(ports: Ports): Effects {
  const marks = new ReadTracker(ports);
  const paging = new Paging(ports);
  const notices = new DesktopNotices(ports);
  /** In the order in which they run. */
  const effects: readonly Effect[] = [
    after(OPENING_SLICES, firstUnreadOpener(ports)),
    after(["state", "cid", "other", "panels", "focus", "views"], browseCursorKeeper(ports)),
    after(READ_SLICES, (model) => marks.modelChanged(model)),
    after(PAGE_SLICES, (model) => paging.modelChanged(model)),
    after(["state", "cid", "minute"], titleUpdater(ports)),
    after(["popups"], folderReader(ports)),
    themePreview(ports),
    after(["tour", "panels", "search", "composers"], (model) => {
      if (model.screen.tour?.on) markTourSteps(ports, model);
    }),
    after(SURROUNDINGS_SLICES, surroundingsLoader(ports)),
    after(ANIMATION_SLICES, pictureMover(ports)),
    after(["notices"], noticeKeeper(ports)),
    after(["notices", "look", "layout", "panels", "popups", "completion"], pixelLayerUpdater(ports)),
    after(PANEL_SLICES, (model) => loadMore(ports, model)),
    after(LAYOUT_SLICES, layoutSaver(ports)),
    after(["state", "other"], (model) => {
      if (model.screen.other) closeGoneHalf(ports, model);
    }),
    after(["link", "popups"], signInOffer(ports)),
    channelRevealer(ports),
    after(["popups", "state", "lists"], ({ screen }) => {
      if (screen.popups.length > 0) refreshPicker(ports);
    }),
    after(["state", "windowFocused"], () => notices.modelChanged()),
    after(["waitingSends", "composers"], ({ screen }) => {
      if (screen.waitingSends.size > 0) sendUploaded(ports);
    }),
  ];
  return {
    modelChanged(changed) {
      // An effect that moves something leaves a newer model to the next ones: what it moved out of sight is not read.
      for (const { slices, run } of effects) if (!slices.isDisjointFrom(changed)) run(ports.store.get());
    },
    eventReceived: (event) => {
      if (event.type === "message.updated") noteEdit(ports, event);
      else notices.eventReceived(event);
    },
  };
}
