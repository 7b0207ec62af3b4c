/** Which messages stand for a channel in the Inbox and for a thread in Threads. */
import { expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { entryRows, spokenEntries } from "../../../../src/tui/views/lists/rows.ts";
import { userLists } from "../../../../src/tui/views/lists/lists.ts";
import { FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { listWorkspace, threadOf } from "../../../support/user-lists.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

test("of several unread mentions the Inbox shows the newest, though other messages follow it", () => {
  const mention = { mentioned_users: [user("me")] };
  const messages = [
    message("o1", "cy", "look @me", mention),
    message("o2", "cy", "and here @me", { minute: 1, ...mention }),
    message("o3", "cy", "never mind", { minute: 2 }),
  ];
  const m = new ScreenDriver(
    new FakeCore(stateOf([channel("general"), channel("ops", { unread: 3, mentions: 2, messages })])),
  );
  expect(userLists.inbox.entries(m.model).map(({ lines }) => lines)).toEqual([
    [{ author: "cy", text: "and here @me" }],
  ]);
});

test("a thread titled with the beginning of its first message shows that message, another title replaces it", async () => {
  const core = listWorkspace();
  core.answers.set("queryThreads", () => ({
    threads: [
      { ...threadOf("t1", 0, 60), title: "what about" },
      { ...threadOf("t2", 0, 50), title: "Lunch plans" },
    ],
  }));
  const m = new ScreenDriver(core);
  await m.press("A-t");
  expect(userLists.threads.entries(m.model).map(({ lines }) => lines[0])).toEqual([
    { author: "ana", text: "what about t1?" },
    { text: "Lunch plans" },
  ]);
});

test("the Inbox holds threads with new replies after the mentions, and opens them beside the channel", async () => {
  const core = listWorkspace();
  core.answers.set("queryThreads", () => ({ threads: [threadOf("t1", 2, 60), threadOf("t2", 0, 50)] }));
  const m = new ScreenDriver(core);
  await m.press("A-t", "esc");
  const entries = userLists.inbox.entries(m.model);
  const at = entries.findIndex(({ place }) => place.parentId === "t1");
  expect(entries[at]).toMatchObject({ newCount: 2 });
  expect(entries.slice(0, at).every(({ mentions = 0 }) => mentions > 0)).toBe(true);
  expect(entries.slice(at + 1).every(({ mentions = 0 }) => mentions === 0)).toBe(true);
  expect(entries.some(({ place }) => place.parentId === "t2")).toBe(false);
  await m.press("A-i");
  for (let i = 0; i < at; i++) await m.press("j");
  await m.press("enter");
  expect(m.screen.panels.at(-1)).toMatchObject({ place: { parentId: "t1" } });
});

test("the lines of a list name an author once: not below a direct channel that is called so", () => {
  const entry = { key: "a", title: "ana", newCount: 0, place: { cid: "messaging:a" } };
  const look = { theme: makeTheme(0), width: 60, glyphs: undefined, now: 0, height: 9 } as never;
  const rows = (title: string): string[] =>
    entryRows({ ...entry, title, lines: [{ author: "ana", text: "a coffee" }] }, look);
  expect(rows("ana")[1]).toBe("a coffee");
  expect(rows("#general")[1]).toBe("ana: a coffee");
  const spoken = [
    {
      ...entry,
      lines: [
        { author: "ana", text: "a coffee" },
        { author: "you", text: "yes" },
      ],
    },
  ];
  expect(spokenEntries(spoken, { now: 0, utc: true })).toEqual(["ana; a coffee; you: yes"]);
});
