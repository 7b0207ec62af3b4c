/** Pins and archives channels for the current user: each ends the other and can be undone. */
import { channelTitle } from "../../../model/channels.ts";
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

export const channelMarkActions = {
  pinChannel: toggleMark("pinned"),
  archiveChannel: toggleMark("archived"),
} satisfies Record<string, Action>;
