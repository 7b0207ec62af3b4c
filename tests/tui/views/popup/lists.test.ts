/** Lists, confirmations and sheets over the screen: their content, how keys move in them, and what choosing does. */
import { expect, test } from "vitest";
import { HANDLERS } from "../../../../src/tui/bindings/handlers.ts";
import { choicesOf, refreshPicker } from "../../../../src/tui/screen/choices.ts";
import { moveCursorTo } from "../../../../src/tui/views/messages/navigation.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { ApiError } from "../../../../src/model/errors.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { FakeCore, channel, message, stateOf, thread, user } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { askToConfirm } from "../../../../src/tui/screen/notices.ts";

const GENERAL = "messaging:general";
const workspace = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: [message("m1", "ana", "one"), message("m2", "me", "two", { minute: 1 })],
        threads: new Map([["m1", thread("m1", [])]]),
      }),
      channel("ops"),
      channel("design"),
    ]),
  );
const top = (m: ScreenDriver) =>
  topPopup(m.screen) as unknown as { selected: number; query: string; top: number; typed: string };
const runs = (m: ScreenDriver): string[] =>
  choicesOf(topPopup(m.screen), m.model).flatMap((c) => c.runs ?? []);
const labels = (m: ScreenDriver): string[] => choicesOf(topPopup(m.screen), m.model).map((c) => c.label);

test("an unsent edit is listed with the unsent messages", async () => {
  const changed = { ...message("m1", "me", "edited"), pendingChange: "edit" } as never as ClientMessage;
  const waits = { ...message("m2", "me", "new"), status: "sending" } as ClientMessage;
  const state = stateOf([channel("general", { messages: [changed, waits, message("m3", "me", "sent")] })]);
  const m = new ScreenDriver(new FakeCore(state));
  HANDLERS.unsent(m.ports);
  expect(labels(m)).toEqual(["edited", "new"]);
});

test("actions can be found in the channel list below the channels, but none that is destructive", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("C-k");
  expect(runs(m).filter((name) => name === "newPoll")).toEqual([]);
  await m.type("poll");
  expect(runs(m)[0]).toBe("newPoll");
  await m.press("C-u");
  await m.type("thread");
  expect(runs(m)).toContain("thread");
  expect(runs(m).indexOf("thread")).toBeGreaterThan(runs(m).indexOf("threads.show"));
  await m.press("C-u");
  await m.type("delete");
  expect(runs(m)).not.toContain("remove");
  await m.press("C-u");
  await m.type("zqx");
  expect(runs(m)).toEqual([]);
  await m.press("C-u");
  await m.type("poll");
  await m.press("enter");
  expect(topPopup(m.screen)?.kind).toBe("poll");
});

test("the palette names existing pinned channels, and no missing ones", async () => {
  const pinned = async (core: FakeCore): Promise<string[]> => {
    const m = new ScreenDriver(core);
    await m.press("C-p");
    return choicesOf(topPopup(m.screen), m.model).flatMap(({ runs: name, detail }) =>
      name?.startsWith("pinned") ? [`${name} ${detail}`] : [],
    );
  };
  expect(await pinned(workspace())).toEqual([]);
  const membership = { user_id: "me", pinned_at: "2026-11-01T00:00:00Z" } as never;
  const some = new FakeCore(stateOf([channel("general"), channel("ops", { membership })]));
  expect(await pinned(some)).toEqual(["pinned1 #ops"]);
});

test("a step wraps around the ends of a list, a page stops at them, and an empty list stays", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("esc", "+");
  const last = labels(m).length - 1;
  expect(last).toBeGreaterThanOrEqual(9);
  const at: number[] = [];
  for (const key of ["up", "down", "down", "pageup", "pagedown", "pagedown"]) {
    await m.press(key);
    at.push(top(m).selected);
  }
  expect(at).toEqual([last, 0, 1, 0, Math.min(10, last), last]);
  await m.type("zzzzz");
  await m.press("down", "pagedown", "enter");
  expect([labels(m), top(m).selected]).toEqual([[], 0]);
});

test("keys of a list delete whole characters, clear the query and close it, and a paste is its first line", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("C-k");
  await m.type("op👍🏽");
  await m.press("backspace");
  expect(top(m).query).toBe("op");
  await m.press("C-u", "backspace");
  expect(top(m).query).toBe("");
  await m.paste("des\nign");
  expect(top(m).query).toBe("des");
  await m.press("C-g");
  expect([m.screen.popups, m.text()]).toEqual([[], ""]);
  HANDLERS.popupErase(m.ports);
  expect(m.screen.popups).toEqual([]);
});

test("typing selects the first choice", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("C-k", "down", "down");
  await m.type("s");
  expect(top(m).selected).toBe(0);
});

test.each([
  ["mild", "y", true, false],
  ["mild", "Y", true, false],
  ["mild", "enter", true, false],
  ["mild", "n", false, false],
  ["mild", "N", false, false],
  ["mild", "esc", false, false],
  ["mild", "a", false, true],
  ["moderate", "y", true, false],
  ["moderate", "enter", false, true],
  ["severe", "y", false, true],
  ["severe", "n", false, true],
  ["severe", "enter", false, true],
  ["severe", "esc", false, false],
] as const)("a %s question and %s: done %s, still asked %s", async (level, key, done, asks) => {
  const m = new ScreenDriver(workspace());
  let runs = 0;
  askToConfirm(m.ports, { level, question: "Really?" }, () => runs++);
  await m.press(key);
  expect([runs > 0, m.screen.popups.length > 0, m.text()]).toEqual([done, asks, ""]);
  // A confirmation can be answered only once.
  for (const _ of "12") await m.press("C-u", "y", "e", "s", "enter");
  expect(runs).toBe(done || asks ? 1 : 0);
});

test("a severe question is confirmed by its word, or by yes if it has none", async () => {
  for (const [word, typed] of [
    [undefined, "yes"],
    ["general", "general"],
  ] as const) {
    const m = new ScreenDriver(workspace());
    let runs = 0;
    askToConfirm(m.ports, { level: "severe", question: "Really?", ...(word ? { word } : {}) }, () => runs++);
    await m.type(typed.slice(0, -1));
    await m.press("enter");
    expect([runs, top(m).typed]).toEqual([0, typed.slice(0, -1)]);
    await m.type(typed.at(-1)!);
    await m.press("enter");
    expect([runs, m.screen.popups]).toEqual([1, []]);
  }
});

test("an emoji is chosen by name, with colons or as itself, and one already given is removed", async () => {
  const own_reactions = [{ type: "wave", user_id: "me" }] as never;
  const core = new FakeCore(
    stateOf([channel("general", { messages: [message("m1", "ana", "x", { own_reactions })] })]),
  );
  const m = new ScreenDriver(core);
  await m.press("esc");
  for (const typed of ["tada", ":rocket", "👀", "wave"]) {
    await m.press("+");
    await m.type(`${typed}\r`);
  }
  expect(m.asked("react", "unreact").map((a) => [a[0], a[2]])).toEqual([
    ["react", "tada"],
    ["react", "rocket"],
    ["react", "eyes"],
    ["unreact", "wave"],
  ]);
});

test("choosing a person opens the direct channel", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("C-k");
  await m.type("@ana\r");
  expect(m.asked("openDirect")).toEqual(
    [["openDirect", ["ana"]]].map((a) => [...a, "messaging"].slice(0, 2)),
  );
  expect(m.screen.cid).toBe("messaging:!members-ana");
});

test("the palette offers browse actions while writing too, for the newest message, which it shows", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("C-p");
  const writing = labels(m);
  await m.press("esc", "esc", "C-p");
  expect(labels(m).toSorted()).toEqual(writing.toSorted());
  await m.press("esc");
  await m.type("i");
  m.change((s) => ({ ...s, views: new Map() }));
  expect([m.screen.focus, m.selected()]).toEqual(["composer", undefined]);
  await m.press("C-p");
  await m.type("copy the text\r");
  expect(m.screen.focus).toBe("messages");
  expect(m.copied).toEqual([m.selected()!.text]);
});

test("a sheet and the help scroll within their ends, ignore letters, and close on Enter", async () => {
  const m = new ScreenDriver(workspace(), { columns: 80, rows: 20 });
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}`);
  m.change((s) => ({ ...s, popups: [{ kind: "sheet", title: "t", lines, top: 0 }] }));
  await m.press("up");
  expect(top(m).top).toBe(0);
  await m.press("down", "down", "up");
  expect(top(m).top).toBe(1);
  await m.press("pagedown");
  expect(top(m).top).toBe(11);
  for (let i = 0; i < 9; i++) await m.press("pagedown");
  const end = top(m).top;
  expect(end).toBeGreaterThan(40);
  expect(end).toBeLessThan(60);
  await m.press("up");
  expect(top(m).top).toBe(end - 1);
  // A taller window scrolls back to show the end; the next step counts from there.
  m.change((s) => ({ ...s, rows: 40 }));
  await m.press("up");
  expect(top(m).top).toBeLessThan(end - 10);
  await m.type("abc");
  await m.press("enter");
  expect([m.screen.popups, m.text()]).toEqual([[], ""]);
  await m.press("f1", "down");
  expect(top(m)).toMatchObject({ query: "", top: 1 });
  await m.type("go");
  expect(top(m)).toMatchObject({ query: "go", top: 0 });
  await m.press("enter");
  expect(m.screen.popups).toEqual([]);
});

test("an unreadable date offers nothing, and a readable one is shown in full", async () => {
  const m = new ScreenDriver(workspace());
  await m.press("esc", ":");
  expect(labels(m)).toEqual([]);
  await m.type("2026-11-17 09:18");
  expect(labels(m)).toEqual(["17 Nov 2026 09:18"]);
  await m.type("xyz");
  expect(labels(m)).toEqual([]);
});

test("unsent messages are listed, and a single one is opened at once", async () => {
  const failed = message("o1", "me", "lost", { cid: "messaging:ops", status: "failed" });
  const waits = message("m3", "me", "late", { status: "sending", minute: 2 });
  const withUnsent = (...own: ClientMessage[]): ScreenDriver => {
    const of = (cid: string): ClientMessage[] => own.filter((each) => each.cid === cid);
    const m = new ScreenDriver(
      new FakeCore(
        stateOf([
          channel("general", { messages: [message("m1", "ana", "one"), ...of(GENERAL)] }),
          channel("ops", { messages: of("messaging:ops") }),
        ]),
      ),
    );
    m.core.change((state) => ({ ...state, outbox: own.length }));
    m.change((s) => s);
    return m;
  };
  const one = withUnsent(failed);
  HANDLERS.unsent(one.ports);
  expect([one.screen.cid, one.selected()?.id]).toEqual(["messaging:ops", "o1"]);
  const two = withUnsent(waits, failed);
  HANDLERS.unsent(two.ports);
  expect(labels(two)).toEqual(["late", "lost"]);
  await two.press("down", "enter");
  expect([two.screen.cid, two.selected()?.id]).toEqual(["messaging:ops", "o1"]);
  const none = withUnsent();
  HANDLERS.unsent(none.ports);
  expect(none.told()).toEqual(["Everything has been sent."]);
});

test("a refused message that is in no list is listed as unsent, and returns with its files to an empty box", async () => {
  const m = new ScreenDriver(workspace());
  const row = { kind: "send", tries: 1, created_at: "2026-11-17T09:00:00.000Z", busy: false } as const;
  m.core.waitingRows = [
    { ...row, id: "r9", cid: GENERAL, text: "yes, please", state: "failed" },
    { ...row, id: "s1", cid: GENERAL, text: "at nine", state: "queued", send_at: "2026-11-18T09:00:00.000Z" },
    { ...row, id: "b1", cid: GENERAL, text: "of another window", state: "sending", busy: true },
  ];
  const attachments = [{ type: "file", title: "tea.txt", asset_url: "https://a.example/tea.txt" }];
  m.core.takenBack.set("r9", { id: "r9", text: "yes, please", attachments });
  await m.type("something else");
  HANDLERS.unsent(m.ports);
  expect([m.text(), m.core.calls("unsend"), m.told()]).toEqual([
    "something else",
    [],
    [
      "Your reply was refused: its thread is gone. Empty the box, then Ctrl-P and Unsent bring the text back.",
    ],
  ]);
  await m.press("C-u");
  HANDLERS.unsent(m.ports);
  expect([m.text(), m.ports.boxes.at().carried, m.core.calls("unsend"), m.told().at(-1)]).toEqual([
    "yes, please",
    attachments,
    [["r9", true]],
    "Your reply was refused: its thread is gone. The text is back in the box.",
  ]);
});

test.each([
  ["deleted", 404, 16],
  ["closed to the user", 403, 17],
])(
  "an unsent message for a channel that is %s is dropped after a confirmation, and its text can be recalled",
  async (_, ...refusal) => {
    const gone = (status: number, code: number) => () =>
      Promise.reject(new ApiError("No such channel", { status, code }));
    const m = new ScreenDriver(workspace());
    const row = { kind: "send", tries: 1, created_at: "2026-11-17T09:00:00.000Z", busy: false } as const;
    m.core.waitingRows = [{ ...row, id: "d9", cid: "messaging:den", text: "too late", state: "failed" }];
    m.core.watchExisting = gone(500, -1);
    HANDLERS.unsent(m.ports);
    await m.settle();
    expect([topPopup(m.screen), m.told()]).toEqual([undefined, ["No such channel"]]);
    m.core.watchExisting = gone(...refusal);
    HANDLERS.unsent(m.ports);
    await m.settle();
    expect(topPopup(m.screen)).toMatchObject({
      question: { question: "“too late” cannot be sent: its channel is gone. Drop it?" },
    });
    await m.press("y");
    expect(m.asked("drop", "dropUnsent")).toEqual([
      ["drop", "d9"],
      ["dropUnsent", "d9"],
    ]);
    await m.press("C-up");
    expect([m.text(), m.screen.cid]).toEqual(["too late", GENERAL]);
  },
);

test("a key closes a notice early, the newest first (R-NOTE-3)", async () => {
  const m = new ScreenDriver(workspace());
  const notice = (id: string) => ({ id, level: "info", text: id, until: 1 }) as const;
  m.core.change((state) => ({ ...state, notices: [notice("a"), notice("b")] }));
  m.change((s) => s);
  await m.press("A-q");
  expect(m.asked("dismiss")).toEqual([["dismiss", "b"]]);
  m.core.change((state) => ({ ...state, notices: [] }));
  m.change((s) => s);
  await m.press("A-q");
  expect(m.asked("dismiss")).toHaveLength(1);
});

test("the menu of a deleted message offers what is still possible, and its title has no Markdown marks", async () => {
  const messages = [
    message("m1", "ana", "read *chapter 4*\n\n- and 5"),
    message("m2", "bo", "", { minute: 1, type: "deleted" }),
  ];
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages })])));
  await m.press("esc");
  moveCursorTo(m.ports, { cid: "messaging:general" }, "m2");
  await m.press("m");
  expect(runs(m).toSorted()).toEqual(["about", "copyId", "copyLink", "person"]);
  await m.press("esc", "k", "m");
  expect(runs(m)).toContain("react");
  expect(topPopup(m.screen)).toMatchObject({ title: "ana: read chapter 4" });
});

test("channels and people are found by their ids, and an unmatched query finds nothing", async () => {
  const named = (id: string, name: string) => user(id, { name });
  const people = [named("me", "Me"), named("a-17", "Ana"), named("b-18", "Bo")];
  const members = people.slice(0, 2).map((one) => [one.id, { user_id: one.id, user: one }] as const);
  const direct = channel("!members-x1", { name: "", members: new Map(members) as never });
  const m = new ScreenDriver(
    new FakeCore(
      stateOf([channel("c-42", { name: "tea" }), channel("general"), direct], {
        users: new Map(people.map((one) => [one.id, one])),
      }),
    ),
  );
  const found = async (typed: string): Promise<string[]> => {
    HANDLERS.goto(m.ports);
    await m.type(typed);
    const places = choicesOf(topPopup(m.screen), m.model).filter((c) => c.choose);
    HANDLERS.escape(m.ports);
    return places.map(({ label }) => label);
  };
  expect(await found("c-42")).toEqual(["#tea"]);
  expect(await found("a-17")).toEqual(["Ana"]);
  expect(await found("b-18")).toEqual(["@Bo"]);
  expect(await found("members")).toEqual([]);
});

test("a view that is both a place and an action is listed once, with its key", async () => {
  const m = new ScreenDriver(workspace());
  HANDLERS.goto(m.ports);
  await m.type("inbox");
  const inbox = choicesOf(topPopup(m.screen), m.model).filter(({ runs: name }) => name === "inbox.show");
  expect(inbox).toMatchObject([{ mark: "Alt-I" }]);
});

test("a hidden channel is still gone to by its name, and named after those that are listed", async () => {
  const m = new ScreenDriver(new FakeCore(stateOf([channel("old ops", { hidden: true }), channel("ops")])));
  await m.press("C-k");
  await m.type("ops");
  const found = choicesOf(topPopup(m.screen), m.model);
  expect(found.map(({ label, detail }) => [label, detail])).toEqual([
    ["#ops", undefined],
    ["#old ops", "hidden"],
  ]);
});

test("hidden channels are asked for by the first list of places, and join it while it is open, with the cursor where it was", async () => {
  const core = new FakeCore(
    stateOf([channel("general"), channel("ops")], { users: new Map([["bo", user("bo")]]) }),
  );
  const m = new ScreenDriver(core);
  const hiddenLoads = (): unknown[] =>
    core.calls("queryChannels").filter(([query]) => JSON.stringify(query).includes('"hidden":true'));
  expect(hiddenLoads()).toEqual([]);
  HANDLERS.goto(m.ports);
  await m.press("down", "down");
  const before = labels(m)[top(m).selected];
  core.change((state) => ({
    ...state,
    channels: new Map(state.channels).set("messaging:attic", channel("attic", { hidden: true })),
  }));
  await m.settle();
  refreshPicker(m.ports);
  expect(labels(m)).toContain("#attic");
  expect(labels(m)[top(m).selected]).toBe(before);
  HANDLERS.escape(m.ports);
  HANDLERS.goto(m.ports);
  expect(hiddenLoads()).toHaveLength(1);
});
