/** Pins and archives channels for the current user: each ends the other and can be undone. */
import { channelTitle } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import type { Action } from "../../ports/ports.ts";
import { targetChannel } from "../../screen/selectors.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { showNotice } from "../../screen/notices.ts";

type Kept = "pinned" | "archived";

const keep =
  (wanted: Kept): Action =>
  (ports) => {
    const { core, store } = ports;
    const entry = targetChannel(store.get());
    const path = entry && splitCid(entry.cid);
    const me = core.userId;
    if (!entry || !path || me === undefined) return showNotice(ports, words.sidebar.chooseFirst);
    const before: Kept | undefined = entry.membership?.archived_at
      ? "archived"
      : entry.membership?.pinned_at
        ? "pinned"
        : undefined;
    const set = (kept: Kept, on: boolean): Promise<unknown> =>
      core.call("updateMemberPartial", { path: { ...path, user_id: me }, body: { set: { [kept]: on } } });
    const back = (): Promise<unknown> => (before === undefined ? set(wanted, false) : set(before, true));
    const said = {
      done: words.sidebar.changed[wanted](channelTitle(entry, me), before !== wanted),
      what: words.sidebar.change,
    };
    runAndOfferTakeBack(ports, set(wanted, before !== wanted), said, back);
  };

export const keepingActions = {
  pinChannel: keep("pinned"),
  archiveChannel: keep("archived"),
} satisfies Record<string, Action>;
