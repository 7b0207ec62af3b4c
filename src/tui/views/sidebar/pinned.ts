/** Alt-1 to Alt-9: the channels of the Pinned group, in the order of the sidebar. */
import type { ChannelEntry } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { numbered } from "../../keys/numbered.ts";
import { openChannel, type NavigationPorts } from "../../navigation/open-channel.ts";
import type { Action } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";
import type { Snapshot } from "../../screen/store.ts";
import { groupsOf } from "./lines.ts";

export const pinnedIn = (model: Snapshot): readonly ChannelEntry[] =>
  groupsOf(model).find(({ group }) => group === "pinned")?.entries ?? [];

function openPinned(n: number) {
  return (ports: NavigationPorts): void => {
    const entry = pinnedIn(ports.store.get())[n - 1];
    if (entry) openChannel(ports, entry.cid);
    else showNotice(ports, words.acting.noPinned(n));
  };
}

export const pinnedActions = numbered("pinned", openPinned) satisfies Record<string, Action>;
