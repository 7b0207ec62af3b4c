/** Automatic effects of the screen: when a channel counts as read, which pages are loaded, and the window title. */
import { isDeepStrictEqual } from "node:util";
import { READ_AFTER } from "../../../src/wire/constants.ts";
import { detailsPanel, threadPanel } from "../../../src/tui/screen/screen.ts";
import { scrollTo } from "../../../src/tui/views/messages/navigation.ts";
import { goToMessage } from "../../../src/tui/views/messages/jump.ts";
import { describe, expect, test } from "vitest";
import type { ChannelEntry, MessageSet } from "../../../src/model/state.ts";
import type { Model, Slice } from "../../../src/tui/screen/store.ts";
import { createEffects } from "../../../src/tui/effects/effects.ts";
import { quietUntil } from "../../../src/tui/views/preferences/do-not-disturb.ts";
import { windowTitle } from "../../../src/tui/effects/title.ts";
import { listOf } from "../../../src/tui/views/messages/list.ts";
import { feedWindow } from "../../../src/tui/views/messages/feed/feed.ts";
import { EPOCH, FakeCore, channel, message, messageSet, stateOf, thread } from "../../support/fake-core.ts";
import type { ScreenSettings } from "../../../src/tui/screen/host.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => message(`m${i}`, "ana", `line ${i}`, { minute: i * 6 }));

/** A screen whose effects run after every change, with the calls that core received. */
function screenWithEffects(
  entry: Partial<ChannelEntry>,
  settings: Partial<ScreenSettings> = {},
  set: Partial<MessageSet> = {},
) {
  const core = new FakeCore(
    stateOf([
      { ...channel("general", { unread: 2 }), sets: [messageSet(lines(60), set)], ...entry },
      channel("ops"),
    ]),
  );
  const titles: string[] = [];
  let now = EPOCH + 86_400_000;
  const m = new ScreenDriver(core, {
    now: () => now,
    columns: 80,
    rows: 24,
    open: "",
    settings: { readOn: "shown", ...settings },
    terminal: { setTitle: (title: string) => titles.push(title) },
  });
  const effects = createEffects(m.ports);
  m.open(GENERAL);
  core.asked.length = 0;
  const names = ["seen", "left", "endLine", "loadOlder", "loadNewer"];
  return {
    m,
    titles,
    look(change?: (entry: ChannelEntry) => ChannelEntry, windowFocused = true): unknown[][] {
      if (change) core.changeChannel(GENERAL, change);
      m.change((s) => ({ ...s, windowFocused }));
      core.asked.length = 0;
      effects.modelChanged(everySlice(m.model));
      now += READ_AFTER;
      effects.modelChanged(everySlice(m.model));
      // The fake core keeps its numbers, so that a mark is asked for again.
      return m
        .asked(...names)
        .filter((call, at, all) => !all.slice(0, at).some((one) => isDeepStrictEqual(one, call)));
    },
  };
}
const everySlice = ({ screen, ...model }: Model): Set<Slice> =>
  new Set(Object.keys({ ...model, ...screen }) as Slice[]);
const SEEN = ["seen", GENERAL];
const LINE_ENDED = ["endLine", GENERAL];

describe("reading (R-READ-3)", () => {
  test.each([
    ["shown", true, true],
    ["shown", false, true],
    ["answered", true, false],
    ["focused", true, true],
    ["focused", false, false],
    ["manual", true, false],
    ["manual", false, false],
  ] as const)("on %s with the window focused %s: read %s", (readOn, focused, read) => {
    expect(screenWithEffects({}, { readOn }).look(undefined, focused)).toEqual(read ? [SEEN] : []);
  });

  test('with readOn "answered" a channel is read once the newest message is my own, and not for later ones', () => {
    const { look } = screenWithEffects({}, { readOn: "answered" });
    const withMessages =
      (...more: ReturnType<typeof message>[]) =>
      (entry: ChannelEntry) => ({
        ...entry,
        sets: [messageSet([...lines(60), ...more])],
      });
    const mine = message("mine", "me", "so do I", { minute: 400 });
    expect(look(withMessages(mine))).toEqual([SEEN]);
    expect(look(withMessages(mine, message("next", "ana", "good", { minute: 401 })))).toEqual([]);
  });

  test.each([
    ["nothing is unread", { unread: 0 }, {}],
    ["it was marked unread", { keepsUnread: true }, {}],
    ["the set is not the latest", {}, { isLatest: false }],
    ["newer ones are not loaded", {}, { hasNext: true, loading: "next" }],
  ] as const)("a channel is not read when %s", (_, entry, set) => {
    expect(screenWithEffects(entry, {}, set).look()).not.toContainEqual(SEEN);
  });

  test("a channel is not read while scrolled up", () => {
    const { m, look } = screenWithEffects({});
    scrollTo(m.ports, { cid: GENERAL }, { id: "m20", row: 0 });
    expect(look()).not.toContainEqual(SEEN);
    scrollTo(m.ports, { cid: GENERAL }, undefined);
    expect(look()).toContainEqual(SEEN);
  });

  test("while scrolled up, the newest message that was in sight is read, and later ones are not", () => {
    const { m, look } = screenWithEffects({ unread: 40, firstUnreadId: "m20" });
    look();
    scrollTo(m.ports, { cid: GENERAL }, { id: "m30", row: 9 });
    expect(look().at(-1)).toEqual([...SEEN, "m30"]);
    expect(screenWithEffects({ unread: 40 }, { readOn: "focused" }).look(undefined, false)).toEqual([]);
  });

  test("a message is read when its last row has been in sight, at whatever row the screen ends", () => {
    const long = lines(60).map((one) => ({ ...one, text: "first\nsecond\nthird\nlast" }));
    const begin = () => screenWithEffects({ unread: 60, sets: [messageSet(long)] });
    const { m } = begin();
    const rows = listOf(m.ports, { cid: GENERAL }).feed.rowsAt(30).length;
    expect(rows).toBeGreaterThan(4);
    for (let row = 0; row < rows; row++) {
      const { m: shown, look } = begin();
      scrollTo(shown.ports, { cid: GENERAL }, { id: "m30", row });
      expect([row, look().at(-1)]).toEqual([row, [...SEEN, row === rows - 1 ? "m30" : "m29"]]);
    }
  });

  test("a message that left the screen within a second is not read", () => {
    const core = new FakeCore(
      stateOf([{ ...channel("general", { unread: 40 }), sets: [messageSet(lines(60))] }]),
    );
    let now = EPOCH;
    const m = new ScreenDriver(core, { rows: 24, settings: { readOn: "shown" }, now: () => now });
    const effects = createEffects(m.ports);
    m.ports.store.onChange = (_model, changed) => effects.modelChanged(changed);
    for (const id of ["m20", "m40"]) {
      scrollTo(m.ports, { cid: GENERAL }, { id, row: 9 });
      now += READ_AFTER - 1;
      m.change((s) => ({ ...s, windowFocused: !s.windowFocused }));
    }
    expect(m.asked("seen")).toEqual([]);
    now += 1;
    m.change((s) => ({ ...s, windowFocused: !s.windowFocused }));
    expect(m.asked("seen")).toEqual([[...SEEN, "m40"]]);
  });

  test.each([
    ["a loaded message", lines(60)],
    ["a message that has to be loaded", lines(60).slice(30)],
  ])("jumping to %s does not read the channel on the way", async (_, held) => {
    const core = new FakeCore(
      stateOf([channel("general"), { ...channel("ops", { unread: 2 }), sets: [messageSet(held)] }]),
    );
    core.jumpTo = async () => {
      core.changeChannel("messaging:ops", (entry) => ({ ...entry, sets: [messageSet(lines(60))] }));
    };
    let now = EPOCH;
    const m = new ScreenDriver(core, {
      columns: 80,
      rows: 24,
      settings: { readOn: "shown" },
      now: () => now,
    });
    const effects = createEffects(m.ports);
    m.ports.store.onChange = (_model, changed) => effects.modelChanged(changed);
    goToMessage(m.ports, { id: "m3", cid: "messaging:ops" });
    await m.settle();
    expect([m.screen.cid, m.asked("seen")]).toEqual(["messaging:ops", []]);
    await m.press("G");
    now += READ_AFTER;
    await m.press("k");
    expect(m.asked("seen")).toContainEqual(["seen", "messaging:ops"]);
  });

  test("after a failed jump the end of the channel is shown and read", async () => {
    const core = new FakeCore(
      stateOf([channel("general"), { ...channel("ops", { unread: 2 }), sets: [messageSet(lines(60))] }]),
    );
    core.jumpTo = () => Promise.reject(new Error("gone"));
    let now = EPOCH;
    const m = new ScreenDriver(core, {
      columns: 80,
      rows: 24,
      settings: { readOn: "shown" },
      now: () => now,
    });
    const effects = createEffects(m.ports);
    m.ports.store.onChange = (_model, changed) => effects.modelChanged(changed);
    goToMessage(m.ports, { id: "away", cid: "messaging:ops" });
    expect(m.asked("seen")).toEqual([]);
    await m.settle();
    expect(m.told()).toEqual(["gone"]);
    now += READ_AFTER;
    await m.press("k");
    expect(m.asked("seen")).toContainEqual(["seen", "messaging:ops"]);
  });

  test('a thread in the panel is read at its end, once for each newest reply, and not with readOn "manual" (R-THREAD-3)', () => {
    const replies = lines(60).map((reply) => ({ ...reply, id: `r${reply.id}` }));
    const open = (readOn: "shown" | "manual") => {
      const { m, look } = screenWithEffects(
        { threads: new Map([["m1", thread("m1", replies)]]) },
        { readOn },
      );
      m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
      const seen = (): unknown[][] => {
        look();
        return m.asked("seenThread");
      };
      return { m, seen };
    };
    const place = { cid: GENERAL, parentId: "m1" };
    const { m, seen } = open("shown");
    scrollTo(m.ports, place, { id: "rm20", row: 0 });
    expect(seen()).toEqual([]);
    scrollTo(m.ports, place, undefined);
    expect(seen()).toEqual([["seenThread", place]]);
    expect(seen()).toEqual([]);
    m.core.arrive(GENERAL, message("r99", "bo", "one more", { parent_id: "m1", minute: 999 }));
    expect(seen()).toEqual([["seenThread", place]]);
    expect(open("manual").seen()).toEqual([]);
    // Opened again it is read again: it may have been marked unread meanwhile, and the list knows whether it was.
    const { panels } = m.screen;
    m.change((s) => ({ ...s, panels: [] }));
    expect(seen()).toEqual([]);
    m.change((s) => ({ ...s, panels }));
    expect(seen()).toEqual([["seenThread", place]]);
    expect(seen()).toEqual([]);
  });

  const withUnread = (firstUnreadId: string) => (entry: ChannelEntry) => ({
    ...entry,
    unread: 1,
    firstUnreadId,
  });

  test("messages that arrive while reading get no new-messages line, and earlier ones keep theirs", () => {
    const { look } = screenWithEffects({ firstUnreadId: "m58" });
    expect(look()).toEqual([SEEN]);
    expect(look((entry) => ({ ...entry, unread: 1 }))).toEqual([SEEN]);
    expect(look(withUnread("m59"))).toEqual([SEEN, LINE_ENDED]);
  });

  test("the line is removed when the window loses focus, and later messages get one", () => {
    const { look } = screenWithEffects({ firstUnreadId: "m58" });
    look();
    expect(look((entry) => ({ ...entry, unread: 0 }), false)).toEqual([LINE_ENDED]);
    expect(look(undefined, false)).toEqual([]);
    expect(look(withUnread("m59"), false)).toEqual([SEEN]);
    expect(look(withUnread("m59"))).toEqual([SEEN]);
  });

  test("a channel from before a reconnect does not count as being read yet", () => {
    const { look } = screenWithEffects({ stale: true, unread: 0 });
    look();
    expect(look((entry) => ({ ...withUnread("m59")(entry), stale: false }))).toEqual([SEEN]);
    const fresh = screenWithEffects({ unread: 0 });
    fresh.look();
    expect(fresh.look(withUnread("m59"))).toEqual([SEEN, LINE_ENDED]);
  });

  test("reading ends in another channel and behind a panel that covers the messages", () => {
    const { m, look } = screenWithEffects({ unread: 0 });
    look();
    m.open("messaging:ops");
    look();
    m.open(GENERAL);
    expect(look(withUnread("m59"))).toEqual([SEEN]);
    const covered = screenWithEffects({ unread: 0 });
    covered.look();
    covered.m.change((s) => ({ ...s, panels: [detailsPanel(GENERAL)] }));
    expect(covered.look()).toEqual([]);
    covered.m.change((s) => ({ ...s, panels: [] }));
    expect(covered.look(withUnread("m59"))).toEqual([SEEN]);
  });
});

describe("paging", () => {
  const older = ["loadOlder", { cid: GENERAL }];
  const newer = ["loadNewer", { cid: GENERAL }];

  test("older messages are loaded five blocks before the edge, once per set and not while loading", () => {
    const { m, look } = screenWithEffects({ unread: 0 }, {}, { hasPrev: true });
    const at = (id: string): unknown[][] => {
      scrollTo(m.ports, { cid: GENERAL }, { id, row: 0 });
      return look();
    };
    expect(at("m30")).toEqual([]);
    const { feed, height } = listOf(m.ports, { cid: GENERAL });
    /** Id of the anchor message that makes the block at index `first` the topmost visible one. */
    const under = (first: number): string =>
      Array.from({ length: feed.length }, (_, i) => feed.idAt(i)).find(
        (id) => feedWindow(feed, height, { id, row: 0 }).lines[0]!.index === first,
      )!;
    expect(at(under(6))).toEqual([]);
    expect(at(under(5))).toEqual([older]);
    expect(at(under(4))).toEqual([]);
    const loading = screenWithEffects({ unread: 0 }, {}, { hasPrev: true, loading: "prev" });
    scrollTo(loading.m.ports, { cid: GENERAL }, { id: "m1", row: 0 });
    expect(loading.look()).toEqual([]);
    const first = screenWithEffects({ unread: 0 });
    scrollTo(first.m.ports, { cid: GENERAL }, { id: "m1", row: 0 });
    expect(first.look()).toEqual([]);
  });

  test("newer messages are loaded near the end of the loaded ones, once, and not in the middle", () => {
    const { m, look } = screenWithEffects(
      { unread: 0 },
      {},
      { hasNext: true, hasPrev: true, isLatest: false },
    );
    scrollTo(m.ports, { cid: GENERAL }, { id: "m30", row: 0 });
    expect(look()).toEqual([]);
    scrollTo(m.ports, { cid: GENERAL }, undefined);
    expect(look()).toEqual([newer]);
    expect(look()).toEqual([]);
  });

  test("newer messages are loaded when fewer than five follow the last one shown, and not while loading or without any", () => {
    /** What is loaded while message `index` of 60 is the last one shown. */
    const at = (index: number, set: Partial<MessageSet> = {}): unknown[][] => {
      const { m, look } = screenWithEffects({ unread: 0 }, {}, { hasNext: true, isLatest: false, ...set });
      const { feed, height } = listOf(m.ports, { cid: GENERAL });
      const lastAt = (id: string) => feedWindow(feed, height, { id, row: 0 }).lines.at(-1)!.index;
      const anchor = Array.from({ length: feed.length }, (_, i) => feed.idAt(i)).find(
        (id) => lastAt(id) === index,
      )!;
      scrollTo(m.ports, { cid: GENERAL }, { id: anchor, row: 0 });
      return look();
    };
    expect([at(54), at(55), at(56)]).toEqual([[], [newer], [newer]]);
    expect(at(56, { loading: "next" })).toEqual([]);
    expect(at(56, { hasNext: false })).toEqual([]);
  });

  test("a thread in the panel loads its own pages", () => {
    const entry = thread("m59", lines(40));
    const sets = [{ ...entry.sets[0]!, hasPrev: true }];
    const { m, look } = screenWithEffects({ unread: 0, threads: new Map([["m59", { ...entry, sets }]]) });
    m.change((s) => ({ ...s, columns: 140, panels: [threadPanel({ cid: GENERAL, parentId: "m59" })] }));
    const place = { cid: GENERAL, parentId: "m59" };
    expect(look()).toEqual([]);
    scrollTo(m.ports, place, { id: "m1", row: 0 });
    expect(look()).toEqual([["loadOlder", place]]);
  });

  test("a refused page shows no error", async () => {
    const { m, look } = screenWithEffects({ unread: 0 }, {}, { hasPrev: true });
    m.core.loadOlder = () => Promise.reject(new Error("no"));
    scrollTo(m.ports, { cid: GENERAL }, { id: "m1", row: 0 });
    look();
    await m.settle();
    expect(m.told()).toEqual([]);
  });
});

test("the window title counts unread messages of listed, unmuted channels, and names the channel", () => {
  const hour = new Date(EPOCH + 3_600_000).toISOString();
  const member = { user_id: "me", channel_role: "channel_member", created_at: "", updated_at: "" };
  const state = stateOf([
    channel("general", { unread: 2 }),
    channel("ops", { unread: 3 }),
    channel("hidden", { unread: 10, hidden: true }),
    channel("old", { unread: 10, membership: { ...member, archived_at: hour } }),
    channel("muted", { unread: 10 }),
  ]);
  const me = {
    ...state.me!,
    channel_mutes: [{ channel: { cid: "messaging:muted" }, expires: hour }],
  } as never;
  expect(windowTitle({ ...state, me }, GENERAL, EPOCH, "me")).toBe("(5) #general · Parley");
  expect(windowTitle({ ...state, me }, undefined, EPOCH + 3_600_000, "me")).toBe("(15) Parley");
  expect(windowTitle(stateOf([channel("general")]), GENERAL, EPOCH, "me")).toBe("#general · Parley");
  const { look, titles } = screenWithEffects({ unread: 2 });
  look();
  look();
  expect(titles).toEqual(["(2) #general · Parley"]);
  look((entry) => ({ ...entry, unread: 0 }));
  expect(titles.at(-1)).toBe("#general · Parley");
});

test("do-not-disturb ends at its time", () => {
  const state = stateOf([]);
  const me = { ...state.me!, push_preferences: { disabled_until: new Date(EPOCH).toISOString() } } as never;
  expect([-1, 0, 1].map((ms) => quietUntil({ me }, {}, EPOCH + ms) !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
  expect(quietUntil(state, {}, EPOCH)).toBeUndefined();
});
