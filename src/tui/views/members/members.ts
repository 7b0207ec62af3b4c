/** The members of a channel in the panel: online ones first, each group by name. */
import { userName } from "../../../model/channels.ts";
import type { ChannelEntry } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { QUERY_MEMBERS_LIMIT } from "../../../wire/constants.ts";
import { listPane, type ChannelListState } from "../../components/list-pane.tsx";
import { compareNames } from "../../screen/name-order.ts";
import { memoizeLast } from "../../screen/store.ts";
import { openPersonMenu } from "../moderation/person-menu.ts";

interface MemberLine {
  /** User id. */
  id: string;
  name: string;
  online: boolean;
  /** Absent for an ordinary member. */
  role?: string;
}

/** Cached: the list, its keys and their hints need it. */
export const memberLines = memoizeLast((members: ChannelEntry["members"]): readonly MemberLine[] =>
  [...members.values()]
    .map(({ user_id: id, user, channel_role: role }): MemberLine => ({
      id,
      name: userName(user ?? { id }),
      online: user?.online === true,
      ...(role && role !== "channel_member" && { role: cleanLine(role) }),
    }))
    .toSorted((a, b) => Number(b.online) - Number(a.online) || compareNames(a.name, b.name)),
);

const NOBODY: readonly MemberLine[] = [];

export const membersPane = listPane<MemberLine, ChannelListState>({
  name: "members",
  section: "In the list of members",
  title: words.panels.members,
  show: {
    title: "Members of this channel",
    keywords: "people who users participants roles online names",
    former: "members",
  },
  open: (cid) => ({ name: "members", key: cid, cid }),
  items({ state }, { cid }) {
    const entry = state.channels.get(cid);
    return entry ? memberLines(entry.members) : NOBODY;
  },
  keyOf: ({ id }) => id,
  rows({ name, online, role }, { theme, width }) {
    const shown = truncate(name, Math.max(1, width - 3));
    const suffix = role === undefined ? "" : truncate(`  ${role}`, Math.max(0, width - 3 - cellWidth(shown)));
    return [`${online ? theme.good("●") : theme.dim("○")} ${shown}${theme.dim(suffix)}`];
  },
  footer({ state }, { cid, loading }, { length }) {
    const left = (state.channels.get(cid)?.memberCount ?? 0) - length;
    if (left <= 0) return undefined;
    const more = words.panels.more(left);
    return `… ${loading ? `${more} · ${words.message.loading}` : more}`;
  },
  // Core adds the page to the members that it holds.
  load: ({ core }, { cid, next }) =>
    core.members(cid).page({ limit: QUERY_MEMBERS_LIMIT[1], ...(next !== undefined && { next }) }),
  prefetch: 20,
  choose: {
    title: "All actions for the member",
    hint: "person",
    former: "memberOpen",
    run: (ports, { id }, { cid }) => openPersonMenu(ports, id, cid),
  },
  hints: [{ action: "lineDown" }],
  restores: true,
});
