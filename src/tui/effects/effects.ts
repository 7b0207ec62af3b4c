/** Starts what the screen does by itself: read marks, paging, title and desktop notifications. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Ports } from "../screen/ports.ts";
import { keepEarlier } from "../screen/said-before.ts";
import type { Model } from "../screen/store.ts";
import { browseCursor } from "./browse-cursor.ts";
import { layoutKeeper } from "./layout.ts";
import { folderReader } from "./folders.ts";
import { pixelKeeper } from "../views/picture/layer.ts";
import { loadMore } from "../views/lists/cursor.ts";
import { notifyOf } from "./notify.ts";
import { Paging } from "./paging.ts";
import { signInOffer } from "./sign-in.ts";
import { ReadMarks } from "./read-marks.ts";
import { themePreview } from "./theme-preview.ts";
import { tourLooks } from "./tour.ts";
import { titleKeeper } from "./title.ts";

interface Effects {
  /** After every change of the snapshot, before it is drawn. */
  look(model: Model): void;
  heard(event: AnyEvent): void;
}

export function createEffects(ports: Ports): Effects {
  const marks = new ReadMarks(ports);
  const paging = new Paging(ports);
  const title = titleKeeper(ports);
  const pixels = pixelKeeper(ports);
  const folders = folderReader(ports);
  const preview = themePreview(ports);
  const layout = layoutKeeper(ports);
  const signIn = signInOffer(ports);
  const cursor = browseCursor(ports);
  return {
    look(model) {
      marks.look(model);
      paging.look(model);
      title(model);
      folders(model);
      preview(model);
      tourLooks(ports, model);
      pixels(model);
      loadMore(ports, model);
      layout(model);
      signIn(model);
      cursor(model);
    },
    heard: (event) => {
      if (event.type === "message.updated") keepEarlier(ports.core, event);
      else notifyOf(event, ports);
    },
  };
}
