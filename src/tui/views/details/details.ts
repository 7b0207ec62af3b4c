/** The details of a channel in the panel, with its pins and who is online. */
import { plainTextOf } from "../../../model/message-words.ts";
import {
  averageAnswer,
  wholeChannelTitle,
  channelTopic,
  isDirect,
  isMuted,
  otherMembers,
  userName,
  wholeUserName,
} from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { wholeDate } from "../../../text/times.ts";
import { padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { count, words } from "../../../text/words.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { ChannelEntry } from "../../../model/state.ts";
import { pagePanel, type PageState } from "../../components/page.tsx";
import type { Ports } from "../../ports/ports.ts";
import type { Theme } from "../../render/theme.ts";
import { cidAside, DETAILS, detailsPanel, topPanel, topPanelOf } from "../../screen/screen.ts";
import { panelPopped, panelPushed } from "../../screen/transitions.ts";
import { memberLines } from "../members/members.ts";

/** Opens the details of the open channel. */
function show({ store }: Pick<Ports, "store">): void {
  const { cid } = store.screen;
  if (cid !== undefined) store.update((s) => panelPushed(s, detailsPanel(cid)));
}

/** Closes the panel, or opens the details of the channel. */
export function togglePanel(ports: Pick<Ports, "store">): void {
  const { store } = ports;
  if (topPanel(store.screen)) store.update(panelPopped);
  else if (cidAside(store.screen)) store.update((s) => ({ ...s, detailsClosed: true }));
  else show(ports);
}

/** So many people are named; the list of members has all. */
const MOST_ONLINE = 12;

/** A heading and the names of the members who are online. */
function onlineRows({ members }: Pick<ChannelEntry, "members">, theme: Theme, width: number): string[] {
  const online = memberLines(members).filter((line) => line.online);
  if (online.length === 0) return [];
  const names = online
    .slice(0, MOST_ONLINE)
    .map(({ name }) => ` ${theme.good("●")} ${truncate(name, Math.max(1, width - 4))}`);
  const left = online.length - names.length;
  const more = left > 0 ? [`   ${theme.dim(words.panels.more(left))}`] : [];
  return ["", ` ${theme.bold(words.panels.online)}`, ...names, ...more];
}

/** Cells of a name, and in a narrow panel, where values need them more. */
const LABEL = { wide: 12, narrow: 9, below: 32 };

function field(theme: Theme, name: string, value: string, width: number): string[] {
  const label = width < LABEL.below ? LABEL.narrow : LABEL.wide;
  const rows = wrapText(value, Math.max(8, width - label - 2));
  return rows.map((row, i) => ` ${theme.dim(padEnd(i === 0 ? name : "", label))} ${row}`);
}

export const details = pagePanel<PageState>({
  name: DETAILS,
  title: words.panels.details,
  show: {
    title: "Details of this channel",
    keywords: "info about topic description purpose",
    former: DETAILS,
    run: (ports) => (topPanelOf(ports.store.screen, DETAILS) ? ports.store.update(panelPopped) : show(ports)),
  },
  restore: show,
  rows({ entry, state, width, context }) {
    const { theme, now } = context;
    const { channel } = entry;
    const flags = [
      channel.frozen && words.channel.frozen,
      channel.disabled && words.channel.disabled,
      isMuted(state, entry.cid, now) && words.channel.muted,
      entry.membership?.pinned_at && words.message.pinned,
      entry.stale && words.channel.stale,
    ].filter((f) => typeof f === "string");
    const topic = channelTopic(channel);
    const by = channel.created_by && (state.users.get(channel.created_by.id) ?? channel.created_by);
    const pins = entry.pinned.map(
      (m) => ` ${truncate(`${userName(m.user)}: ${plainTextOf(m)}`, Math.max(1, width - 2))}`,
    );
    const others = isDirect(entry) ? otherMembers(entry, state.me?.id) : [];
    const answers =
      others.length === 1 ? averageAnswer(state.users.get(others[0]!.id) ?? others[0]) : undefined;
    const fields: [string, string | undefined][] = [
      ["name", wholeChannelTitle(entry, state.me?.id)],
      ["topic", topic || undefined],
      ["id", cleanLine(entry.cid)],
      ["members", count(entry.memberCount, "member")],
      ["watching", String(entry.watcherCount)],
      ["created", wholeDate(timeToMs(channel.created_at), context)],
      ["by", by && wholeUserName(by)],
      [words.panels.slowMode, channel.cooldown ? `${channel.cooldown} s` : undefined],
      ["answers", answers && words.people.onAverage(answers)],
      ["state", flags.join(", ") || undefined],
    ];
    return [
      ...fields.flatMap(([name, value]) => (value === undefined ? [] : field(theme, name, value, width))),
      ...onlineRows(entry, theme, width),
      ...(pins.length > 0 ? ["", ` ${theme.bold(words.panels.pinned)}`, ...pins] : []),
    ];
  },
});
