/** The lines of the sidebar: groups, unread sums, the order of R-PIN, unread and muted channels. */
import { expect, test } from "vitest";
import { channelsWithUnread } from "../../../../src/model/channels.ts";
import {
  neighbourChannel,
  sidebarLines,
  neighbourLine,
  newIn,
  sidebarWindow,
  topFor,
  type SidebarLine,
} from "../../../../src/tui/views/sidebar/lines.ts";
import { sidebarRows } from "../../../../src/tui/views/sidebar/rows.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import type { ChannelEntry } from "../../../../src/model/state.ts";
import { NO_COUNTS, EPOCH, channel, message, stateOf, user } from "../../../support/fake-core.ts";

const member = (more: object) => ({
  user_id: "me",
  channel_role: "channel_member",
  created_at: "",
  updated_at: "",
  ...more,
});
const direct = (id: string, other: string, more: Partial<ChannelEntry> = {}): ChannelEntry =>
  channel(`!members-${id}`, {
    name: "",
    memberCount: 2,
    members: new Map(["me", other].map((u) => [u, { ...member({}), user_id: u, user: user(u) }])),
    ...more,
  });
const lines = (
  channels: ChannelEntry[],
  folded: string[] = [],
  open?: string,
  drafts: string[] = [],
  state = stateOf(channels),
): SidebarLine[] =>
  sidebarLines({
    state,
    open,
    folded: new Set(folded),
    drafts: new Set(drafts),
    counts: NO_COUNTS,
    now: EPOCH,
  });
const keys = (all: SidebarLine[]): string[] => all.map((l) => l.key);

test("pinned channels come first, newest pin first; the rest by activity, then by cid (R-PIN-1)", () => {
  const all = lines([
    channel("b"),
    channel("a"),
    channel("busy", { messages: [message("m", "ana", "x", { minute: 5 })] }),
    channel("p1", { membership: member({ pinned_at: "2026-11-01T00:00:00Z" }) }),
    channel("p2", { membership: member({ pinned_at: "2026-11-02T00:00:00Z" }) }),
  ]);
  expect(keys(all)).toEqual([
    "view:inbox",
    "view:threads",
    "view:later",
    "view:drafts",
    "group:pinned",
    "messaging:p2",
    "messaging:p1",
    "group:channels",
    "messaging:busy",
    "messaging:a",
    "messaging:b",
  ]);
});

test("archived channels have their own group, and folded groups show their sums (R-PIN-2)", () => {
  const all = lines(
    [channel("old", { membership: member({ archived_at: "2026-11-01T00:00:00Z" }), unread: 4, mentions: 1 })],
    ["archived"],
  );
  expect(all.slice(4)).toMatchObject([
    { kind: "group", group: "archived", folded: true, unread: 4, mentions: 1 },
  ]);
});

test("the open channel stays visible in a folded group", () => {
  expect(keys(lines([channel("a"), channel("b")], ["channels"], "messaging:b"))).toEqual([
    "view:inbox",
    "view:threads",
    "view:later",
    "view:drafts",
    "group:channels",
    "messaging:b",
  ]);
});

test("a direct channel is named after the other person, and shows whether they are online", () => {
  const state = stateOf([direct("x", "ana")]);
  const online = lines([], [], undefined, [], state).find((l) => l.kind === "channel");
  expect(online).toMatchObject({ label: "ana", online: true });
});

test("drafts are marked", () => {
  expect(lines([channel("a")]).at(-1)).toMatchObject({ draft: false });
  expect(lines([channel("a")], [], undefined, ["messaging:a"]).at(-1)).toMatchObject({ draft: true });
});

test("unread channels are ordered by mentions, then direct ones, then the rest, without muted and archived ones", () => {
  const channels = [
    channel("plain", { unread: 1 }),
    direct("d", "ana", { unread: 1 }),
    channel("at", { unread: 1, mentions: 1 }),
    channel("muted", { unread: 9, mentions: 1 }),
    channel("old", { unread: 3, membership: member({ archived_at: "2026-11-01T00:00:00Z" }) }),
  ];
  const state = stateOf(channels);
  const muted = {
    ...state,
    me: {
      ...state.me!,
      channel_mutes: [
        { user: user("me"), channel: { cid: "messaging:muted" }, created_at: "", updated_at: "" },
      ],
    },
  };
  expect(channelsWithUnread(muted, EPOCH).map((e) => e.cid)).toEqual([
    "messaging:at",
    "messaging:!members-d",
    "messaging:plain",
  ]);
});

test("typing users are shown below a channel, but not below the open one", () => {
  const typing = [{ user: user("cy"), since: 0 }];
  expect(keys(lines([channel("a", { typing })]))).toContain("typing:messaging:a");
  expect(keys(lines([channel("a", { typing })], [], "messaging:a"))).not.toContain("typing:messaging:a");
});

test("the last message is shown below a channel if enabled, and typing users instead of it", () => {
  const withMessage = channel("a", { messages: [message("m", "ana", "done, see the **log**")] });
  const typing = channel("b", {
    messages: [message("n", "bo", "x")],
    typing: [{ user: user("cy"), since: 0 }],
  });
  const under = (preview: boolean): string[] =>
    sidebarLines({
      state: stateOf([withMessage, typing]),
      open: undefined,
      folded: new Set(),
      drafts: new Set(),
      counts: NO_COUNTS,
      now: EPOCH,
      look: { preview },
    }).flatMap((line) => (line.kind === "preview" ? [line.text] : line.kind === "typing" ? [line.kind] : []));
  expect(under(false)).toEqual(["typing"]);
  expect(under(true)).toEqual(["ana: done, see the log", "typing"]);
});

test("the cursor stops at lines that can be opened, and the window follows it", () => {
  const all = lines([channel("a", { typing: [{ user: user("cy"), since: 0 }] }), channel("b")]);
  expect(neighbourLine(all, "messaging:a", 1)).toBe("messaging:b");
  expect(neighbourLine(all, "messaging:b", 1)).toBe("messaging:b");
  expect(topFor(all, 0, 2, "messaging:b")).toBe(6);
  expect(neighbourChannel(all, "messaging:b", 1)).toBe("messaging:a");
});

const many = (unread: readonly number[]): SidebarLine[] =>
  lines(
    Array.from({ length: 60 }, (_, i) =>
      channel(`c${String(i).padStart(2, "0")}`, { unread: unread.includes(i) ? 2 : 0 }),
    ),
  );

test("the views stay above channels that scroll, and what is new above and below is counted", () => {
  const all = many([3, 50, 51]);
  const at = (cid: string) => sidebarWindow(all, 20, 0, cid);
  const { views, channels, top, height } = at("messaging:c30");
  expect(keys([...views])).toEqual(["view:inbox", "view:threads", "view:later", "view:drafts"]);
  expect(height).toBe(15);
  expect(channels[top + height - 1]!.key).toBe("messaging:c30");
  expect(newIn(channels.slice(0, top))).toEqual({ unread: 2, mentions: 0 });
  expect(newIn(channels.slice(top + height))).toEqual({ unread: 4, mentions: 0 });
  const rows = sidebarRows(at("messaging:c30"), {
    theme: makeTheme(0, "dark"),
    width: 20,
    cursor: undefined,
  });
  expect(rows).toHaveLength(20);
  expect(rows.at(-1)!.trim()).toBe("↑ 2   ↓ 4");
  expect(rows.filter((row) => row.endsWith("▐")).length).toBeGreaterThan(0);
});

test("the last row of a sidebar that scrolls says which channel has the cursor, else which are in sight", () => {
  const lastRow = (cursor: string | undefined, all = many([50]), height = 20): string =>
    sidebarRows(sidebarWindow(all, height, 0, cursor), { theme: makeTheme(0, "dark"), width: 24, cursor }).at(
      -1,
    )!;
  expect(lastRow("messaging:c30")).toBe(" ↓ 2           31 of 60 ");
  expect(lastRow("view:inbox")).toBe(" ↓ 2         1–14 of 60 ");
  expect(lastRow(undefined)).toBe(" ↓ 2         1–14 of 60 ");
  // What is new elsewhere is not cut for it.
  expect(lastRow(undefined, many([50, 51, 52]), 20)).toContain("↓ 6");
  expect(lastRow(undefined, many([]), 80).trim()).not.toContain(" of ");
});

test("a low sidebar scrolls its views, too", () => {
  expect(sidebarWindow(many([]), 8, 0, "messaging:c30").views).toEqual([]);
});

test("only unread channels, and the open one, are shown on demand, and muted ones with a mention", () => {
  const channels = [channel("a"), channel("b", { unread: 1 }), channel("c"), channel("d", { mentions: 1 })];
  const shown = sidebarLines({
    state: stateOf(channels),
    open: "messaging:a",
    folded: new Set(),
    drafts: new Set(),
    counts: NO_COUNTS,
    now: EPOCH,
    unreadOnly: true,
  });
  expect(keys(shown.filter(({ kind }) => kind === "channel")).toSorted()).toEqual([
    "messaging:a",
    "messaging:b",
    "messaging:d",
  ]);
});

test("a list in the place of the channel has the bar, and the channel a sign", () => {
  const all = sidebarLines({
    state: stateOf([channel("a")]),
    open: "messaging:a",
    folded: new Set(),
    drafts: new Set(),
    counts: NO_COUNTS,
    now: EPOCH,
    view: "inbox",
  });
  const look = { theme: makeTheme(0, "dark"), width: 20, cursor: undefined };
  const rows = sidebarRows(sidebarWindow(all, 30, 0, undefined), look);
  expect(rows.filter((row) => row.includes("▌")).map((row) => row.trim())).toEqual(["▌Inbox"]);
  expect(rows.some((row) => row.startsWith("›  #a"))).toBe(true);
});
