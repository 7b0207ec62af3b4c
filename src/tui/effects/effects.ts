/** Creates the effects that run without user input: read marks, paging, title, desktop notifications and others. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Ports } from "../ports/ports.ts";
import { saveEarlierText } from "../screen/edit-history.ts";
import type { Model } from "../screen/store.ts";
import { browseCursorKeeper } from "./browse-cursor.ts";
import { layoutSaver } from "./layout.ts";
import { folderReader } from "./folders.ts";
import { pixelLayerUpdater } from "../views/picture/layer.ts";
import { loadMore } from "../views/lists/cursor.ts";
import { refreshPicker } from "../views/popup/choices.ts";
import { DesktopNotices } from "./notify.ts";
import { Paging } from "./paging.ts";
import { channelRevealer } from "./reveal-channel.ts";
import { signInOffer } from "./sign-in.ts";
import { ReadTracker } from "./read-marks.ts";
import { themePreview } from "./theme-preview.ts";
import { markTourSteps } from "./tour.ts";
import { sendUploaded } from "../views/composer/waiting-sends.ts";
import { titleUpdater } from "./title.ts";

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
