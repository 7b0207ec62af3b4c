/** Opens channels and threads at their first unread message (setting `openAt`), and keeps the line of new replies of the open thread. */
import { compareTimes, timeToMs } from "../../wire/time.ts";
import { shownSet } from "../../model/select.ts";
import type { ChannelEntry, ClientMessage, MessageSet, ThreadRef } from "../../model/state.ts";
import type { Ports } from "../ports/ports.ts";
import { placeKey } from "../screen/place-key.ts";
import { panelPlace, scrollOf, type ScrollView } from "../screen/screen.ts";
import type { Model, Reads } from "../screen/store.ts";
import { withScroll } from "../screen/transitions.ts";
import { feedWindow, unreadAnchor } from "../views/messages/feed/feed.ts";
import { endJump, firstMessageSince } from "../views/messages/navigation.ts";
import { listOf } from "../views/messages/list.ts";

type Needs = Pick<Ports, "core" | "store" | "feeds" | "settings">;

/** The slices that {@link firstUnreadOpener} reads. */
export const OPENING_SLICES = ["state", "lists", "layout", "cid", "other", "panels", "jumping"] as const;

type Input = Reads<(typeof OPENING_SLICES)[number]> & Pick<Model, "lists">;

type Thread = ThreadRef & { parentId: string };

/** Scrolls to the first unread message, with some of the earlier ones above it; to the end if everything new is in sight there. */
function showFrom(ports: Needs, place: ThreadRef, id: string, select: boolean): void {
  const { feed, height } = listOf(ports, place);
  const anchor = unreadAnchor(feed, height, id);
  const view = scrollOf(ports.store.screen, place);
  const { lines } = feedWindow(feed, height, anchor);
  const seenId = lines.at(-1)?.id;
  const next: ScrollView = { ...(select ? { selected: id } : view), ...(seenId !== undefined && { seenId }) };
  delete next.anchor;
  ports.store.update((s) => withScroll(s, place, anchor ? { ...next, anchor } : next), false);
}

/** Loads the page around the first unread message: itself, else the last one read, else the first after the time of the last mark. */
async function loadFirstUnread(
  ports: Needs,
  { cid, firstUnreadId, read, sets }: ChannelEntry,
): Promise<void> {
  const mark = read.get(ports.core.userId ?? "");
  const isLoaded = sets.some(({ messages }) => firstUnreadId && messages.indexOf(firstUnreadId) >= 0);
  const jump = (id: string | undefined): Promise<boolean> =>
    id
      ? ports.core.jumpTo({ cid }, id).then(
          () => true,
          () => false,
        )
      : Promise.resolve(false);
  // A message that is named may be gone.
  if (await jump(isLoaded ? undefined : firstUnreadId)) return;
  if (await jump(mark?.last_read_message_id)) return;
  await jump((await firstMessageSince(ports, { cid }, mark?.last_read ? timeToMs(mark.last_read) : 0))?.id);
}

/** The first reply that the user has not read, by the time of the last mark, else by their number. */
function firstUnreadReply(
  { lists }: Pick<Model, "lists">,
  set: MessageSet,
  parentId: string,
  me: string | undefined,
) {
  const thread = lists.threads.threads.find(({ parent_message_id: id }) => id === parentId);
  if (!thread || thread.unread === 0) return undefined;
  const lastRead = thread.read?.find(({ user }) => user.id === me)?.last_read;
  const others = set.messages.slice(0, set.messages.length).filter(({ user }) => user?.id !== me);
  const isNew = ({ created_at }: ClientMessage, at: number): boolean =>
    lastRead ? compareTimes(created_at, lastRead) > 0 : at >= others.length - thread.unread;
  return others.find(isNew)?.id;
}

/** Returns a function to call after every change of the model, before it is drawn. */
export function firstUnreadOpener(ports: Needs): (model: Input) => void {
  const { core, store, settings } = ports;
  let cid: string | undefined;
  let otherCid: string | undefined;
  let thread: string | undefined;
  /** What has been opened and not been placed yet; a channel is placed again when it is up to date. */
  const waiting = new Set<string>();
  let threadWaits = false;

  const loadAround = async (entry: ChannelEntry): Promise<void> => {
    const place = { cid: entry.cid };
    store.update((s) => ({ ...s, jumping: true }), false);
    try {
      await loadFirstUnread(ports, entry);
      // What has just been loaded is in the model only now.
      store.update((s) => s);
      const first = store.state.channels.get(place.cid)?.firstUnreadId;
      if (store.screen.cid === place.cid && first !== undefined) showFrom(ports, place, first, false);
    } catch {
      // Without an answer the channel stays where it is.
    } finally {
      endJump(ports);
    }
  };

  const placeChannel = ({ state, screen, layout }: Input, opened: string): void => {
    const entry = state.channels.get(opened);
    const isOther = opened !== screen.cid;
    if (!waiting.has(opened) || !entry || !(isOther ? layout.other : layout.main) || screen.jumping) return;
    const place = { cid: entry.cid };
    const set = shownSet(state, place);
    const isCurrent = entry.watched && !entry.stale;
    const { firstUnreadId, unread } = entry;
    const at = set && firstUnreadId !== undefined ? set.messages.indexOf(firstUnreadId) : -1;
    const isFar = unread > 0 && set?.hasPrev === true && at <= 0;
    // What is not loaded is loaded for the half with the focus.
    if (isOther && isFar) return;
    if (isCurrent) waiting.delete(opened);
    if (!set || unread === 0) return;
    if (firstUnreadId !== undefined && at >= 0) showFrom(ports, place, firstUnreadId, false);
    if (isCurrent && isFar) void loadAround(entry);
  };

  /** A channel is opened when it was in neither half before. */
  const noteOpened = ({ cid: next, other, jumping }: Input["screen"]): void => {
    const shown = [cid, otherCid];
    [cid, otherCid] = [next, other?.cid];
    for (const one of waiting) if (one !== cid && one !== otherCid) waiting.delete(one);
    if (settings.openAt === "newest") return;
    if (cid !== undefined && !shown.includes(cid) && !jumping) waiting.add(cid);
    if (otherCid !== undefined && !shown.includes(otherCid)) waiting.add(otherCid);
  };

  const placeThread = (model: Input, place: Thread): void => {
    const set = shownSet(model.state, place);
    if (!threadWaits || !set || set.messages.length === 0 || !model.layout.panel) return;
    threadWaits = false;
    const id = firstUnreadReply(model, set, place.parentId, core.userId);
    store.update(
      (s) => ({ ...s, threadLine: id === undefined ? undefined : { key: placeKey(place), id } }),
      false,
    );
    if (id !== undefined && settings.openAt !== "newest")
      showFrom(ports, place, id, store.screen.focus === "panel");
  };

  return (model) => {
    const { screen } = model;
    if (screen.cid !== cid || screen.other?.cid !== otherCid) noteOpened(screen);
    if (cid !== undefined) placeChannel(model, cid);
    if (otherCid !== undefined) placeChannel(model, otherCid);
    const place = panelPlace(screen);
    const key = place?.parentId === undefined ? undefined : placeKey(place);
    if (key !== thread) {
      thread = key;
      threadWaits = key !== undefined;
    }
    if (place?.parentId !== undefined) placeThread(model, { ...place, parentId: place.parentId });
  };
}
