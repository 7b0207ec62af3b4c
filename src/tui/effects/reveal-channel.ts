/** Scrolls the sidebar to the channel that was just opened; afterwards the wheel may scroll it away. */
import type { Ports } from "../ports/ports.ts";
import type { Model } from "../screen/store.ts";
import { linesOf, listRect, topFor } from "../views/sidebar/lines.ts";

/** Returns a function to call after every change of the model. */
export function channelRevealer({ store }: Pick<Ports, "store">): (model: Model) => void {
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
