/** Opens channels, threads and panels. */
import { channelsWithUnread } from "../../model/channels.ts";
import { words } from "../../text/words.ts";
import { channelOpened, panelPushed } from "../screen/transitions.ts";
import { threadPanel, type Panel } from "../screen/screen.ts";
import type { Action, Ports } from "../ports/ports.ts";
import { attempt, showError, showNotice } from "../screen/notices.ts";

export type NavigationPorts = Pick<Ports, "core" | "store" | "boxes">;

/**
 * Opens a channel in the half with the focus: loaded messages are shown at once, the others when it is watched.
 * `jumping`: a jump to one of its messages follows, so its end is not marked read meanwhile.
 */
export function openChannel(ports: NavigationPorts, cid: string, jumping = false): void {
  const { core, store, boxes } = ports;
  const previous = store.screen.cid;
  if (previous !== undefined && previous !== cid) core.left(previous);
  // A channel marked unread by hand need not be left before it counts as read again (R-READ-6).
  if (previous !== cid && store.state.channels.get(cid)?.keepsUnread) core.endLine(cid);
  store.update((screen) => channelOpened(screen, cid, jumping));
  boxes.open({ cid });
  core.keep("channel", cid);
  // The message that the draft quotes or edits may be loaded only now.
  if (!store.state.channels.get(cid)?.watched)
    attempt(
      ports,
      core.watchExisting(cid).then(() => boxes.open({ cid })),
    );
}

/** Opens the direct channel with these users, creating it if needed; returns its cid. */
export async function openDirect(
  ports: NavigationPorts & Pick<Ports, "settings">,
  ids: string[],
): Promise<string> {
  const cid = await ports.core.openDirect(ids, ports.settings.channelType);
  ports.store.update((s) => s);
  openChannel(ports, cid);
  return cid;
}

/** Goes to channels with mentions first, then direct ones, then the rest; after the last, back to the starting channel. */
function nextUnread(ports: NavigationPorts): void {
  const { cid, unreadRoundStart } = ports.store.screen;
  const next = channelsWithUnread(ports.store.state, ports.store.get().now).find(
    (entry) => entry.cid !== cid,
  );
  if (next) {
    ports.store.update((s) => ({ ...s, unreadRoundStart: s.unreadRoundStart ?? s.cid }));
    return openChannel(ports, next.cid);
  }
  ports.store.update((s) => ({ ...s, unreadRoundStart: undefined }));
  if (unreadRoundStart !== undefined && unreadRoundStart !== cid) openChannel(ports, unreadRoundStart);
  else showNotice(ports, words.notices.nothingNew);
}

function lastChannel(ports: NavigationPorts): void {
  const { lastCid } = ports.store.screen;
  if (lastCid !== undefined && ports.store.state.channels.get(lastCid)) openChannel(ports, lastCid);
}

export const openPanel = ({ store }: Pick<Ports, "store">, panel: Panel): void =>
  store.update((s) => panelPushed(s, panel));

/** Opens the thread in the panel; resolves when its replies are loaded, or the error has been shown. */
export async function openThread(
  ports: NavigationPorts,
  { cid, parentId }: { cid: string; parentId: string },
): Promise<void> {
  openPanel(ports, threadPanel({ cid, parentId }));
  ports.boxes.open({ cid, parentId });
  await ports.core.openThread(cid, parentId).catch((error: unknown) => showError(ports, error));
  ports.boxes.open({ cid, parentId });
}

export const openChannelActions = {
  nextUnread,
  lastChannel,
} satisfies Record<string, Action>;
