/** Pins, archives and mutes channels for the current user, and undoes it; a pin and an archive end each other. */
import { channelTitle } from "../../../model/channels.ts";
import { isChannelMuted } from "../../../model/mutes.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import type { Action } from "../../ports/ports.ts";
import { targetChannel } from "../../screen/selectors.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { showNotice } from "../../screen/notices.ts";

type ChannelMark = "pinned" | "archived";

const toggleMark =
  (mark: ChannelMark): Action =>
  (ports) => {
    const { core, store } = ports;
    const entry = targetChannel(store.get());
    const path = entry && splitCid(entry.cid);
    const me = core.userId;
    if (!entry || !path || me === undefined) return showNotice(ports, words.sidebar.chooseFirst);
    const before: ChannelMark | undefined = entry.membership?.archived_at
      ? "archived"
      : entry.membership?.pinned_at
        ? "pinned"
        : undefined;
    const setMark = (changed: ChannelMark, on: boolean): Promise<unknown> =>
      core.call("updateMemberPartial", { path: { ...path, user_id: me }, body: { set: { [changed]: on } } });
    const undo = (): Promise<unknown> =>
      before === undefined ? setMark(mark, false) : setMark(before, true);
    const notice = {
      done: words.sidebar.changed[mark](channelTitle(entry, me), before !== mark),
      what: words.sidebar.change,
    };
    runAndOfferTakeBack(ports, setMark(mark, before !== mark), notice, undo);
  };

const toggleMute: Action = (ports) => {
  const { core, store } = ports;
  const entry = targetChannel(store.get());
  if (!entry) return showNotice(ports, words.sidebar.chooseFirst);
  const body = { channel_cids: [entry.cid] };
  const wasMuted = isChannelMuted(store.state.me, entry.cid, store.get().now);
  const setMuted = (on: boolean): Promise<unknown> =>
    core.call(on ? "muteChannel" : "unmuteChannel", { body });
  const title = channelTitle(entry, core.userId);
  const notice = {
    done: wasMuted ? words.lines.unmuted(title) : words.lines.muted(title, ""),
    what: words.sidebar.change,
  };
  runAndOfferTakeBack(ports, setMuted(!wasMuted), notice, () => setMuted(wasMuted));
};

export const channelMarkActions = {
  muteChannel: toggleMute,
  pinChannel: toggleMark("pinned"),
  archiveChannel: toggleMark("archived"),
} satisfies Record<string, Action>;
