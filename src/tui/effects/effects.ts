/** Creates the effects that run without user input: read marks, paging, title, desktop notifications and others. */
import type { Ports } from "../ports/ports.ts";
import { topPopup } from "../screen/popup.ts";
import type { Model } from "../screen/store.ts";
import { selectedChoice, refreshPicker } from "../views/popup/choices.ts";
import { linesOf, listRect, topFor } from "../views/sidebar/lines.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { saveEarlierText } from "../screen/edit-history.ts";
import { browseCursorKeeper } from "./browse-cursor.ts";
import { layoutSaver } from "./layout.ts";
import { folderReader } from "./folders.ts";
import { pixelLayerUpdater } from "../views/picture/layer.ts";
import { loadMore } from "../views/lists/cursor.ts";
import { DesktopNotices } from "./notify.ts";
import { Paging } from "./paging.ts";
import { signInOffer } from "./sign-in.ts";
import { ReadTracker } from "./read-marks.ts";
import { markTourSteps } from "./tour.ts";
import { sendUploaded } from "../views/composer/waiting-sends.ts";
import { titleUpdater } from "./title.ts";

/** Returns a function to call after every change; it restores the chosen theme when the picker closes. */
function themePreview({ store, themes }: Pick<Ports, "store" | "themes">): (model: Model) => void {
  let shown: string | undefined;
  return (model) => {
    const highlighted = selectedChoice(topPopup(model.screen), model)?.theme;
    if (highlighted === shown) return;
    shown = highlighted;
    store.restyle((old) => ({ ...old, theme: themes.make(highlighted ?? themes.chosen()) }));
  };
}

/** Returns a function to call after every change of the model. */
function channelRevealer({ store }: Pick<Ports, "store">): (model: Model) => void {
  let revealed: string | undefined;
  return (model) => {
    const { screen, layout } = model;
    const { cid, sidebar } = screen;
    if (cid === undefined || cid === revealed || !layout.sidebar) return;
    revealed = cid;
    const lines = linesOf(model);
    const { height } = listRect(layout.sidebar, screen);
    const at = lines.findIndex((line) => line.kind === "channel" && line.cid === cid);
    const nearest = topFor(lines, sidebar.top, height, lines[at]?.key);
    if (nearest === sidebar.top) return;
    // The views and the names of the groups above are shown, too, if there is room.
    const top = at < height ? 0 : nearest;
    store.update((s) => ({ ...s, sidebar: { ...s.sidebar, top } }), false);
  };
}

interface Effects {
  /** Called after every change of the model, before it is drawn. */
  modelChanged(model: Model): void;
  eventReceived(event: AnyEvent): void;
}

export function createEffects(ports: Ports): Effects {
  const marks = new ReadTracker(ports);
  const paging = new Paging(ports);
  const notices = new DesktopNotices(ports);
  /** Called in this order. */
  const modelListeners: readonly ((model: Model) => void)[] = [
    (model) => marks.modelChanged(model),
    (model) => paging.modelChanged(model),
    titleUpdater(ports),
    folderReader(ports),
    themePreview(ports),
    (model) => markTourSteps(ports, model),
    pixelLayerUpdater(ports),
    (model) => loadMore(ports, model),
    layoutSaver(ports),
    signInOffer(ports),
    browseCursorKeeper(ports),
    channelRevealer(ports),
    () => refreshPicker(ports),
    () => notices.modelChanged(),
    () => sendUploaded(ports),
  ];
  return {
    modelChanged(model) {
      for (const listener of modelListeners) listener(model);
    },
    eventReceived: (event) => {
      if (event.type === "message.updated") saveEarlierText(ports.core, event);
      else notices.eventReceived(event);
    },
  };
}
