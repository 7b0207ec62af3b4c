/** Arranging and searching the sidebar: its order, channels moved by hand, named sections, and filtering by a typed name. */
import { afterEach, describe, expect, test } from "vitest";
import type { ChannelEntry } from "../../../../src/model/state.ts";
import { NOT_ARRANGED } from "../../../../src/tui/screen/screen.ts";
import { panelPushed } from "../../../../src/tui/screen/transitions.ts";
import {
  channelGroups,
  channelMoved,
  putInSection,
  sectionMoved,
} from "../../../../src/tui/views/sidebar/groups.ts";
import { linesOf } from "../../../../src/tui/views/sidebar/lines.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const messageAt = (minute: number) => ({ messages: [message(`m${minute}`, "ana", "x", { minute })] });
const fourChannels = () =>
  stateOf([
    channel("general", messageAt(4)),
    channel("ops", messageAt(3)),
    channel("deploy 10", messageAt(2)),
    channel("deploy 9", { ...messageAt(1), membership: { user_id: "me" } as never }),
  ]);

async function start(options: MountOptions = {}, core = new FakeCore(fourChannels())): Promise<Mounted> {
  const m = await mount(core, { columns: 120, rows: 30, ...options });
  open.push(m);
  return m;
}

const names = (m: Mounted): string[] =>
  linesOf(m.model).flatMap((line) => (line.kind === "channel" || line.kind === "group" ? [line.label] : []));
const cursor = (m: Mounted): string | undefined => m.screen.sidebar.cursor;
const toSidebar = async (m: Mounted): Promise<void> => m.press("S-tab");

/** The conversation of two people. */
const direct = (id: string, more: Parameters<typeof channel>[1]) => channel(id, { ...more, name: "" });

test("a section takes channels and direct conversations; invites, pinned and archived ones keep their own groups", () => {
  const member = (more: object) => ({ membership: { user_id: "me", ...more } as never });
  const state = stateOf([
    channel("general", messageAt(4)),
    channel("ops", { ...messageAt(3), ...member({ invited: true, status: "pending" }) }),
    channel("old", { ...messageAt(2), ...member({ archived_at: "2026-01-01T00:00:00Z" }) }),
    channel("top", { ...messageAt(1), ...member({ pinned_at: "2026-01-01T00:00:00Z" }) }),
    direct("!members-bo", messageAt(6)),
    direct("!members-cy", messageAt(5)),
    direct("!members-old", { ...messageAt(7), ...member({ archived_at: "2026-01-01T00:00:00Z" }) }),
  ]);
  const cids = ["general", "ops", "old", "top", "!members-bo", "!members-old"].map((id) => `messaging:${id}`);
  const arrangement = { ...NOT_ARRANGED, sections: [{ name: "Work", cids }] };
  const groups = channelGroups({ state, arrangement, order: "activity" });
  expect(groups.map(({ group, entries }) => [group, entries.map(({ cid }) => cid)])).toEqual([
    ["invited", ["messaging:ops"]],
    ["pinned", ["messaging:top"]],
    ["section:Work", ["messaging:!members-bo", "messaging:general"]],
    ["direct", ["messaging:!members-cy"]],
    ["archived", ["messaging:!members-old", "messaging:old"]],
  ]);
});

test("Alt and a digit opens pinned channels as listed in every order, and adding a pinned one to a section says that it waits", async () => {
  const pinned = (day: number) => ({
    membership: { user_id: "me", pinned_at: `2026-11-0${day}T00:00:00Z` } as never,
  });
  const m = await start(
    {},
    new FakeCore(stateOf([channel("general"), channel("b", pinned(2)), channel("a", pinned(1))])),
  );
  await m.press("A-1");
  expect(m.screen.cid).toBe("messaging:b");
  m.ports.store.restyle((look) => ({ ...look, sidebar: { ...look.sidebar, order: "name" } }));
  await m.type("/section Work\r");
  expect(names(m)).toEqual(["Pinned", "#a", "#b", "Channels", "#general"]);
  expect(m.text()).toContain("#b is pinned; when you unpin it, it is in “Work”.");
  await m.press("A-1");
  expect(m.screen.cid).toBe("messaging:a");
});

describe("the order", () => {
  const titles = (order: "activity" | "name" | "manual", moved: string[] = []): string[] =>
    channelGroups({ state: fourChannels(), arrangement: { ...NOT_ARRANGED, order: moved }, order }).flatMap(
      ({ entries }) => entries.map(({ cid }) => cid.slice("messaging:".length)),
    );

  test("is by activity, or by name with numbers as numbers", () => {
    expect(titles("activity")).toEqual(["general", "ops", "deploy 10", "deploy 9"]);
    expect(titles("name")).toEqual(["deploy 9", "deploy 10", "general", "ops"]);
  });

  test("by hand keeps moved channels first, and sorts the others by name", () => {
    expect(titles("manual", ["messaging:ops"])).toEqual(["ops", "deploy 9", "deploy 10", "general"]);
  });

  test("moves a channel by one place and not out of its group", () => {
    const groups = channelGroups({ state: fourChannels(), arrangement: NOT_ARRANGED, order: "activity" });
    const moved = channelMoved(NOT_ARRANGED, groups, "messaging:ops", -1);
    expect(moved.order.slice(0, 2)).toEqual(["messaging:ops", "messaging:general"]);
    expect(channelMoved(NOT_ARRANGED, groups, "messaging:general", -1).order[0]).toBe("messaging:general");
  });

  test("stays as it is when the first of a group is moved up or the last of one down, and so do sections", () => {
    const state = stateOf([
      channel("a", messageAt(5)),
      channel("b", messageAt(4)),
      channel("c", messageAt(3)),
      direct("!members-x", messageAt(2)),
      direct("!members-y", messageAt(1)),
    ]);
    const groups = channelGroups({ state, arrangement: NOT_ARRANGED, order: "activity" });
    const letters = (cids: readonly string[]): string => cids.map((cid) => cid.at(-1)).join("");
    const cids = groups.flatMap(({ entries }) => entries.map(({ cid }) => cid));
    const moves = ([-1, 1] as const).map((by) =>
      cids.map((cid) => letters(channelMoved(NOT_ARRANGED, groups, cid, by).order)),
    );
    expect(moves).toEqual([
      ["abcxy", "bacxy", "acbxy", "abcxy", "abcyx"],
      ["bacxy", "acbxy", "abcxy", "abcyx", "abcxy"],
    ]);
    const sections = [..."pqr"].map((name) => ({ name, cids: ["messaging:a"] }));
    const sectionMoves = ([-1, 1] as const).map((by) =>
      sections.map(({ name }) =>
        sectionMoved({ ...NOT_ARRANGED, sections }, name, by)
          .sections.map((one) => one.name)
          .join(""),
      ),
    );
    expect(sectionMoves).toEqual([
      ["pqr", "qpr", "prq"],
      ["qpr", "prq", "pqr"],
    ]);
  });

  test("of equal titles is that of their ids in every order, whatever order they came in", () => {
    const same = ["n2", "n1", "n3"].map((id) => channel(id, { name: "news" }));
    const listed = (order: "name" | "manual", entries: ChannelEntry[]): string[] =>
      channelGroups({ state: stateOf(entries), arrangement: NOT_ARRANGED, order }).flatMap((group) =>
        group.entries.map(({ channel: { id } }) => id),
      );
    for (const order of ["name", "manual"] as const)
      for (const entries of [same, same.toReversed()])
        expect(listed(order, entries)).toEqual(["n1", "n2", "n3"]);
  });

  test("J and K move the channel under the cursor, save the order and change the setting", async () => {
    const m = await start();
    await toSidebar(m);
    await m.press("J");
    expect(names(m)).toEqual(["Channels", "#ops", "#general", "#deploy 10", "#deploy 9"]);
    expect(m.core.remember<{ order: string[] }>("arrangement")?.order[0]).toBe("messaging:ops");
    expect(m.ports.settingsEditor.list().find(({ key }) => key === "sidebar.order")?.value).toBe("manual");
    await m.press("K", "K");
    expect(names(m).slice(1, 3)).toEqual(["#general", "#ops"]);
    expect(m.line(7)).toContain("#general");
  });
});

describe("a section", () => {
  test("is named in a list, contains the channel, folds with its sum and is restored at the next start", async () => {
    const core = new FakeCore(fourChannels());
    core.changeChannel("messaging:ops", (entry) => ({ ...entry, unread: 3 }));
    const m = await start({}, core);
    await toSidebar(m);
    await m.press("down", "s");
    expect(m.text()).toContain("Section of #ops");
    expect(m.text()).toContain("type a section name");
    await m.type("Work");
    expect(m.text()).toContain("New section “Work”");
    await m.press("enter");
    expect(names(m)).toEqual(["Work", "#ops", "Channels", "#general", "#deploy 10", "#deploy 9"]);
    await m.press("space");
    expect(m.line(6)).toMatch(/▸ Work +3/);
    const next = await start({}, core);
    expect(names(next).slice(0, 2)).toEqual(["Work", "Channels"]);
    expect(next.line(6)).toMatch(/▸ Work +3/);
  });

  test("is left from the same list, and removed when empty", () => {
    const one = putInSection(NOT_ARRANGED, "messaging:ops", "Work");
    const two = putInSection(one, "messaging:general", "Work");
    expect(two.sections).toEqual([{ name: "Work", cids: ["messaging:ops", "messaging:general"] }]);
    expect(putInSection(one, "messaging:ops", "Home").sections).toEqual([
      { name: "Home", cids: ["messaging:ops"] },
    ]);
    expect(putInSection(one, "messaging:ops", undefined).sections).toEqual([]);
  });

  test("can be set by command too, and its heading is moved by J and K", async () => {
    const m = await start();
    await m.type("/section Work\r");
    m.open("messaging:ops");
    await m.type("/section Home\r");
    expect(names(m).filter((name) => !name.startsWith("#"))).toEqual(["Work", "Home", "Channels"]);
    await toSidebar(m);
    await m.press("up", "K");
    expect(names(m).filter((name) => !name.startsWith("#"))).toEqual(["Home", "Work", "Channels"]);
    await m.press("esc");
    await m.type("/section -\r");
    expect(names(m)).not.toContain("Home");
  });

  test("the menu of a channel marks it read, mutes and leaves it, not the open one", async () => {
    const m = await start();
    await toSidebar(m);
    const choose = async (word: string): Promise<void> => {
      await m.press("down", "m");
      await m.type(word);
      await m.press("enter");
    };
    await m.press("m");
    const offered = m
      .text()
      .split("\n")
      .map((line) => line.trim());
    const at = (words: string): number => offered.findIndex((line) => line.includes(words));
    expect(at("Leave this channel")).toBeGreaterThan(at("Move the channel down"));
    await m.press("esc");
    await choose("mark read");
    expect(m.core.calls("markRead")).toEqual([["messaging:ops"]]);
    await choose("notices");
    expect(m.text()).toContain("Notifications for #deploy 10");
    await m.press("esc");
    await choose("leave");
    expect(m.text()).toContain("Leave #deploy 9?");
    expect(m.screen.cid).toBe("messaging:general");
  });

  test("the menu of a channel pins and archives it, and one key undoes that", async () => {
    const m = await start();
    await toSidebar(m);
    const choose = async (word: string): Promise<void> => {
      await m.press("m");
      await m.type(word);
      await m.press("enter");
    };
    const requests = (): unknown[] =>
      m.core.calls("call").map(([name, sent]) => [name, (sent as { body: unknown }).body]);
    const set = (stored: object): unknown[] => ["updateMemberPartial", { set: stored }];
    await m.press("down");
    await choose("pin channel");
    expect(m.core.calls("call")[0]![1]).toMatchObject({
      path: { type: "messaging", id: "ops", user_id: "me" },
    });
    expect(m.text()).toContain("#ops pinned in your list · Ctrl-_ to undo");
    await m.press("C-_");
    expect(requests()).toEqual([set({ pinned: true }), set({ pinned: false })]);
    const pinned = { user_id: "me", pinned_at: "2026-11-01T00:00:00Z" } as never;
    m.core.change((state) => ({
      ...state,
      channels: new Map([...state.channels].map(([cid, entry]) => [cid, { ...entry, membership: pinned }])),
    }));
    await m.settle();
    await choose("archive");
    await m.press("C-_");
    await choose("unpin");
    expect(requests().slice(2)).toEqual([
      set({ archived: true }),
      set({ pinned: true }),
      set({ pinned: false }),
    ]);
  });

  test("on a line without a channel there is no menu, and the reason is shown", async () => {
    const m = await start();
    await toSidebar(m);
    await m.press("g", "m");
    expect(m.screen.popups).toEqual([]);
    expect(m.text()).toContain("Choose a channel first.");
  });

  test("the right button on a channel opens its menu", async () => {
    const m = await start();
    m.send("\x1b[<2;6;9M\x1b[<2;6;9m");
    await m.settle();
    expect(m.text()).toContain("Channel");
    expect(m.text()).toContain("Put the channel in a section of the list");
    expect(cursor(m)).toBe("messaging:ops");
  });
});

describe("typing a name in the sidebar", () => {
  test("filters the channels, folded or not, and Enter opens the first", async () => {
    const m = await start();
    await toSidebar(m);
    await m.press("space", "/");
    expect(m.line(1)).toContain("type a name");
    await m.type("DÉp 9");
    expect(names(m)).toEqual(["Channels", "#deploy 9"]);
    expect(m.cursor()).toEqual({ x: " / DÉp 9".length, y: 1 });
    await m.press("enter");
    expect(m.screen.cid).toBe("messaging:deploy 9");
    expect(m.screen.sidebar.filter).toBeUndefined();
  });

  test("says if none matches, deletes letter by letter, and Esc restores the list", async () => {
    const m = await start();
    await toSidebar(m);
    await m.press("/");
    await m.type("opsy");
    expect(m.line(1)).toContain("no channel");
    await m.press("backspace");
    expect(names(m)).toEqual(["Channels", "#ops"]);
    await m.press("esc");
    expect(names(m)).toHaveLength(5);
    expect(m.screen.focus).toBe("sidebar");
    await m.press("esc");
    expect(m.screen.focus).toBe("composer");
  });

  test("a click opens the channel under it, and a paste is typed", async () => {
    const m = await start();
    await toSidebar(m);
    await m.press("/");
    await m.paste("ops");
    await m.click(5, 3);
    expect(m.screen.cid).toBe("messaging:ops");
  });
});

test("the right panel is not hidden by the sidebar of a narrow screen", async () => {
  const m = await start({ columns: 70, rows: 24 });
  await m.press("C-\\");
  expect(m.screen.sidebar.over).toBe(true);
  await m.press("C-t");
  expect(m.text()).toContain("Details");
  m.change((s) => panelPushed({ ...s, sidebar: { ...s.sidebar, over: true } }, { name: "search", key: "" }));
  expect(m.model.layout.panel).toBeDefined();
});
