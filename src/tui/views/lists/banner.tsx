/** The line above the messages: the next step of the tour, else the newest pin. */
import { memo, useMemo } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { openEntry } from "../../screen/selectors.ts";
import { nextStep } from "../../screen/tour.ts";
import { openTour, tourRow } from "../tour/tour.ts";
import { bannerRow, pins } from "./pins.ts";

export const Banner = memo(({ rect }: { rect: Rect }) => {
  const { keys, settings } = usePorts();
  const { theme } = useLook();
  const pins = useModel(["state", "cid"], (model) => openEntry(model)?.pinned);
  const tour = useModel(["tour"], ({ screen }) => (nextStep(screen) ? screen.tour : undefined));
  const drawn = useMemo((): DrawnRows => {
    const row = tour
      ? tourRow(tour, { keys, settings }, theme, rect.width)
      : bannerRow(pins ?? [], theme, rect.width);
    return { rect, rows: [row] };
  }, [rect, keys, settings, theme, pins, tour]);
  return <Rows drawn={drawn} />;
});

export const bannerZone: MouseZone = {
  rect: ({ layout }) => layout.banner,
  click: (ports) => (nextStep(ports.store.screen) ? openTour(ports) : pins.show(ports)),
};
