/** Inbox, Threads, Later and Drafts as people see them, at the sizes of specification/screen.md §1, with and without colours. */
import { afterEach, describe, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../../support/mount.tsx";
import { listWorkspace } from "../../../support/user-lists.ts";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
async function show(options: MountOptions = {}, core = listWorkspace()): Promise<Mounted> {
  const m = await mount(core, { readOn: "manual", ...options });
  open.push(m);
  return m;
}

const KEYS = { inbox: "A-i", threads: "A-t", later: "A-r", drafts: "A-e" } as const;

test("at 120 × 20 Threads are beside the messages, unread ones first", async () => {
  const m = await show({ columns: 120, rows: 20 });
  await m.press(KEYS.threads);
  expect(picture(m)).toMatchInlineSnapshot(`
    " Threads                                                                                                ● online   work
     Inbox                4 │                                                   │ Threads · 2 unread          1 of 3  Esc ×
    ▌Threads              2 │                                                   │▌#general                2 new · Tue 10:00
     Later                  │                                                   │▌ana: what about t1?
     Drafts               3 │                                                   │▌↳ bo: an answer to t1
                            │                                                   │ #general                1 new · Tue 09:50
     ▾ Channels             │                                                   │ ana: what about t2?
       #design            3 │                                                   │ ↳ bo: an answer to t2
       #ops            ✎ @1 │                                                   │ #general                        Tue 09:55
    ›  #general             │                                                   │ ana: what about t3?
                            │                                                   │ ↳ bo: an answer to t3
                            │ the beginning of this channel                     │
                            │                                                   │
                            │ ── Tue 17 Nov ─────────────────────────────────── │
                            │ ana  09:00                                        │
                            │   deploy at ten?                                  │
                            │                                                   │
    ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
     › Threads is open · message #general
     VIEW  ⏎ open  x read  A all read  r answer  Esc close  ? help"
  `);
});

test("a panel that has more rows than fit has a thumb at its right, and one that does not has none", async () => {
  const at = async (rows: number): Promise<number> => {
    const m = await show({ columns: 80, rows });
    await m.press(KEYS.threads);
    const lines = m.text().split("\n").slice(2, -3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    return lines.filter((line) => line[79] === "▐").length;
  };
  expect(await at(24)).toBe(0);
  expect(await at(12)).toBeGreaterThan(0);
});

test("at 80 × 24 the Inbox covers the messages, mentions first, with author, time and count", async () => {
  const m = await show({ columns: 80, rows: 24 });
  await m.press(KEYS.inbox, "j");
  expect(picture(m)).toMatchInlineSnapshot(`
    " Inbox                                                          ● online   work
    ▌Inbox            2 │ Inbox · 2 unread                            2 of 2  Esc ×
     Threads            │ #ops                               5 new · @1 · Tue 09:30
     Later              │ cy: look @me
     Drafts           3 │▌#design                                 3 new · Tue 09:40
                        │▌bo: a new colour
     ▾ Channels         │
       #design        3 │
       #ops        ✎ @1 │
    ›  #general         │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › Inbox is open · message #general
     VIEW  ⏎ open  x read  A all read  r answer  Esc close  ? help"
  `);
});

test("at 50 × 20 Later has due reminders, upcoming ones and bookmarks", async () => {
  const m = await show({ columns: 50, rows: 20 });
  await m.press(KEYS.later);
  expect(picture(m)).toMatchInlineSnapshot(`
    " Later                            ● online   work
     Later · 1 due                      1 of 3  Esc ×
     Due  1
    ▌#general                             due · 08:30
    ▌cy: keep m1
     Upcoming  1
     #general                               in 12 min
     cy: keep k2
     Someday  1
     #general                               Tue 09:01
     cy: keep k3






    ──────────────────────────────────────────────────
     › Later is open · message #general
     VIEW  ⏎ open  x remove  r answer  R move  ? help"
  `);
});

test("at 80 × 24 Drafts shows drafts of other channels", async () => {
  const m = await show({ columns: 80, rows: 24 });
  await m.press(KEYS.drafts);
  expect(picture(m)).toMatchInlineSnapshot(`
    " Drafts                                                         ● online   work
     Inbox            2 │ Drafts · 3                                  1 of 3  Esc ×
     Threads            │▌#ops                                            Tue 09:00
     Later              │▌for
    ▌Drafts           3 │ #general · thread                               Tue 09:00
                        │ a reply
     ▾ Channels         │ #gone                                           Tue 09:00
       #design        3 │ nowhere to go
       #ops        ✎ @1 │
    ›  #general         │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › Drafts is open · message #general
     VIEW  ⏎ open  x discard  Esc close  ? help"
  `);
});

test("without colours the cursor and new entries keep their markers", async () => {
  const plain = await show({ columns: 80, rows: 24, theme: makeTheme(0, "dark", { styled: true }) });
  const colours = await show({ columns: 80, rows: 24 });
  for (const m of [plain, colours]) await m.press(KEYS.threads, "j");
  expect(picture(plain)).toBe(picture(colours));
  expect(plain.text()).toMatch(/▌#general +1 new/);
  // oxlint-disable-next-line no-control-regex
  expect(plain.writes.join("")).not.toMatch(/\x1b\[(3[0-7]|38|9[0-7])[;m]/);
});

test("the next page is loaded before the end is reached, and appended", async () => {
  const m = await show({ columns: 80, rows: 24 }, listWorkspace({ more: true }));
  await m.press(KEYS.threads);
  expect(m.text()).toContain("what about t4?");
  const threadQueries = m.core.calls("call").filter(([name]) => name === "queryThreads");
  expect(threadQueries.map(([, args]) => (args as { body: { next?: string } }).body.next)).toEqual([
    undefined,
    "page2",
  ]);
});

test.each(["inbox", "threads"] as const)(
  "at 50 columns %s still shows the keys that mark one and all read",
  async (list) => {
    const m = await show({ columns: 50, rows: 20 });
    await m.press(KEYS[list]);
    expect(m.line(19)).toContain("x read  A all read");
  },
);

describe("an empty list explains what it is for", () => {
  test.each([
    ["inbox", "all caught up"],
    ["threads", "t on a message opens its thread"],
    ["later", "s saves it here and R sets a reminder"],
    ["drafts", "No drafts in other boxes"],
  ] as const)("%s", async (list, words) => {
    const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "one")] })]));
    const m = await show({ columns: 50, rows: 20 }, core);
    await m.press(KEYS[list]);
    const shownText = m
      .text()
      .replace(/[│\n]+/g, " ")
      .replace(/ +/g, " ");
    expect(shownText).toContain(words);
    expect(m.line(19)).toMatch(/^ VIEW {2}Esc close {2}\? help$/);
  });
});
