/** Chooses the channel a start opens: the requested one, the last one, the welcome channel, or the first unread one. */
import { splitCid } from "../../wire/ids.ts";
import { listedChannels, channelsWithUnread } from "../../model/channels.ts";
import type { Ports } from "../ports/ports.ts";
import { openChannel, type Opening } from "../navigation/opening.ts";
import { saveTour, savedTour } from "../screen/tour.ts";
import { showError } from "../screen/notices.ts";

/** Opens a channel once there is one to open; one named on the command line is waited for, whatever else is there before it. */
export function openFirst(ports: Opening & Pick<Ports, "settings">, wanted: string | undefined): void {
  if (ports.store.screen.cid !== undefined) return;
  if (wanted !== undefined) {
    if (ports.store.state.channels.has(wanted)) openChannel(ports, wanted);
    return;
  }
  const last = ports.core.remember<string>("channel");
  // A first visit begins where newcomers are greeted, if there is such a place.
  const welcome = last === undefined ? `${ports.settings.channelType}:welcome` : undefined;
  const candidates = [
    last,
    welcome,
    channelsWithUnread(ports.store.state, ports.store.get().now)[0]?.cid,
    listedChannels(ports.store.state)[0]?.cid,
  ];
  const cid = candidates.find((c) => c !== undefined && ports.store.state.channels.has(c));
  if (cid === undefined) return;
  openChannel(ports, cid);
  const demo = ports.settings.profile === "local" && cid === welcome && !ports.settings.readOnly;
  if (demo && !savedTour(ports.core)) saveTour(ports, { done: [], on: true });
}

/**
 * After the user's channels have come: one named on the command line that is not among them is a person (`@user`) or a channel to look into. It is
 * resolved by a GET, never by a query that would create it (specification/command-line.md §5); when there is none, that is told and another one opened.
 */
export async function openWanted(ports: Opening & Pick<Ports, "settings">, wanted: string): Promise<void> {
  try {
    if (ports.store.screen.cid !== undefined) return;
    const place = splitCid(wanted);
    if (wanted.startsWith("@")) {
      const cid = await ports.core.openDirect([wanted.slice(1)], ports.settings.channelType);
      ports.store.update((s) => s);
      if (ports.store.screen.cid === undefined) openChannel(ports, cid);
    } else if (ports.store.state.channels.has(wanted)) openChannel(ports, wanted);
    else if (place) {
      await ports.core.call("getChannel", { path: place, query: { state: false } });
      if (ports.store.screen.cid === undefined) openChannel(ports, wanted);
    }
  } catch (error) {
    showError(ports, error);
  }
  openFirst(ports, undefined);
}
