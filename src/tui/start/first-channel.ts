/** Chooses the channel opened at the start: the requested one, the last one, the welcome channel, or the first unread one. */
import { listedChannels, channelsWithUnread } from "../../model/channels.ts";
import type { Ports } from "../ports/ports.ts";
import { findRequested } from "../navigation/requested-channel.ts";
import { openChannel, type NavigationPorts } from "../navigation/open-channel.ts";
import { saveTour, savedTour } from "../screen/tour.ts";
import { showError } from "../screen/notices.ts";

/** Opens a channel as soon as one is loaded; a requested one is waited for. */
export function openFirst(
  ports: NavigationPorts & Pick<Ports, "settings">,
  requested: string | undefined,
): void {
  if (ports.store.screen.cid !== undefined) return;
  if (requested !== undefined) {
    if (ports.store.state.channels.has(requested)) openChannel(ports, requested);
    return;
  }
  const last = ports.core.remember<string>("channel");
  // The first start opens the welcome channel, if there is one.
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

/** Opens the requested channel once the user's channels are loaded. If it cannot be found, shows why and opens another one. */
export async function openRequested(
  ports: NavigationPorts & Pick<Ports, "settings">,
  requested: string,
): Promise<void> {
  const { core, store, settings } = ports;
  try {
    if (store.screen.cid !== undefined) return;
    const cid = await findRequested(core, requested, settings.channelType);
    store.update((s) => s);
    if (store.screen.cid === undefined) openChannel(ports, cid);
  } catch (error) {
    showError(ports, error);
  }
  openFirst(ports, undefined);
}
