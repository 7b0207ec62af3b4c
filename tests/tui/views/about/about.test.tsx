/** Who reacted, who read a message and its earlier texts; revealing spoilers and translations; the right mouse button. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { saveEarlierText, earlierTexts } from "../../../../src/tui/screen/edit-history.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import type { Reaction } from "../../../../src/wire/entities/message.ts";
import { FakeCore, channel, message, stateOf, user, messageSet } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
const at = (minute: number): string =>
  new Date(Date.parse("2026-11-17T09:00:00Z") + minute * 60_000).toISOString();
const by = (id: string, type: string): Reaction => ({
  type,
  user_id: id,
  user: user(id),
  message_id: "m1",
  score: 1,
  created_at: at(3),
  updated_at: at(3),
});
const group = (count: number, minute: number) => ({
  count,
  sum_scores: count,
  first_reaction_at: at(minute),
  last_reaction_at: at(minute),
});
const liked = (): ClientMessage =>
  message("m1", "me", "deploy at ten", {
    reaction_groups: { like: group(2, 3), eyes: group(1, 4) },
    latest_reactions: [by("ana", "like"), by("bo", "like"), by("cy", "eyes")],
    message_text_updated_at: at(2),
  });
function core(held: ClientMessage): FakeCore {
  const read = (id: string, minute: number, delivered?: number) =>
    [
      id,
      {
        user: user(id),
        last_read: at(minute),
        unread_messages: 0,
        ...(delivered !== undefined && { last_delivered_at: at(delivered) }),
      },
    ] as const;
  return new FakeCore(
    stateOf([
      channel("general", {
        messages: [held],
        read: new Map([read("ana", 5), read("bo", -5, 1), read("cy", -5), read("me", 9)]),
      }),
    ]),
  );
}
async function show(held: ClientMessage, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core(held), { columns: 130, rows: 20, ...options });
  open.push(m);
  return m;
}
function updated(core: FakeCore, old: string, minute = 2): void {
  saveEarlierText(core, {
    type: "message.updated",
    message: { id: "m1", updated_at: at(minute) },
    message_update: { old_text: old },
  } as never);
}

test.each([
  ["130 × 20", {}],
  ["80 × 24", { columns: 80, rows: 24 }],
  ["50 × 20", { columns: 50, rows: 20 }],
  ["without colours", { theme: makeTheme(0, "dark", { styled: true }) }],
] as const)("w shows who reacted, who read and received it, and earlier texts, at %s", async (_, options) => {
  const m = await show(liked(), options);
  updated(m.core, "deploy at nine");
  await m.press("esc", "w");
  expect(m.text().replace(/[ ]+$/gm, "")).toMatchSnapshot();
});

test("of a message for some, only they are named as readers", async () => {
  const m = await show({ ...liked(), reaction_groups: {}, restricted_visibility: ["bo", "me"] });
  await m.press("esc", "w");
  expect(m.text()).toContain("Delivered to 1, not read");
  expect(m.text()).not.toContain("Read by");
});

test("missing reactions are loaded, and named when they arrive", async () => {
  const held = { ...liked(), reaction_groups: { like: group(4, 3) } };
  const m = new ScreenDriver(core(held));
  m.core.answers.set("queryReactions", () => ({
    reactions: ["ana", "bo", "cy", "dee"].map((id) => by(id, "like")),
  }));
  await m.press("esc", "w");
  expect(m.screen.panels.at(-1)).toMatchObject({
    name: "about",
    reactions: [{ user_id: "ana" }, { user_id: "bo" }, { user_id: "cy" }, { user_id: "dee" }],
  });
});

test("an edit that this machine did not see, and an untouched message, are described", async () => {
  const m = await show(liked());
  await m.press("esc", "w");
  expect(m.text()).toMatch(/this machine[^]*has not seen/);
  const withoutInfo = await mount(
    new FakeCore(stateOf([channel("general", { messages: [message("m1", "me", "x")] })])),
  );
  open.push(withoutInfo);
  await withoutInfo.press("esc", "w");
  expect(withoutInfo.text()).toContain("No reactions, readers or edits yet");
});

test("the number and length of saved earlier texts are limited", () => {
  const memory = core(liked());
  for (let i = 0; i < 30; i++) updated(memory, `text ${i}${"x".repeat(3000)}`, i);
  const texts = earlierTexts(memory, "m1");
  expect([texts.length, texts[0]!.text.slice(0, 8), texts.at(-1)!.text.length]).toEqual([
    10,
    "text 20x",
    1000,
  ]);
  for (let i = 0; i < 120; i++)
    saveEarlierText(memory, {
      type: "message.updated",
      message: { id: `n${i}`, updated_at: at(i) },
      message_update: { old_text: "x" },
    } as never);
  expect([earlierTexts(memory, "m1"), earlierTexts(memory, "n119").length]).toEqual([[], 1]);
});

test("an edit that several screens of a person hear of, or one of them late, is saved once, in its place", () => {
  const memory = core(liked());
  updated(memory, "first", 1);
  updated(memory, "third", 3);
  updated(memory, "third", 3);
  updated(memory, "second", 2);
  updated(memory, "first", 1);
  expect(earlierTexts(memory, "m1").map(({ text }) => text)).toEqual(["first", "second", "third"]);
});

test("what is open follows: an edit, and a reaction that comes or goes", async () => {
  const held = liked();
  const m = await show(held);
  await m.press("esc", "w");
  m.core.hear({
    type: "message.updated",
    cid: "messaging:general",
    created_at: at(5),
    message: { ...held, text: "deploy at eleven", updated_at: at(5) },
    message_update: { old_text: "deploy at ten" },
  } as never);
  await m.settle();
  expect(m.text()).toMatch(/Earlier versions[^]*deploy at ten/);
  m.core.changeChannel("messaging:general", (entry) => ({
    ...entry,
    sets: [
      messageSet([
        {
          ...held,
          reaction_groups: { like: group(1, 3), heart: group(1, 6) },
          latest_reactions: [by("ana", "like"), by("dana", "heart")],
        },
      ]),
    ],
  }));
  await m.settle();
  expect(m.text()).toMatch(/❤\S* 1[^]*dana/);
  expect(m.text()).not.toMatch(/and 1 more|👀/);
});

test("an update without a new text is not saved", () => {
  const memory = core(liked());
  saveEarlierText(memory, {
    type: "message.updated",
    message: { id: "m1", updated_at: at(1) },
    message_update: {},
  } as never);
  expect(earlierTexts(memory, "m1")).toEqual([]);
});

test("z reveals and hides the spoilers of a message, and so does a click", async () => {
  const m = await show(message("m1", "ana", "it ends with ||a wedding||"));
  await m.press("esc");
  expect(m.text()).not.toContain("wedding");
  await m.press("z");
  expect(m.text()).toContain("a wedding");
  await m.press("z");
  expect(m.text()).not.toContain("wedding");
  const y = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("▒"));
  await m.click(m.line(y).indexOf("▒"), y);
  expect(m.text()).toContain("a wedding");
});

const french = (): ClientMessage =>
  message("m1", "ana", "bonjour", { i18n: { language: "fr", fr_text: "bonjour", en_text: "good morning" } });

test("a translation into my language is shown with a note, and T switches to the original and back", async () => {
  const m = await show(french());
  m.core.change((s) => ({ ...s, me: { ...s.me!, language: "en" } }));
  await m.settle();
  expect(m.text()).toContain("good morning (translated from fr)");
  await m.press("esc", "T");
  expect(m.text()).toContain("bonjour");
  expect(m.text()).not.toContain("translated");
  await m.press("T");
  expect(m.text()).toContain("good morning");
});

test("T translates a message that has no translation, and says so when the provider answers with the text itself", async () => {
  const m = new ScreenDriver(core(message("m1", "ana", "bonjour")));
  m.core.change((s) => ({ ...s, me: { ...s.me!, language: "en" } }));
  await m.settle();
  m.core.answers.set("translateMessage", () => ({ message: french() }));
  await m.press("esc", "T");
  expect(m.core.calls("call")).toEqual([
    ["translateMessage", { path: { id: "m1" }, body: { language: "en" } }],
  ]);
  expect(m.told()).toEqual([]);
  const same = message("m1", "ana", "bonjour", { i18n: { language: "", en_text: "bonjour" } });
  m.core.answers.set("translateMessage", () => ({ message: same }));
  await m.press("T");
  expect(m.told()).toEqual(["The provider has no translation of that message."]);
});

test("a translation that is the text itself is not marked as one", async () => {
  const m = await show(message("m1", "ana", "bonjour", { i18n: { language: "", en_text: "bonjour" } }));
  m.core.change((s) => ({ ...s, me: { ...s.me!, language: "en" } }));
  await m.settle();
  expect(m.text()).not.toContain("translated");
});

test("the right button shows who reacted, what can be done with a person, or the menu", async () => {
  const m = await show({ ...liked(), user: user("ana") });
  const right = (x: number, y: number) => m.type(`\x1b[<2;${x + 1};${y + 1}M\x1b[<2;${x + 1};${y + 1}m`);
  const rows = m.text().split("\n");
  const y = rows.findIndex((line) => line.includes("👍 2"));
  await right(m.line(y).indexOf("👍"), y);
  expect(m.screen.panels.at(-1)).toMatchObject({ name: "about" });
  const name = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("ana  09:00"));
  await right(m.line(name).indexOf("ana"), name);
  expect(m.screen.popups).toMatchObject([{ kind: "picker", title: "ana" }]);
  await m.press("esc");
  const text = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("deploy"));
  await right(m.line(text).indexOf("deploy"), text);
  const [menu] = m.screen.popups;
  expect(menu).toMatchObject({ kind: "picker", title: expect.stringContaining("deploy") });
});

test("a long description can be scrolled in the panel", async () => {
  const many = Array.from({ length: 100 }, (_, i) => by(`person-${i}`, "like"));
  const held = { ...liked(), reaction_groups: { like: group(100, 3) }, latest_reactions: many };
  const m = await show(held, { rows: 12 });
  await m.press("esc", "w");
  expect(m.text()).not.toContain("person-99");
  const pages: string[] = [];
  for (let i = 0; i < 8; i++) {
    await m.press("pagedown");
    pages.push(m.text());
  }
  expect(pages.join("\n")).toContain("person-99");
});

test("a message shown whole in the panel hides no spoilers", async () => {
  const m = await show(message("m1", "ana", "it ends with ||the butler|| of course"));
  expect(m.text()).not.toContain("the butler");
  await m.press("esc", "v");
  expect(m.text()).toContain("it ends with the butler of course");
});
