/** Creates the effects that run without user input: read marks, paging, title, desktop notifications and others. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Ports } from "../ports/ports.ts";
import { saveEarlierText } from "../screen/edit-history.ts";
import type { Model } from "../screen/store.ts";
import { browseCursor } from "./browse-cursor.ts";
import { layoutKeeper } from "./layout.ts";
import { folderReader } from "./folders.ts";
import { pixelKeeper } from "../views/picture/layer.ts";
import { loadMore } from "../views/lists/cursor.ts";
import { notifyOf } from "./notify.ts";
import { openPoll } from "./open-poll.ts";
import { Paging } from "./paging.ts";
import { signInOffer } from "./sign-in.ts";
import { ReadTracker } from "./read-marks.ts";
import { themePreview } from "./theme-preview.ts";
import { tourLooks } from "./tour.ts";
import { titleKeeper } from "./title.ts";

interface Effects {
  /** Called after every change of the model, before it is drawn. */
  look(model: Model): void;
  heard(event: AnyEvent): void;
}

export function createEffects(ports: Ports): Effects {
  const marks = new ReadTracker(ports);
  const paging = new Paging(ports);
  /** Called in this order. */
  const looks: readonly ((model: Model) => void)[] = [
    (model) => marks.look(model),
    (model) => paging.look(model),
    titleKeeper(ports),
    folderReader(ports),
    themePreview(ports),
    (model) => tourLooks(ports, model),
    pixelKeeper(ports),
    (model) => loadMore(ports, model),
    layoutKeeper(ports),
    signInOffer(ports),
    browseCursor(ports),
    openPoll(ports),
  ];
  return {
    look(model) {
      for (const look of looks) look(model);
    },
    heard: (event) => {
      if (event.type === "message.updated") saveEarlierText(ports.core, event);
      else notifyOf(event, ports);
    },
  };
}
