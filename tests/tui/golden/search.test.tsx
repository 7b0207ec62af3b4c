/** The search as people see it: beside the messages, over them, in one column and without colours. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { emojiPolicy } from "../../../src/tui/screen/look.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const FOUND = [
  message("m1", "ana", "deploy at ten?"),
  message("o1", "cy", `before anything else ${"word ".repeat(20)} the last Deployment failed`, {
    cid: "messaging:ops",
    minute: -3000,
  }),
  message("r1", "bo", "\x1b[2Jdeploys are frozen", { parent_id: "m1", minute: 60 }),
];

async function show(options: MountOptions): Promise<Mounted> {
  const core = new FakeCore(
    stateOf([
      channel("general", { messages: [message("m1", "ana", "deploy at ten?"), message("m2", "bo", "no")] }),
      channel("ops"),
      channel("deploys"),
    ]),
  );
  core.kept.set("searches", ["from:@ana tea", "kettle"]);
  core.call = async (name: string) =>
    (name === "search" ? { results: FOUND.map((one) => ({ message: one })), next: "c2" } : {}) as never;
  const m = await mount(core, options);
  open.push(m);
  await m.press("C-f");
  return m;
}
async function find(m: Mounted, text: string): Promise<void> {
  await m.type(text);
  await m.core.clock.advance(300);
  await m.settle();
}

test("at 120 × 40 search is beside the messages; without a query it offers recent searches and filters", async () => {
  const m = await show({ columns: 120, rows: 40 });
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                                                                      ● online   work
     Inbox                  │                                                   │ Search                              Esc ×
     Threads                │                                                   │ › words, from:@ana, in:#general …
     Later                  │                                                   │
     Drafts                 │                                                   │ Recent searches
                            │                                                   │ from:@ana tea
     ▾ Channels             │                                                   │ kettle
    ▌  #general             │                                                   │ Narrow it with
       #deploys             │                                                   │ from:@ana · from:me
       #ops                 │                                                   │ in:#general · in:here
                            │                                                   │ before:2026-11-01 · after:7d
                            │                                                   │ has:link · has:image · has:file
                            │                                                   │ is:pinned · is:thread · sort:newest
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │ the beginning of this channel                     │
                            │                                                   │
                            │ ── Tue 17 Nov ─────────────────────────────────── │
                            │ ana  09:00                                        │
                            │   deploy at ten?                                  │
                            │                                                   │
                            │ bo  09:00                                         │
                            │   no                                              │
                            │                                                   │
    ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
     › message #general
     SEARCH  Esc close  F1 help"
  `);
  await find(m, "deploy");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                                                                      ● online   work
     Inbox                  │                                                   │ Search                      2 of 4  Esc ×
     Threads                │                                                   │ › deploy
     Later                  │                                                   │ 3 messages · more below
     Drafts                 │                                                   │ Channels
                            │                                                   │ #deploys
     ▾ Channels             │                                                   │ Messages
    ▌  #general             │                                                   │▌#general · ana                  Tue 09:00
       #deploys             │                                                   │▌  deploy at ten?
       #ops                 │                                                   │ #ops · cy                       Sun 07:00
                            │                                                   │   …word the last Deployment failed
                            │                                                   │ #general · bo · in a thread     Tue 10:00
                            │                                                   │   ␛deploys are frozen
                            │                                                   │
                            │                                                   │ ── Around it ────────────────────────────
                            │                                                   │▌ana  Tue 09:00
                            │                                                   │▌  deploy at ten?
                            │                                                   │ bo  Tue 09:00
                            │                                                   │   no
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │ the beginning of this channel                     │
                            │                                                   │
                            │ ── Tue 17 Nov ─────────────────────────────────── │
                            │ ana  09:00                                        │
                            │   deploy at ten?                                  │
                            │                                                   │
                            │ bo  09:00                                         │
                            │   no                                              │
                            │                                                   │
    ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
     › message #general
     SEARCH  ⏎ go there  Esc close  F1 help"
  `);
  await m.press("enter", "n");
  expect(m.line(39)).toMatchInlineSnapshot(
    `" BROWSE  n next found  Backspace back  Esc close  ^F search  ? help"`,
  );
});

test("at 80 × 24 search covers the messages", async () => {
  const m = await show({ columns: 80, rows: 24 });
  await find(m, "deploy");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                              ● online   work
     Inbox              │ Search                                      2 of 4  Esc ×
     Threads            │ › deploy
     Later              │ 3 messages · more below
     Drafts             │ Channels
                        │ #deploys
     ▾ Channels         │ Messages
    ▌  #general         │▌#general · ana                                  Tue 09:00
       #deploys         │▌  deploy at ten?
       #ops             │ #ops · cy                                       Sun 07:00
                        │   …word word the last Deployment failed
                        │ #general · bo · in a thread                     Tue 10:00
                        │   ␛deploys are frozen
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › message #general
     SEARCH  ⏎ go there  Esc close  F1 help"
  `);
  // The terminal cursor is in the search line.
  const line = m.line(2);
  expect(m.cursor()).toEqual({ x: line.indexOf("deploy") + "deploy".length, y: 2 });
});

test("at 50 × 20 search has one column, and without colours found words are bold", async () => {
  const m = await show({ columns: 50, rows: 20, theme: makeTheme(0, "dark", { styled: true }) });
  m.count();
  await find(m, "deploy");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members             ● online   work
     Search                             2 of 4  Esc ×
     › deploy
     3 messages · more below
     Channels
     #deploys
     Messages
    ▌#general · ana                         Tue 09:00
    ▌  deploy at ten?
     #ops · cy                              Sun 07:00
       …word the last Deployment failed
     #general · bo · in a thread            Tue 10:00
       ␛deploys are frozen




    ──────────────────────────────────────────────────
     › message #general
     SEARCH  ⏎ go there  Esc close  F1 help"
  `);
  expect(m.writes.join("")).toContain("\x1b[1mdeploys\x1b[22m are frozen");
  const coloured = await show({ columns: 50, rows: 20 });
  await find(coloured, "deploy");
  expect(picture(coloured)).toBe(picture(m));
});

test("results are drawn like their messages: emoji for this terminal, and words for messages without text", async () => {
  const m = await show({ columns: 120, rows: 40 });
  const place = { latitude: 1, longitude: 2 };
  const results = [
    message("f1", "ana", "done 🎉"),
    message("f2", "bo", "", { shared_location: place } as never),
  ];
  m.core.call = async () => ({ results: results.map((one) => ({ message: one })) }) as never;
  m.ports.store.restyle((look) => ({ ...look, glyphs: emojiPolicy({ emoji: "names" }) }));
  await find(m, "done");
  expect(m.text()).toMatch(/ {2}done :tada:/);
  expect(m.text()).toMatch(/#general · bo .*\n.*│ {3}location/);
});

test("results have no Markdown marks, and spoilers stay hidden", async () => {
  const m = await show({ columns: 120, rows: 40 });
  const results = [
    message("f1", "ana", "the **murderer** of [the book](https://books.example) is ||the gardener||"),
  ];
  m.core.call = async () => ({ results: results.map((one) => ({ message: one })) }) as never;
  await find(m, "murderer");
  expect(m.text()).toMatch(/ {2}the murderer of the book is ▒▒▒▒ /);
  expect(m.text()).not.toContain("gardener");
});

test("filters that are not understood are named", async () => {
  const m = await show({ columns: 80, rows: 24 });
  await find(m, "tea form:@ana has:cheese");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                              ● online   work
     Inbox              │ Search                                              Esc ×
     Threads            │ › tea form:@ana has:cheese
     Later              │
     Drafts             │ form:@ana is not a filter; did you mean from:?
                        │ has:cheese must be one of link, image, file
     ▾ Channels         │
    ▌  #general         │
       #deploys         │
       #ops             │
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
     › message #general
     SEARCH  Esc close  F1 help"
  `);
});
