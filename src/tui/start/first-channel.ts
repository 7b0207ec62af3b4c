/** Chooses the channel opened at the start: the requested one, the last one, the welcome channel, or the first unread one. */
import { splitCid } from "../../wire/ids.ts";
import { ChannelNotFound } from "../../model/errors.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { listedChannels, channelsWithUnread } from "../../model/channels.ts";
import type { Ports } from "../ports/ports.ts";
import { onlyChannelCalled } from "../navigation/destinations.ts";
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

/** The requested channel, or where `#name` of the default type does not exist, the only channel of the list that is called so. */
async function lookUpRequested(
  { core, store, settings }: NavigationPorts & Pick<Ports, "settings">,
  cid: string,
): Promise<string> {
  try {
    await lookUpChannel(core, cid);
    return cid;
  } catch (error) {
    const { type, id } = splitCid(cid)!;
    const called = type === settings.channelType ? onlyChannelCalled(store.state, id) : undefined;
    if (!(error instanceof ChannelNotFound) || called === undefined) throw error;
    return called;
  }
}

/**
 * Opens the requested channel once the user's channels are loaded: `@user` opens a direct channel; a channel the user is not a member of is
 * looked up, never by a query that would create it (specification/command-line.md §5). If that fails, shows why and opens another one.
 */
export async function openRequested(
  ports: NavigationPorts & Pick<Ports, "settings">,
  requested: string,
): Promise<void> {
  try {
    if (ports.store.screen.cid !== undefined) return;
    const place = splitCid(requested);
    if (requested.startsWith("@")) {
      const cid = await ports.core.openDirect([requested.slice(1)], ports.settings.channelType);
      ports.store.update((s) => s);
      if (ports.store.screen.cid === undefined) openChannel(ports, cid);
    } else if (ports.store.state.channels.has(requested)) openChannel(ports, requested);
    else if (place) {
      const cid = await lookUpRequested(ports, requested);
      if (ports.store.screen.cid === undefined) openChannel(ports, cid);
    }
  } catch (error) {
    showError(ports, error);
  }
  openFirst(ports, undefined);
}
