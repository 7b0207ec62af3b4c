/** Which channel a start opens: the one that was asked for, the last one, where newcomers are greeted, or the first that waits. */
import { splitCid } from "../wire/ids.ts";
import { listed, waiting } from "../model/channels.ts";
import type { Ui } from "./ui.ts";

/** Opens a channel once there is one to open; a wish of the command line is waited for, whatever else is there before it. */
export function openFirst(ui: Ui, wish: string | undefined): void {
  if (ui.screen.cid !== undefined) return;
  if (wish !== undefined) {
    if (ui.state.channels.has(wish)) ui.open(wish);
    return;
  }
  const last = ui.core.remember<string>("channel");
  // A first visit begins where newcomers are greeted, if there is such a place.
  const welcome = last === undefined ? `${ui.ports.channelType}:welcome` : undefined;
  const candidates = [last, welcome, waiting(ui.state, ui.model.now)[0]?.cid, listed(ui.state)[0]?.cid];
  const cid = candidates.find((c) => c !== undefined && ui.state.channels.has(c));
  if (cid !== undefined) ui.open(cid);
}

/**
 * After the user's channels have come: a wish that is not among them is a person (`@user`) or a channel to look into. It is
 * resolved by a GET, never by a query that would create it (specification/command-line.md §5); when there is none, that is told and another one opened.
 */
export async function openWished(ui: Ui, wish: string): Promise<void> {
  try {
    if (ui.screen.cid !== undefined) return;
    const place = splitCid(wish);
    if (wish.startsWith("@")) {
      const cid = await ui.core.openDirect([wish.slice(1)], ui.ports.channelType);
      ui.store.now((s) => s);
      if (ui.screen.cid === undefined) ui.open(cid);
    } else if (ui.state.channels.has(wish)) ui.open(wish);
    else if (place) {
      await ui.core.call("getChannel", { path: place, query: { state: false } });
      if (ui.screen.cid === undefined) ui.open(wish);
    }
  } catch (error) {
    ui.fail(error);
  }
  openFirst(ui, undefined);
}
