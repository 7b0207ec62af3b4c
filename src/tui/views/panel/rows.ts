/** Rows of the right panel: its title, and the pages for details, votes, "about" and a full message. */
import type { ChannelEntry, State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { wholeDate } from "../../../text/times.ts";
import { padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { count, words } from "../../../text/words.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { RowContext } from "../../render/context.ts";
import { messageRows } from "../../render/message.ts";
import { channelTitle, channelTopic, isMuted, userName } from "../../../model/channels.ts";
import type { Panel } from "../../screen/screen.ts";
import { aboutRows } from "../about/rows.ts";
import { voterRows } from "../poll/voters.ts";
import { messageIn, threadParent } from "../../screen/selectors.ts";
import type { Snapshot } from "../../screen/store.ts";
import type { Theme } from "../../render/theme.ts";

/** A thread, or a page about a channel or a message. */
export type ChannelPanel = Extract<Panel, { kind: "thread" | "details" | "votes" | "about" | "message" }>;

/** Panels that only show rows and can be scrolled. */
export type PagePanel = Extract<Panel, { kind: "details" | "votes" | "about" | "message" }>;

export function panelTitle(
  model: Pick<Snapshot, "state" | "lists">,
  panel: ChannelPanel,
  me: string | undefined,
): string {
  const { state } = model;
  const entry = state.channels.get(panel.cid);
  const title = entry ? channelTitle(entry, me) : "";
  switch (panel.kind) {
    case "thread": {
      const parent = threadParent(model, panel.cid, panel.parentId);
      const replies = parent ? ` · ${count(parent.reply_count, "reply", "replies")}` : "";
      return `${words.panels.thread}${replies}`;
    }
    case "details":
      return `${words.panels.details} · ${title}`;
    case "about":
      return `${words.panels.about} · ${title}`;
    case "votes":
      return `${words.panels.votes} · ${title}`;
    case "message":
      return `${userName(panel.message.user)} · ${title}`;
  }
}

function field(theme: Theme, name: string, value: string, width: number): string[] {
  const rows = wrapText(value, Math.max(8, width - 14));
  return rows.map((row, i) => ` ${theme.dim(padEnd(i === 0 ? name : "", 12))} ${row}`);
}

function detailRows(
  state: State,
  entry: ChannelEntry,
  theme: Theme,
  width: number,
  now: number,
  utc: boolean,
): string[] {
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
  const rows = [
    ...(topic === "" ? [] : field(theme, "topic", topic, width)),
    ...field(theme, "id", cleanLine(entry.cid), width),
    ...field(theme, "members", count(entry.memberCount, "member"), width),
    ...field(theme, "watching", String(entry.watcherCount), width),
    ...field(theme, "created", wholeDate(timeToMs(channel.created_at), { utc }), width),
  ];
  if (by) rows.push(...field(theme, "by", userName(by), width));
  if (channel.cooldown) rows.push(...field(theme, words.panels.slowMode, `${channel.cooldown} s`, width));
  if (flags.length) rows.push(...field(theme, "state", flags.join(", "), width));
  if (entry.pinned.length) {
    rows.push("", ` ${theme.bold(words.panels.pinned)}`);
    for (const m of entry.pinned)
      rows.push(` ${truncate(`${userName(m.user)}: ${cleanLine(m.text)}`, Math.max(1, width - 2))}`);
  }
  return rows;
}

interface PanelProps {
  state: State;
  panel: PagePanel;
  theme: Theme;
  width: number;
  context: RowContext;
  utc: boolean;
}

/** All rows of a page panel. */
export function panelRows(props: PanelProps): string[] {
  const { state, panel, theme, width, context } = props;
  const entry = state.channels.get(panel.cid);
  if (!entry) return [theme.dim(` ${words.channel.gone}`)];
  switch (panel.kind) {
    case "details":
      return detailRows(state, entry, theme, width, context.now, props.utc);
    case "about": {
      const message = messageIn(state, panel, panel.id);
      const { reactions, before } = panel;
      if (!message) return [theme.dim(` ${words.about.gone}`)];
      return aboutRows({ entry, message, reactions, before, width, context });
    }
    case "votes": {
      const poll = messageIn(state, panel, panel.id)?.poll;
      return poll ? voterRows(poll, theme, width) : [theme.dim(` ${words.poll.gone}`)];
    }
    case "message":
      return messageRows(panel.message, { ...context, expanded: true, revealed: true }).map(
        (row) => ` ${row}`,
      );
  }
}
