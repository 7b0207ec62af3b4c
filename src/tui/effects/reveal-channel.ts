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
    const line = lines.find((each) => each.kind === "channel" && each.cid === cid);
    const top = topFor(lines, sidebar.top, listRect(layout.sidebar, screen).height, line?.key);
    if (top !== sidebar.top) store.update((s) => ({ ...s, sidebar: { ...s.sidebar, top } }), false);
  };
}
