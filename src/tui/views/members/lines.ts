/** The members of a channel as lines: online ones first, each group by name. */
import { compareNames } from "../../screen/name-order.ts";
import { userName } from "../../../model/channels.ts";
import type { ChannelEntry } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import type { MembersPanel } from "../../screen/screen.ts";
import { memoizeLast } from "../../screen/store.ts";

export interface MemberLine {
  /** User id. */
  id: string;
  name: string;
  online: boolean;
  /** Absent for an ordinary member. */
  role?: string;
}

/** Cached: the list, its keys and their hints need it. */
export const memberLines = memoizeLast((members: ChannelEntry["members"]): MemberLine[] =>
  [...members.values()]
    .map(({ user_id: id, user, channel_role: role }): MemberLine => ({
      id,
      name: userName(user ?? { id }),
      online: user?.online === true,
      ...(role && role !== "channel_member" && { role: cleanLine(role) }),
    }))
    .toSorted((a, b) => Number(b.online) - Number(a.online) || compareNames(a.name, b.name)),
);

/** The index of the selected person, who may have moved in the list. */
export function memberCursor(panel: MembersPanel, lines: readonly MemberLine[]): number {
  const at = lines.findIndex(({ id }) => id === panel.selected);
  return at < 0 ? 0 : at;
}
