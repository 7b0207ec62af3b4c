/** Groups and orders the channels of the sidebar: sections, pins, and the setting `sidebar.order`. */
import { compareNames } from "../../screen/name-order.ts";
import { channelTitle, groupOf, listedChannels, type Group } from "../../../model/channels.ts";
import { fold } from "../../../text/fold.ts";
import type { ChannelEntry, State } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { SidebarLook } from "../../screen/look.ts";
import type { Arrangement, SidebarSection } from "../../screen/screen.ts";

export interface ChannelGroup {
  /** The key of the group: a built-in one, or `section:NAME`. */
  group: string;
  label: string;
  entries: ChannelEntry[];
}

interface GroupingProps {
  state: State;
  arrangement: Arrangement;
  order: SidebarLook["order"];
}

const { places } = words;
const GROUPS_ABOVE: readonly Group[] = ["invited", "pinned"];
const GROUPS_BELOW: readonly Group[] = ["channels", "direct", "archived"];
const LABELS: Readonly<Record<Group, string>> = {
  invited: places.invites,
  pinned: places.pinned,
  channels: places.channels,
  direct: places.direct,
  archived: places.archived,
};

const SECTION = "section:";
const sectionKey = (name: string): string => SECTION + name;
/** The section name of a group key; undefined for built-in groups. */
export const sectionOf = (group: string): string | undefined =>
  group.startsWith(SECTION) ? group.slice(SECTION.length) : undefined;

function sorted({ state, arrangement, order }: GroupingProps, entries: ChannelEntry[]): ChannelEntry[] {
  if (order === "activity") return entries;
  const position = new Map(order === "manual" ? arrangement.order.map((cid, i) => [cid, i]) : []);
  return entries
    .map((entry) => ({ entry, title: channelTitle(entry, state.me?.id) }))
    .toSorted(
      (a, b) =>
        // Channels never moved by hand sort after those that were.
        (position.get(a.entry.cid) ?? position.size) - (position.get(b.entry.cid) ?? position.size) ||
        compareNames(a.title, b.title) ||
        (a.entry.cid < b.entry.cid ? -1 : 1),
    )
    .map(({ entry }) => entry);
}

/** All non-empty groups, from the top. Sections take only channels that would be among the channels or the direct ones. */
export function channelGroups(props: GroupingProps): ChannelGroup[] {
  const { sections } = props.arrangement;
  const sectionOfChannel = new Map(
    sections.flatMap(({ name, cids }) => cids.map((cid) => [cid, sectionKey(name)])),
  );
  const byGroup = Map.groupBy(listedChannels(props.state), (entry) => {
    const group = groupOf(entry);
    return group === "channels" || group === "direct" ? (sectionOfChannel.get(entry.cid) ?? group) : group;
  });
  const withLabel = (group: Group): [string, string] => [group, LABELS[group]];
  const all = [
    ...GROUPS_ABOVE.map(withLabel),
    ...sections.map(({ name }): [string, string] => [sectionKey(name), name]),
    ...GROUPS_BELOW.map(withLabel),
  ];
  return all.flatMap(([group, label]) => {
    const entries = byGroup.get(group);
    return entries ? [{ group, label, entries: sorted(props, entries) }] : [];
  });
}

/** The channels whose title contains every word of the query, ignoring case and accents. */
export function filtered(
  groups: readonly ChannelGroup[],
  query: string,
  me: string | undefined,
): ChannelGroup[] {
  const queryWords = fold(query).split(/\s+/).filter(Boolean);
  if (queryWords.length === 0) return [...groups];
  return groups.flatMap((group) => {
    const entries = group.entries.filter((entry) => {
      const title = fold(channelTitle(entry, me));
      return queryWords.every((word) => title.includes(word));
    });
    return entries.length ? [{ ...group, entries }] : [];
  });
}

/** The list with one item moved by one position, if possible. */
function withItemMoved<T>(list: readonly T[], at: number, by: 1 | -1): readonly T[] {
  const to = at + by;
  if (at < 0 || to < 0 || to >= list.length) return list;
  return list.toSpliced(at, 1).toSpliced(to, 0, list[at]!);
}

/** Moves a channel one position up or down in its group; all others keep their present order. */
export function channelMoved(
  arrangement: Arrangement,
  groups: readonly ChannelGroup[],
  cid: string,
  by: 1 | -1,
): Arrangement {
  const order = groups.flatMap(({ entries }) => {
    const cids = entries.map((entry) => entry.cid);
    return withItemMoved(cids, cids.indexOf(cid), by);
  });
  return { ...arrangement, order };
}

export function sectionMoved(arrangement: Arrangement, name: string, by: 1 | -1): Arrangement {
  const { sections } = arrangement;
  const at = sections.findIndex((one) => one.name === name);
  return { ...arrangement, sections: withItemMoved(sections, at, by) };
}

/** Moves a channel into a section, which is created if needed, or out of its section without a name. Removes empty sections. */
export function putInSection(arrangement: Arrangement, cid: string, name: string | undefined): Arrangement {
  const sections = arrangement.sections.map((one): SidebarSection => ({
    ...one,
    cids: one.cids.filter((other) => other !== cid),
  }));
  const at = sections.findIndex((one) => one.name === name);
  if (at >= 0) sections[at] = { name: name!, cids: [...sections[at]!.cids, cid] };
  else if (name !== undefined) sections.push({ name, cids: [cid] });
  return { ...arrangement, sections: sections.filter(({ cids }) => cids.length > 0) };
}
