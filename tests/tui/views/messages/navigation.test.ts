/** Moving around with keys: channels, panes, panels, days, jumps and the sidebar. */
import type { PageState } from "../../../../src/tui/components/page.tsx";
import { scrollTo } from "../../../../src/tui/views/messages/navigation.ts";
import { goToMessage, placeOf } from "../../../../src/tui/views/messages/jump.ts";
import { openChannel } from "../../../../src/tui/navigation/open-channel.ts";
import { listOf } from "../../../../src/tui/views/messages/list.ts";
import { linesOf } from "../../../../src/tui/views/sidebar/lines.ts";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ChannelEntry, MessageSet } from "../../../../src/model/state.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { details } from "../../../../src/tui/views/details/details.ts";
import type { RowContext } from "../../../../src/tui/render/context.ts";
import { membersPane } from "../../../../src/tui/views/members/members.ts";
import { HANDLERS, handlerOf } from "../../../../src/tui/bindings/handlers.ts";
import { NEWER, OLDER } from "../../../../src/tui/views/messages/feed/feeds.ts";
import {
  detailsPanel,
  threadPanel,
  topPanelOf,
  scrollOf,
  browsePlace,
} from "../../../../src/tui/screen/screen.ts";
import type { Member } from "../../../../src/wire/entities/channel.ts";
import { FakeCore, channel, message, messageSet, stateOf, thread } from "../../../support/fake-core.ts";
import { until } from "../../../support/fake-provider.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const member = (more: Partial<Member>): Member => ({
  user_id: "me",
  channel_role: "channel_member",
  created_at: "",
  updated_at: "",
  ...more,
});
const screenWith = (entries: ChannelEntry[], options = {}): ScreenDriver =>
  new ScreenDriver(new FakeCore(stateOf(entries)), options);
const selected = (m: ScreenDriver): string | undefined => scrollOf(m.screen, browsePlace(m.screen)).selected;
const many = (count: number): ChannelEntry =>
  channel("general", {
    messages: Array.from({ length: count }, (_, i) =>
      message(`m${i}`, "ana", `line ${i}`, { minute: i * 6 }),
    ),
  });

test("the cursor passes deleted messages, but for those with a thread", async () => {
  const gone = { type: "deleted" as const, text: "" };
  const m = screenWith([
    channel("general", {
      messages: [
        message("m1", "ana", "one"),
        message("m2", "ana", "", { ...gone, reply_count: 2 }),
        message("m3", "ana", "", gone),
        message("m4", "ana", "four"),
        message("m5", "ana", "", gone),
      ],
    }),
  ]);
  await m.press("esc");
  const visited = [selected(m)];
  for (const key of ["k", "k", "G"]) {
    await m.press(key);
    visited.push(selected(m));
  }
  expect(visited).toEqual(["m4", "m2", "m1", "m4"]);
});

describe("channels", () => {
  test("Alt and a digit opens the pinned channel at that place, not counting archived ones", async () => {
    const pinned_at = "2026-11-17T09:00:00.000Z";
    const entries = [
      channel("general"),
      channel("old", { membership: member({ pinned_at, archived_at: pinned_at }) }),
      channel("ops", { membership: member({ pinned_at }) }),
    ];
    const m = screenWith(entries);
    await m.press("A-2");
    expect([m.told(), m.screen.cid]).toEqual([["There is no pinned channel 2."], GENERAL]);
    await m.press("A-1");
    expect([m.told().length, m.screen.cid]).toEqual([1, "messaging:ops"]);
  });

  test("without unread channels a notice says so, and the last channel is opened only if it still exists", async () => {
    const m = screenWith([channel("general"), channel("ops")]);
    await m.press("A-a", "A-s");
    expect([m.told(), m.screen.cid]).toEqual([["nothing unread"], GENERAL]);
    m.open("messaging:ops");
    await m.press("A-s");
    expect(m.screen.cid).toBe(GENERAL);
    m.core.change((s) => ({ ...s, channels: new Map([[GENERAL, s.channels.get(GENERAL)!]]) }));
    await m.settle();
    await m.press("A-s");
    expect(m.screen.cid).toBe(GENERAL);
  });

  test("a round through the unread channels ends where it began, and then starts anew", async () => {
    const m = screenWith([channel("general"), channel("ops", { unread: 1 })]);
    await m.press("A-a");
    expect([m.screen.cid, m.screen.unreadRoundStart]).toEqual(["messaging:ops", GENERAL]);
    m.core.changeChannel("messaging:ops", (e) => ({ ...e, unread: 0 }));
    await m.settle();
    await m.press("A-a");
    expect([m.screen.cid, m.screen.unreadRoundStart, m.told()]).toEqual([GENERAL, undefined, []]);
  });
});

describe("panes and panels", () => {
  test("Tab and Shift-Tab focus a message", async () => {
    const m = screenWith([many(3)]);
    await m.press("tab");
    expect([m.screen.focus, selected(m)]).toEqual(["messages", "m2"]);
    const back = screenWith([many(3)]);
    await back.press("S-tab", "S-tab");
    expect([back.screen.focus, selected(back)]).toEqual(["messages", "m2"]);
  });

  test("the cursor stays on its message when the pane is focused again", async () => {
    const m = screenWith([many(3)]);
    await m.press("esc", "k", "i", "tab");
    expect(selected(m)).toBe("m1");
  });

  test("Ctrl-T opens the details, and the same key closes any panel", async () => {
    const m = screenWith([many(3)]);
    await m.press("C-t");
    expect(m.screen.panels).toEqual([detailsPanel(GENERAL)]);
    await m.press("C-t");
    expect(m.screen.panels).toEqual([]);
  });

  test("the details show the whole topic, which the title may cut, and the current name of the channel's creator", async () => {
    const made = channel("general");
    const topic = "what goes out, when, by whom, and whom to call when it does not";
    const entry = { ...made, channel: { ...made.channel, topic, created_by: { id: "ana", name: "old" } } };
    const state = { ...stateOf([entry as never]), users: new Map([["ana", { id: "ana", name: "Ana" }]]) };
    const panel = detailsPanel(GENERAL);
    const context = { now: 0, theme: makeTheme(0), utc: true } as RowContext;
    const rows = details.rows({ state, panel, entry: entry as never, width: 90, context });
    expect(rows.join("\n")).toContain(topic);
    expect(rows.join("\n")).toMatch(/by +Ana/);
  });

  test("details and members toggle and stack", () => {
    const m = screenWith([many(3)]);
    handlerOf("details.show")(m.ports);
    membersPane.toggle(m.ports);
    expect(m.screen.panels).toMatchObject([{ name: "details" }, { name: "members" }]);
    membersPane.toggle(m.ports);
    handlerOf("details.show")(m.ports);
    expect(m.screen.panels).toEqual([]);
    const nowhere = screenWith([many(3)], { open: "" });
    membersPane.toggle(nowhere.ports);
    expect(nowhere.screen.panels).toEqual([]);
  });

  test("a panel of rows scrolls by rows and pages and stops at both ends", async () => {
    const pinned = Array.from({ length: 30 }, (_, i) => message(`p${i}`, "ana", `pin ${i}`));
    const m = screenWith([channel("general", { pinned })], { columns: 120, rows: 15 });
    const topRow = (): number => topPanelOf<PageState>(m.screen, "details")!.top ?? 0;
    handlerOf("details.show")(m.ports);
    await m.press("k");
    expect(topRow()).toBe(0);
    await m.press("j", "j", "k");
    expect(topRow()).toBe(1);
    const height = m.model.layout.panel!.height;
    await m.press("pagedown");
    expect(topRow()).toBe(1 + height - 2);
    await m.press("pageup");
    expect(topRow()).toBe(1);
    for (let i = 0; i < 9; i++) await m.press("pagedown");
    // Five fields, a blank, a title and one row per pin; the last pin is the last visible row.
    expect(topRow()).toBe(7 + 30 - height + 1);
    const { x, y } = m.model.layout.panel!;
    await m.wheel(x + 2, y + 2, false);
    expect(topRow()).toBe(7 + 30 - height + 1 - 3);
    // What lies over it leaves it where it was.
    membersPane.toggle(m.ports);
    await m.press("esc");
    expect(topRow()).toBe(7 + 30 - height + 1 - 3);
  });

  test("Esc from a thread returns to the channel's box with its draft", async () => {
    const core = new FakeCore(stateOf([{ ...many(3), threads: new Map([["m1", thread("m1", [])]]) }]));
    const m = new ScreenDriver(core);
    core.saveDraft({ cid: GENERAL, text: "kept" });
    m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
    await m.press("esc", "esc", "esc");
    expect([m.screen.focus, m.text()]).toEqual(["composer", "kept"]);
  });
});

describe("the browse cursor", () => {
  test("a page keeps one row of the previous one, half a page is half, and the cursor stays visible", async () => {
    const m = screenWith([many(200)], { columns: 80, rows: 24 });
    await m.press("esc");
    const { feed, height } = listOf(m.ports, { cid: GENERAL });
    const bottom = (): number => {
      const { anchor } = scrollOf(m.screen, { cid: GENERAL });
      // Each message has two rows here.
      return anchor ? feed.indexOf(anchor.id) * 2 + anchor.row : -1;
    };
    await m.press("pageup");
    const first = bottom();
    await m.press("pageup");
    expect(first - bottom()).toBe(height - 1);
    expect(feed.indexOf(selected(m)!) * 2).toBeLessThanOrEqual(bottom());
    expect(feed.indexOf(selected(m)!) * 2 + 1).toBeGreaterThan(bottom() - height);
    const second = bottom();
    await m.press("C-u");
    expect(second - bottom()).toBe(Math.floor(height / 2));
    const third = bottom();
    await m.press("C-d");
    expect(bottom() - third).toBe(Math.floor(height / 2));
  });

  test("[ and ] go to the start of the day, the day before and after, also without a cursor", async () => {
    const day = 24 * 60;
    const at = [0, 5, day, day + 5, 2 * day, 2 * day + 5];
    const messages = at.map((minute, i) => message(`m${i}`, "ana", "x", { minute }));
    const m = screenWith([channel("general", { messages })]);
    await m.press("esc");
    const went: (string | undefined)[] = [];
    for (const key of ["[", "[", "[", "[", "]", "]", "]"]) {
      await m.press(key);
      went.push(selected(m));
    }
    expect(went).toEqual(["m4", "m2", "m0", "m0", "m2", "m4", "m5"]);
    const without = screenWith([channel("general", { messages })]);
    HANDLERS.nextPane(without.ports);
    scrollTo(without.ports, { cid: GENERAL }, undefined, "gone");
    HANDLERS.dayBefore(without.ports);
    expect(selected(without)).toBe("m4");
    const empty = screenWith([channel("general")]);
    await empty.press("esc", "[", "]", "g", "G");
    expect([selected(empty), empty.told()]).toEqual([undefined, []]);
  });
  test.each([false, true])(
    "[ continues to the day before once older messages are loaded, also if they were already requested (%s)",
    async (isAsked) => {
      const day = 24 * 60;
      const at = [0, 5, day, day + 5, day + 6, 2 * day];
      const all = at.map((minute, i) => message(`m${i}`, "ana", "x", { minute }));
      const held = (from: number, more: Partial<MessageSet> = {}): { sets: MessageSet[] } => ({
        sets: [{ ...messageSet(all.slice(from), { hasPrev: from > 0 }), ...more }],
      });
      const m = screenWith([{ ...channel("general"), ...held(4) }]);
      const come = (from: number): Promise<void> =>
        setImmediate().then(() => m.core.changeChannel(GENERAL, (e) => ({ ...e, ...held(from) })));
      const pages = [3, 2, 0];
      m.core.loadOlder = () => {
        const older = come(pages.shift()!);
        if (!isAsked) return older.then(() => true);
        m.core.changeChannel(GENERAL, (e) => ({ ...e, sets: [{ ...e.sets[0]!, loading: "prev" }] }));
        return Promise.resolve(false);
      };
      await m.press("esc");
      expect(selected(m)).toBe("m5");
      await m.press("[");
      await until("the day has begun", () => selected(m) === "m2");
      await until("what comes before it is looked at", () => pages.length === 0);
      await m.settle();
      expect(selected(m)).toBe("m2");
    },
  );

  test("[ leaves the cursor where the user has moved it while older messages were loaded", async () => {
    const day = 24 * 60;
    const all = [0, 5, day, day + 5].map((minute, i) => message(`m${i}`, "ana", "x", { minute }));
    const held = (from: number) => ({ sets: [messageSet(all.slice(from), { hasPrev: from > 0 })] });
    const m = screenWith([{ ...channel("general"), ...held(2) }]);
    const older = Promise.withResolvers<boolean>();
    m.core.loadOlder = () => older.promise;
    await m.press("esc", "[");
    expect(selected(m)).toBe("m2");
    await m.press("down");
    m.core.changeChannel(GENERAL, (e) => ({ ...e, ...held(0) }));
    older.resolve(true);
    await m.settle();
    expect(selected(m)).toBe("m3");
  });

  test("G in old history returns to the newest messages, and a gap is loaded from the cursor's side", async () => {
    const old = messageSet([message("m1", "ana", "x")], { isLatest: false, hasNext: true, hasPrev: true });
    const m = screenWith([{ ...channel("general"), sets: [old] }]);
    await m.press("esc");
    scrollTo(m.ports, { cid: GENERAL }, { id: "m1", row: 0 }, "m1");
    await m.press("G");
    expect(m.asked("backToLatest")).toEqual([["backToLatest", { cid: GENERAL }]]);
    expect(scrollOf(m.screen, { cid: GENERAL }).anchor).toBeUndefined();
    for (const [id, name] of [
      [OLDER, "loadOlder"],
      [NEWER, "loadNewer"],
    ] as const) {
      m.core.asked.length = 0;
      scrollTo(m.ports, { cid: GENERAL }, undefined, id);
      await m.press("enter");
      expect(m.core.asked.map((a) => a.name)).toEqual([name]);
    }
  });

  test("g loads the oldest message of the channel, unless the user has moved on meanwhile", async () => {
    const held = messageSet([message("m1", "ana", "x"), message("m2", "ana", "y", { minute: 6 })], {
      hasPrev: true,
    });
    const m = screenWith([{ ...channel("general"), sets: [held] }]);
    m.core.answers.set("queryChannel", () => ({ messages: [message("m0", "ana", "first", { minute: -9 })] }));
    await m.press("esc", "g");
    expect(m.core.calls("call")).toMatchObject([
      ["queryChannel", { body: { messages: { created_at_after_or_equal: new Date(0).toISOString() } } }],
    ]);
    expect(m.asked("jumpTo")).toEqual([["jumpTo", { cid: GENERAL }, "m0"]]);
    m.core.asked.length = 0;
    await m.press("G");
    HANDLERS.firstLine(m.ports);
    HANDLERS.lastLine(m.ports);
    await m.settle();
    expect(m.asked("jumpTo")).toEqual([]);
    const whole = screenWith([many(3)]);
    await whole.press("esc", "g");
    expect([selected(whole), whole.core.calls("call")]).toEqual(["m0", []]);
  });

  test("g in a long thread loads the first reply, with the cursor on the parent above it", async () => {
    const parent = message("m1", "ana", "x", { reply_count: 60 });
    const entry = channel("general", { messages: [parent] });
    const held = thread("m1", [message("r59", "bo", "late", { minute: 59 })]);
    const threads = new Map([["m1", { ...held, sets: [{ ...held.sets[0]!, hasPrev: true }] }]]);
    const m = screenWith([{ ...entry, threads }]);
    const place = { cid: GENERAL, parentId: "m1" };
    m.core.answers.set("getReplies", () => ({ messages: [message("r0", "bo", "first", { minute: 1 })] }));
    await m.press("esc", "t", "esc", "g");
    expect(m.core.calls("call").at(-1)).toMatchObject([
      "getReplies",
      {
        path: { parent_id: "m1" },
        query: { created_at_after_or_equal: new Date(0).toISOString(), limit: 1 },
      },
    ]);
    expect(m.asked("jumpTo")).toEqual([["jumpTo", place, "r0"]]);
    expect(scrollOf(m.screen, place).selected).toBe("m1");
  });

  test("the first unread message is opened or loaded, and a notice says if there is none", async () => {
    const m = screenWith([{ ...many(5), firstUnreadId: "m1" }]);
    await m.press("esc", "u");
    expect([selected(m), m.asked("jumpTo")]).toEqual(["m1", []]);
    m.core.changeChannel(GENERAL, (e) => ({ ...e, firstUnreadId: "far" }));
    await m.settle();
    await m.press("u");
    expect(m.asked("jumpTo")).toEqual([["jumpTo", { cid: GENERAL }, "far"]]);
    const none = screenWith([many(5)]);
    await none.press("esc", "u");
    expect(none.told()).toEqual(["nothing unread"]);
  });

  test(": goes to the first message after a time, or says that there is none and goes to the newest", async () => {
    const requests: unknown[] = [];
    let answer: unknown = {};
    const core = new FakeCore(stateOf([many(30)]));
    core.call = async (name: string, args: unknown) => (requests.push([name, args]), answer as never);
    const m = new ScreenDriver(core);
    await m.press("esc");
    const at = (id: string, minute: number) => message(id, "ana", "x", { minute });
    const jump = async (typed: string): Promise<void> => {
      await m.press(":");
      await m.type(`${typed}\r`);
    };
    answer = { messages: [at("m3", 18)] };
    await jump("2026-11-17 09:18");
    expect(requests).toEqual([
      [
        "queryChannel",
        {
          path: { type: "messaging", id: "general" },
          body: {
            state: true,
            messages: { created_at_after_or_equal: "2026-11-17T09:18:00.000Z", limit: 1 },
          },
        },
      ],
    ]);
    expect(selected(m)).toBe("m3");
    answer = {};
    await jump("2026-11-18 09:40");
    expect([selected(m), m.told()]).toEqual(["m29", ["No messages here since then."]]);
    await jump("   ");
    expect(requests).toHaveLength(2);
    await jump("yesterday");
    expect(requests.at(-1)).toMatchObject([
      "queryChannel",
      { body: { messages: { created_at_after_or_equal: "2026-11-17T00:00:00.000Z" } } },
    ]);
  });

  test(": says if the next message after a day is of a later day", async () => {
    const core = new FakeCore(stateOf([many(30)]));
    core.call = async () => ({ messages: [message("m3", "ana", "x", { minute: 18 })] }) as never;
    const m = new ScreenDriver(core);
    await m.press("esc", ":");
    await m.type("2026-11-17\r");
    expect([selected(m), m.told()]).toEqual(["m3", []]);
    await m.press(":");
    await m.type("2026-11-15\r");
    expect([selected(m), m.told()]).toEqual(["m3", ["No messages here then; the next is from Tue 17 Nov."]]);
  });

  test(": explains an invalid time, and a word that is not a message", async () => {
    const m = screenWith([many(3)]);
    m.core.jumpTo = () => Promise.reject(new Error("not found"));
    await m.press("esc");
    for (const typed of ["2026-13-45", "25:99"]) {
      await m.press(":");
      await m.type(`${typed}\r`);
      expect(m.told().at(-1)).toMatch(`'${typed}' is not a time: use `);
    }
    await m.press(":");
    await m.type("yestrday\r");
    expect(m.told().at(-1)).toBe(
      "yestrday is neither a message here nor a time such as yesterday, 09:30 or 2026-12-01.",
    );
    m.core.answers.set("getMessage", () => Promise.reject(new Error("the network is gone")));
    await m.press(":");
    await m.type("yestrday\r");
    expect(m.told().at(-1)).toBe("the network is gone");
  });
});

describe("the sidebar", () => {
  const workspace = (): ChannelEntry[] => [
    channel("general"),
    channel("ops"),
    channel("!members-x", { name: "", memberCount: 2 }),
  ];
  const cursor = (m: ScreenDriver): string | undefined => m.screen.sidebar.cursor;

  test("keys move over its lines and stop at both ends", async () => {
    const m = screenWith(workspace());
    await m.press("S-tab");
    expect([m.screen.focus, cursor(m)]).toEqual(["sidebar", GENERAL]);
    await m.press("k");
    expect(cursor(m)).toBe("group:channels");
    await m.press("g", "k");
    expect(cursor(m)).toBe("view:inbox");
    await m.press("G", "j");
    expect(cursor(m)).toBe(linesOf(m.model).at(-1)!.key);
    await m.press("up");
    expect(cursor(m)).toBe(linesOf(m.model).at(-2)!.key);
  });

  test("Space folds the group of the line and selects it, and folding is saved", async () => {
    const m = screenWith(workspace());
    await m.press("S-tab", "j");
    await m.type(" ");
    expect([cursor(m), [...m.screen.sidebar.folded]]).toEqual(["group:channels", ["archived", "channels"]]);
    expect(m.core.kept.get("folded")).toEqual(["archived", "channels"]);
    await m.press("enter");
    expect([[...m.screen.sidebar.folded], m.core.kept.get("folded")]).toEqual([["archived"], ["archived"]]);
    await m.press("g");
    await m.type(" ");
    expect([...m.screen.sidebar.folded]).toEqual(["archived"]);
  });

  test("Enter opens the channel or view of its line", async () => {
    const m = screenWith(workspace());
    await m.press("S-tab", "j", "enter");
    expect([m.screen.cid, m.screen.focus]).toEqual(["messaging:ops", "composer"]);
    await m.press("S-tab", "g", "enter");
    expect(m.screen.panels).toMatchObject([{ name: "inbox" }]);
  });
});

test("the first key of a chord in the vim profile waits for the second; with another letter it is a text", async () => {
  const m = screenWith([many(9)], { keys: "vim" });
  await m.press("esc", "g");
  expect([m.screen.pendingKey, selected(m)]).toEqual(["g", "m8"]);
  await m.press("k");
  expect([m.screen.pendingKey, selected(m), m.text()]).toEqual([undefined, "m8", "gk"]);
  await m.press("C-c", "esc");
  await m.type("gg");
  expect(selected(m)).toBe("m0");
});

test("a handler that throws shows the error, and the screen continues", async () => {
  const m = screenWith([many(2)], {
    terminal: {
      redraw: () => {
        throw new Error("no terminal");
      },
    },
  });
  await m.press("C-l");
  expect(m.told()).toEqual(["no terminal"]);
});

describe("jumping to a message", () => {
  const farMessage = (id: string, more = {}) => ({ id, cid: "messaging:far", ...more });

  test("opens a reply shown in the channel there, and any other in its thread", () => {
    expect(placeOf(farMessage("r", { parent_id: "p", show_in_channel: true }))).toEqual({
      cid: "messaging:far",
    });
    expect(placeOf(farMessage("r", { parent_id: "p" }))).toEqual({ cid: "messaging:far", parentId: "p" });
  });

  test("does not move a user who opened another channel meanwhile", async () => {
    const m = screenWith([channel("general", { messages: [message("m1", "ana", "one")] }), channel("ops")]);
    const fetched = Promise.withResolvers<void>();
    const watch = m.core.watch.bind(m.core);
    m.core.watch = async (cid) => {
      await watch(cid);
      if (cid === "messaging:far") await fetched.promise;
    };
    goToMessage(m.ports, farMessage("r", { parent_id: "p" }));
    await m.settle();
    openChannel(m.ports, "messaging:ops");
    fetched.resolve();
    await m.settle();
    expect([m.screen.cid, m.screen.panels, m.asked("openThread", "jumpTo")]).toEqual([
      "messaging:ops",
      [],
      [],
    ]);
  });
});
