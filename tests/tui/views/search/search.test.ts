/** The search: what keys and the mouse do in it, where its results lead, and returning from them. */
import { expect, test } from "vitest";
import { selectedResult, foundLines, searchStatus } from "../../../../src/tui/views/search/lines.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { searchRows } from "../../../../src/tui/views/search/rows.ts";
import { scrollOf } from "../../../../src/tui/screen/screen.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import type { SearchPayload, SearchReply } from "../../../../src/wire/search.ts";
import { FakeCore, channel, message, stateOf, thread } from "../../../support/fake-core.ts";
import { ScreenDriver, type ScreenDriverOptions } from "../../../support/screen-driver.ts";

const OPS = "messaging:ops";
const inOps = { cid: OPS };
const MESSAGES = [
  message("o1", "cy", "the kettle", inOps),
  message("m1", "ana", "a kettle"),
  message("r1", "bo", "kettles", { parent_id: "m1", minute: 2 }),
];

function workspace(): FakeCore {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          message("m1", "ana", "a kettle", { reply_count: 1 }),
          message("m2", "me", "two", { minute: 1 }),
        ],
        threads: new Map([["m1", thread("m1", [MESSAGES[2]!])]]),
      }),
      channel("ops", { messages: [MESSAGES[0]!] }),
      channel("kettles"),
    ]),
  );
  core.kept.set("searches", ["from:@ana tea", "older"]);
  return core;
}

/** A user at the search, with a provider that answers when the test says so. */
class SearchScreen extends ScreenDriver {
  readonly requests: SearchPayload[] = [];
  #answers: ((reply: SearchReply) => void)[] = [];
  #faults: ((error: Error) => void)[] = [];
  constructor(options: ScreenDriverOptions = {}, core = workspace()) {
    super(core, options);
    core.call = async (name: string, args?: unknown) => {
      if (name !== "search") return {} as never;
      this.requests.push((args as { query: SearchPayload }).query);
      return new Promise<never>((resolve, reject) => {
        this.#answers.push(resolve as never);
        this.#faults.push(reject);
      });
    };
  }
  async rest(): Promise<void> {
    await this.core.clock.advance(300);
    await this.settle();
  }
  async answer(messages: readonly ClientMessage[], next?: string): Promise<void> {
    const results = messages.map((one) => ({ message: one }));
    this.#answers.shift()!({ results, ...(next !== undefined && { next }) });
    await this.settle();
  }
  async refuse(why: string): Promise<void> {
    this.#faults.shift()!(new Error(why));
    await this.settle();
  }
  /** Types, waits for the request and answers it. */
  async find(text: string, messages: readonly ClientMessage[] = MESSAGES, next?: string): Promise<void> {
    await this.type(text);
    await this.rest();
    await this.answer(messages, next);
  }
  get search() {
    return this.screen.search;
  }
  lines(): string[] {
    return foundLines(this.state, this.search).map((line) =>
      line.kind === "message" ? line.message.id : "key" in line ? line.key : line.text,
    );
  }
  chosen(): string | undefined {
    return selectedResult(foundLines(this.state, this.search), this.search.selected)?.key;
  }
}

test("typing finds channels at once and messages after a pause, with a status", async () => {
  const m = new SearchScreen();
  m.core.held = [MESSAGES[1]!];
  await m.press("C-f");
  await m.type("kett");
  expect(searchStatus(m.search)).toBe("1 message found here · searching…");
  expect(m.lines()).toEqual(["Channels", "channel:messaging:kettles", "Messages", "m1"]);
  expect(m.requests).toEqual([]);
  await m.rest();
  expect(m.requests).toEqual([
    {
      filter_conditions: { members: { $in: ["me"] } },
      sort: [{ field: "created_at", direction: -1 }],
      query: "kett",
      limit: 10,
    },
  ]);
  await m.answer(MESSAGES, "c2");
  expect(searchStatus(m.search)).toBe("3 messages · more below");
  expect(m.chosen()).toBe("o1");
  // The next page is requested before the end of the list is reached.
  await m.press("down");
  await m.rest();
  expect(m.requests[1]).toMatchObject({ next: "c2" });
  await m.answer([message("x9", "bo", "late kettle", inOps)]);
  expect(m.lines().slice(3)).toEqual(["o1", "m1", "r1", "x9"]);
  expect(m.text()).toBe("");
});

test("of a long message the part with the found word is shown", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  const long = `${"before and ".repeat(40)}the copper kettle${" and after".repeat(40)}`;
  await m.find("kettle", [message("m9", "ana", long)]);
  const look = { theme: makeTheme(0), width: 60, height: 20, now: m.model.now };
  const rows = searchRows(look as never, m.state, m.search);
  expect(rows.some((row) => /^.\s+….+ copper kettle and after/.test(row))).toBe(true);
});

test.each([
  ["上海", "我家在老街".repeat(30), "上海", "东边很热闹".repeat(30)],
  ["ภาษา", "ฉันรักเมือง".repeat(30), "ภาษา", "ที่นี่".repeat(30)],
  ["needle", "x".repeat(150), " needle", "y".repeat(200)],
])("the part with %s is shown and marked where no blanks are near", async (query, before, word, after) => {
  const m = new SearchScreen();
  await m.press("C-f");
  await m.find(query, [message("m9", "ana", before + word + after)]);
  const look = { theme: makeTheme(3), width: 60, height: 20, now: m.model.now };
  const rows = searchRows(look as never, m.state, m.search);
  const marked = makeTheme(3).bold(makeTheme(3).accent(word.trim() === "needle" ? `needle${after}` : word));
  const start = marked.slice(0, marked.indexOf(query) + query.length);
  expect(rows.some((row) => row.includes(start))).toBe(true);
});

test("words of signs alone are answered by one sentence instead of a request, beside channels of that name", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  await m.type("%");
  await m.rest();
  expect(m.requests).toEqual([]);
  expect(m.search.faults).toEqual(["Only letters and digits can be searched for, and there are none in %"]);
  const look = { theme: makeTheme(0), width: 100, height: 20, now: m.model.now };
  expect(searchRows(look as never, m.state, m.search).join("\n")).toContain(m.search.faults[0]);
});

test("filters narrow the search, and ones not understood are named instead of sent", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  await m.type("tea from:@ana in:#ops has:link");
  await m.rest();
  expect(m.requests).toMatchObject([
    {
      filter_conditions: { cid: OPS },
      message_filter_conditions: { "user.id": "ana", text: { $q: "tea" } },
    },
  ]);
  await m.answer([]);
  expect(m.lines()).toEqual(["Nothing found for “tea” from @ana with has:link in #ops."]);
  await m.type(" has:cheese in:#attic");
  await m.rest();
  expect(m.requests).toHaveLength(1);
  expect(m.lines()).toEqual([
    "has:cheese must be one of link, image, file",
    "in:#attic is not a known channel",
  ]);
});

test("if the provider does not answer, local results stay", async () => {
  const m = new SearchScreen();
  m.core.held = [MESSAGES[1]!];
  await m.press("C-f");
  await m.type("a kett");
  await m.rest();
  await m.refuse("no network");
  expect(searchStatus(m.search)).toBe("1 message found here");
  expect(m.lines()).toEqual(["Messages", "m1", "The provider did not answer: no network"]);
});

test("Enter opens the message, n and N move to other results, and Backspace returns", async () => {
  const m = new SearchScreen();
  await m.press("esc", "k");
  const before = { cid: m.screen.cid, view: scrollOf(m.screen, { cid: "messaging:general" }) };
  await m.press("C-f");
  await m.find("kettle");
  await m.press("enter");
  expect([m.screen.cid, m.screen.focus, m.selected()?.id]).toEqual([OPS, "messages", "o1"]);
  // On a wide screen the search stays open beside the messages.
  expect(m.screen.panels).toMatchObject([{ name: "search" }]);
  await m.press("n");
  expect([m.screen.cid, m.selected()?.id]).toEqual(["messaging:general", "m1"]);
  // A reply is opened in its thread.
  await m.press("n");
  expect([m.screen.focus, m.selected()?.id]).toEqual(["panel", "r1"]);
  expect(m.screen.panels.at(-1)).toMatchObject({ name: "thread", cid: "messaging:general", key: "m1" });
  await m.press("n");
  expect(m.told()).toEqual(["That was the last result."]);
  await m.press("N", "N");
  expect([m.screen.cid, m.selected()?.id]).toEqual([OPS, "o1"]);
  await m.press("N");
  expect(m.told().at(-1)).toBe("That was the first result.");
  await m.press("backspace");
  expect([m.screen.cid, m.screen.focus]).toEqual([before.cid, "panel"]);
  expect(scrollOf(m.screen, { cid: "messaging:general" })).toEqual(before.view);
  await m.press("esc", "backspace");
  expect(m.told().at(-1)).toBe("There is no jump to go back from.");
});

test("a result shows the present text of its message, says that it was deleted, and goes when it is erased", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  const far = message("x9", "bo", "a far kettle", inOps);
  await m.find("kettle", [...MESSAGES, far]);
  const shown = (): string =>
    searchRows(
      { theme: makeTheme(0), width: 60, height: 30, now: m.model.now } as never,
      m.state,
      m.search,
    ).join("\n");
  // The user's own change of a loaded message, which is not at the provider yet.
  m.core.changeChannel(OPS, (entry) => ({
    ...entry,
    sets: channel("ops", { messages: [message("o1", "cy", "the pot", inOps)] }).sets,
  }));
  m.core.hear({ type: "message.updated", cid: OPS, message: { ...far, text: "a near pan" } });
  await m.settle();
  expect([shown().includes("the pot"), shown().includes("the kettle")]).toEqual([true, false]);
  expect([shown().includes("a near pan"), shown().includes("a far kettle")]).toEqual([true, false]);
  const gone = { ...message("m1", "ana", ""), type: "deleted" };
  m.core.hear({ type: "message.deleted", cid: "messaging:general", hard_delete: true, message: gone });
  m.core.hear({ type: "message.deleted", cid: OPS, message: { ...far, type: "deleted" } });
  await m.settle();
  expect(m.lines()).not.toContain("r1");
  expect(shown()).toContain("message deleted");
  expect(shown()).not.toMatch(/near pan|a kettle/);
});

test("n loads more results at the end, and says if nothing was searched", async () => {
  const m = new SearchScreen();
  await m.press("esc", "n");
  expect(m.told()).toEqual(["Search for something first."]);
  await m.press("C-f");
  await m.find("kettle", MESSAGES.slice(0, 1), "c2");
  await m.press("enter");
  await m.press("n");
  expect(m.told().at(-1)).toBe("Loading more results…");
  await m.answer(MESSAGES.slice(1, 2));
  await m.press("n");
  expect(m.selected()?.id).toBe("m1");
});

test("a search that covers the messages closes for its result, and reopens with its results", async () => {
  const m = new SearchScreen({ columns: 80, rows: 24 });
  await m.press("C-f");
  await m.find("kettle");
  await m.press("enter");
  expect([m.screen.panels, m.selected()?.id]).toEqual([[], "o1"]);
  await m.press("C-f");
  expect([m.chosen(), m.search.editor.text]).toEqual(["o1", "kettle"]);
  // The old query is selected: the next letter replaces it.
  await m.type("t");
  expect(m.search.editor.text).toBe("t");
});

test("the sidebar over a narrow screen closes for the search", async () => {
  const m = new SearchScreen({ columns: 60, rows: 20 });
  await m.press("C-\\", "C-f");
  expect([m.model.layout.sidebar, m.model.layout.panel !== undefined]).toEqual([undefined, true]);
});

test("successful searches are saved, newest first and once, and offered in an empty line", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  expect(m.lines().slice(0, 3)).toEqual(["Recent searches", "recent:from:@ana tea", "recent:older"]);
  expect(m.chosen()).toBeUndefined();
  await m.press("down", "down", "enter");
  expect(m.search.editor.text).toBe("older");
  await m.press("C-u");
  await m.find("kettle");
  await m.press("enter");
  expect(m.core.kept.get("searches")).toEqual(["kettle", "from:@ana tea", "older"]);
  const again = new ScreenDriver(m.core);
  expect(again.screen.search.recent).toEqual(["kettle", "from:@ana tea", "older"]);
});

test("the input has readline keys, Ctrl-C clears and then closes, Esc closes, and the box keeps its text", async () => {
  const m = new SearchScreen();
  await m.type("draft");
  await m.press("C-f");
  await m.type("one two");
  await m.press("C-w", "C-a");
  await m.type("x");
  expect(m.search.editor.text).toBe("xone ");
  await m.paste("first\nsecond");
  expect(m.search.editor.text).toBe("xfirstone ");
  await m.press("C-c");
  expect([m.search.editor.text, m.screen.panels]).toMatchObject(["", [{ name: "search" }]]);
  await m.press("C-c");
  expect(m.screen.panels).toEqual([]);
  await m.press("A-/", "esc");
  expect([m.screen.panels, m.screen.focus]).toEqual([[], "messages"]);
  await m.press("esc");
  expect([m.screen.focus, m.text()]).toEqual(["composer", "draft"]);
});

test("channels and people can be opened", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  await m.find("kett", []);
  await m.press("enter");
  expect(m.screen.cid).toBe("messaging:kettles");
  await m.press("C-f");
  await m.find("cy", []);
  await m.press("enter");
  expect(m.core.calls("openDirect")).toEqual([[["cy"]]]);
});

test("a click opens a result, and the wheel moves through them", async () => {
  const m = new SearchScreen();
  await m.press("C-f");
  await m.find("a kettle");
  const panel = m.model.layout.panel!;
  await m.wheel(panel.x + 2, panel.y + 5, true);
  expect(m.chosen()).toBe("m1");
  // The title, input line, status and group heading are above the first message.
  await m.click(panel.x + 3, panel.y + 4);
  expect([m.screen.cid, m.selected()?.id]).toEqual([OPS, "o1"]);
  await m.click(panel.x + 3, panel.y + 1);
  expect(m.screen.focus).toBe("panel");
});

test.each(["vim", "emacs"] as const)("%s opens it with Alt-/ and moves with its own keys", async (keys) => {
  const m = new SearchScreen({ keys });
  await m.press("A-/");
  await m.find("kettle");
  await m.press("C-n", "C-p", "enter");
  expect(m.selected()?.id).toBe("o1");
  await m.press(keys === "vim" ? "n" : "N");
  expect(m.selected()?.id).toBe("m1");
  await m.press(keys === "vim" ? "N" : "P");
  expect(m.selected()?.id).toBe("o1");
});

test("/search and :search open it with words and flags", async () => {
  const m = new SearchScreen();
  await m.type("/search --user ana --has link --sort newest tea in:#ops\r");
  expect([m.search.editor.text, m.text()]).toEqual(["tea in:#ops from:ana has:link sort:newest", ""]);
  await m.rest();
  expect(m.requests).toHaveLength(1);
  await m.press("esc", "esc");
  await m.press("esc", ":");
  await m.type("search kettle\r");
  expect([m.search.editor.text, m.screen.focus]).toEqual(["kettle", "panel"]);
});

test("an id or address opens its message, and returns", async () => {
  const m = new SearchScreen();
  const requests: unknown[] = [];
  m.core.call = async (name: string, args?: unknown) => {
    requests.push([name, args]);
    return { message: MESSAGES[0] } as never;
  };
  const go = async (typed: string): Promise<void> => {
    await m.press(":");
    await m.type(`${typed}\r`);
  };
  await m.press("esc");
  await go("m1");
  expect([m.selected()?.id, requests]).toEqual(["m1", []]);
  for (const typed of ["o1", "parley:messaging:ops/o1"]) {
    await go(typed);
    expect([m.screen.cid, m.selected()?.id]).toEqual([OPS, "o1"]);
    await m.press("backspace");
    expect([m.screen.cid, m.selected()?.id]).toEqual(["messaging:general", "m1"]);
  }
  expect(requests).toEqual([
    ["getMessage", { path: { id: "o1" } }],
    ["getMessage", { path: { id: "o1" } }],
  ]);
});

test("Enter on a quote jumps to the original, t still opens the thread, and Backspace returns", async () => {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          message("m1", "ana", "one"),
          message("m2", "bo", "two", {
            minute: 1,
            quoted_message_id: "m1",
            quoted_message: message("m1", "ana", "one"),
          }),
          message("m3", "bo", "three", { minute: 2, quoted_message_id: "x", quoted_message: null }),
        ],
      }),
    ]),
  );
  const m = new ScreenDriver(core);
  await m.press("esc", "enter");
  expect([m.selected()?.id, m.told()]).toEqual(["m3", ["quoted message deleted"]]);
  await m.press("k", "enter");
  expect(m.selected()?.id).toBe("m1");
  await m.press("backspace");
  expect(m.selected()?.id).toBe("m2");
  await m.press("t");
  expect(m.screen.panels).toMatchObject([{ name: "thread", cid: "messaging:general", key: "m2" }]);
});
