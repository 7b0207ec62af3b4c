/** The poll form by keys: its fields, its errors in the specification's words, and the request it sends. */
import { afterEach, describe, expect, test } from "vitest";
import { createEditor } from "../../../../src/tui/editor/state.ts";
import { drawForm } from "../../../../src/tui/views/poll/rows.ts";
import { scrollOf } from "../../../../src/tui/screen/screen.ts";
import { withScroll } from "../../../../src/tui/screen/transitions.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const GENERAL = "messaging:general";
const workspace = (): FakeCore => {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "one")] })]));
  core.answers.set("createPoll", ({ body }: { body: { id: string } }) => ({ poll: { id: body.id } }));
  return core;
};
async function form(core = workspace()): Promise<ScreenDriver> {
  const m = new ScreenDriver(core);
  await m.type("/poll");
  await m.press("enter");
  return m;
}
const held = (m: ScreenDriver) => m.core.composer({ cid: GENERAL }).poll.state().form;
const texts = (m: ScreenDriver): string[] => held(m).options.map(({ text }) => text);
const field = (m: ScreenDriver): string | undefined => {
  const popup = topPopup(m.screen);
  return popup?.kind === "poll" ? popup.field : undefined;
};

test("/poll opens it, Enter moves from field to field, and the last button sends the poll", async () => {
  const m = await form();
  expect([field(m), m.text()]).toEqual(["question", ""]);
  await m.type("Lunch?\r\rsoba\rsoup\r");
  expect(texts(m)).toEqual(["soba", "soup", ""]);
  await m.press("up", "up", "up", "up", "up");
  expect(field(m)).toBe("create");
  await m.press("enter");
  const [name, { body }] = m.core.calls("call")[0] as [string, { body: Record<string, unknown> }];
  expect([name, body]).toMatchObject([
    "createPoll",
    { name: "Lunch?", options: [{ text: "soba" }, { text: "soup" }], voting_visibility: "public" },
  ]);
  expect(m.core.calls("send")).toMatchObject([[{ cid: GENERAL }, { custom: { poll_id: body.id } }]]);
  expect([m.screen.popups, held(m).name]).toEqual([[], ""]);
});

test("a poll that was just made is shown: a list that was scrolled up goes to its end", async () => {
  const m = await form();
  m.change((s) => withScroll(s, { cid: GENERAL }, { anchor: { id: "m1", row: 0 } }));
  await m.type("Lunch?\r\rsoba\rsoup\r");
  await m.press("up", "up", "up", "up", "up", "enter");
  expect(m.core.calls("send")).toHaveLength(1);
  expect(scrollOf(m.screen, { cid: GENERAL }).anchor).toBeUndefined();
});

test("a blank toggles the switches, and letters do nothing to them", async () => {
  const m = await form();
  for (const [ups, turned] of [
    [8, { enforce_unique_vote: true }],
    [6, { voting_visibility: "anonymous" }],
    [5, { allow_user_suggested_options: true }],
    [4, { allow_answers: true }],
  ] as const) {
    for (let i = 0; i < ups; i++) await m.press("up");
    await m.type("x ");
    expect(held(m)).toMatchObject(turned);
    for (let i = 0; i < ups; i++) await m.press("down");
  }
  await m.press("up", "up", "up", "up", "left");
  expect(held(m).allow_answers).toBe(false);
});

test("options are moved and removed by key, and edited like other texts", async () => {
  const m = await form();
  await m.press("down", "down");
  await m.type("one\rtwo\rthre");
  await m.press("home", "delete", "end", "left", "backspace", "C-a", "right", "C-u");
  expect(texts(m)).toEqual(["one", "two", "e", ""]);
  await m.press("C-up");
  expect(texts(m)).toEqual(["one", "e", "two", ""]);
  await m.press("C-down", "C-k");
  expect(texts(m)).toEqual(["one", "two", ""]);
  expect(field(m)).toBe(`option ${held(m).options[1]!.id}`);
  await m.press("C-w");
  expect(texts(m)).toEqual(["one", ""]);
});

test("the templates fill in Yes and No, or the next five days", async () => {
  const m = await form();
  await m.press("up", "up", "up", "enter");
  expect(texts(m)).toEqual(["Yes", "No", ""]);
  const dates = await form();
  await dates.press("up", "up", "enter");
  expect(texts(dates)).toEqual(["Thu 19 Nov", "Fri 20 Nov", "Sat 21 Nov", "Sun 22 Nov", "Mon 23 Nov", ""]);
});

test("errors are coloured, the focused field is bold, and other rows are plain", async () => {
  const m = await form();
  await m.type("Lunch?\r\rsoba\rsoba\r");
  const theme = { ...makeTheme(0), bad: (row: string) => `bad${row}`, bold: (row: string) => `bold${row}` };
  const { rows } = drawForm(held(m), {
    columns: 120,
    rows: 40,
    field: "question",
    editor: createEditor(),
    theme,
  });
  const marked = (mark: string) => rows.filter((row) => row.includes(mark)).map((row) => row.trim());
  expect(marked("bad").length).toBeGreaterThan(0);
  expect(marked("bad").every((row) => /soba|same|already|differ/i.test(row))).toBe(true);
  expect(marked("bold").filter((row) => row.includes("Lunch?"))).toHaveLength(1);
});

test("a click toggles a switch, focuses a text or presses a button, and the wheel moves on", async () => {
  const m = await form();
  const { rect } = drawForm(held(m), {
    columns: 120,
    rows: 40,
    field: "question",
    editor: createEditor(),
    theme: makeTheme(0),
  });
  // An empty row is above the first field.
  const row = (n: number): Promise<void> => m.click(rect.x + 5, rect.y + 2 + n);
  await row(5);
  expect([field(m), held(m).voting_visibility]).toEqual(["anonymous", "anonymous"]);
  await row(1);
  await m.type("tea is fine, too");
  expect(held(m).description).toBe("tea is fine, too");
  await m.wheel(rect.x + 5, rect.y + 2, true);
  expect(field(m)).toBe(`option ${held(m).options[0]!.id}`);
  await row(8);
  expect(texts(m)).toEqual(["Yes", "No", ""]);
  await m.click(1, 1);
  expect(topPopup(m.screen)?.kind).toBe("poll");
});

test("R-POLL-14: an invalid poll shows the specification's words, and the form stays", async () => {
  const m = await form();
  await m.press("C-j");
  expect(m.told()).toEqual(["Question is required"]);
  expect(m.core.calls("call")).toEqual([]);
  await m.type("Lunch?");
  await m.press("A-enter");
  expect(m.told().at(-1)).toBe("A poll needs an option");
  await m.press("down", "down");
  await m.type("soba\rSOBA");
  await m.press("C-j");
  expect(m.told().at(-1)).toBe("Option already exists");
  expect(field(m)).toBeDefined();
});

test("Esc closes it and keeps its content; a paste is one line", async () => {
  const m = await form();
  await m.paste("Lunch\nwhere?");
  await m.press("esc");
  expect(m.screen.popups).toEqual([]);
  await m.type("/poll");
  await m.press("enter");
  expect(held(m).name).toBe("Lunch where?");
  await m.type("!");
  expect(held(m).name).toBe("Lunch where?!");
});

describe("the drawn form", () => {
  const open: Mounted[] = [];
  afterEach(() => {
    for (const m of open.splice(0)) m.unmount();
  });
  async function filled(options: MountOptions): Promise<Mounted> {
    const m = await mount(workspace(), options);
    open.push(m);
    await m.type("/poll");
    await m.press("enter");
    await m.type("Lunch?\r\rsoba\rSoba");
    return m;
  }
  test("at 80 × 24 has errors below their fields", async () => {
    const m = await filled({ columns: 80, rows: 24 });
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                              ● online   work
       In
       Th ╭─ New poll ───────────────────────────────────────────────────────────╮
       La │                                                                      │
       Dr │  Question              Lunch?                                        │
          │  Description                                                         │
       ▾  │  Option 1              soba                                          │
      ▌   │ ▌Option 2              Soba                                          │
          │                        ! Option already exists                       │
          │  Option 3                                                            │
          │  One vote each         [ ]                                           │
          │  Votes each, 2 to 10                                                 │
          │  Anonymous             [ ]                                           │
          │  Allow new options     [ ]                                           │
          │  Allow comments        [ ]                                           │
          │  [ Fill in: Yes / No ]                                               │
          │  [ Fill in: the next five days ]                                     │
          │  [ Create the poll ]                                                 │ ──
          │                                                                      │
          ╰─ space toggles ──────────────────────────────────────────────────────╯

      ────────────────────┴───────────────────────────────────────────────────────────
       › message #general
       CHOOSE  ↓ next  ^J create  Esc close  ^K remove option  Alt-↓ move option"
    `);
    expect(m.line(m.cursor().y).slice(0, m.cursor().x)).toMatch(/Option 2 +Soba$/);
  });
  test("at 50 × 16 keeps the focused field visible, with and without colours", async () => {
    const m = await filled({ columns: 50, rows: 16 });
    await m.press("up", "up", "up");
    expect(m.text()).toContain("▌Question");
    expect(m.text()).toContain("^J create  Esc close");
    for (let i = 0; i < 4; i++) await m.press("up");
    expect(m.text()).toContain("▌Allow comments");
    expect(m.text()).toMatch(/╭─ New poll ─+ \d+ of \d+ ─╮/);
    const plain = await filled({ columns: 50, rows: 16, theme: makeTheme(0, "dark", { styled: true }) });
    for (let i = 0; i < 7; i++) await plain.press("up");
    expect(plain.text()).toBe(m.text());
  });
});
