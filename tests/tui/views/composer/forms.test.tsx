/** Short forms driven by keys: a channel, people, the user's own profile; a refusal is shown in the form. */
import { afterEach, expect, test } from "vitest";
import type { ChannelEntry } from "../../../../src/model/state.ts";
import { words } from "../../../../src/text/words.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

async function screen(...more: ReturnType<typeof channel>[]): Promise<Mounted> {
  const general = channel("general", { messages: [message("m1", "ana", "one")] });
  const core = new FakeCore(stateOf([general, ...more]));
  const m = await mount(core, { columns: 100, rows: 30 });
  open.push(m);
  return m;
}
const form = (m: Mounted): unknown => topPopup(m.screen);

test("/new creates a channel with name, topic and members, and opens it", async () => {
  const m = await screen();
  m.core.answers.set("queryChannels", () => ({ channels: [] }));
  m.core.answers.set("queryChannel", () => ({ channel: { cid: "messaging:tea-cakes" } }));
  await m.type("/new\r");
  expect(m.text()).toContain("New channel");
  await m.type("Tea & Cakes\rall about it\rana, @bo\r");
  await m.press("C-j");
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "queryChannel",
    {
      path: { type: "messaging", id: "tea-cakes" },
      body: { data: { name: "Tea & Cakes", topic: "all about it", members: ["me", "ana", "bo"] } },
    },
  ]);
  expect([form(m), m.screen.cid]).toEqual([undefined, "messaging:tea-cakes"]);
});

test("a long name gives an id that is not too long, and one of signs that ids cannot have a random id", async () => {
  const ids: unknown[] = [];
  for (const name of ["the harbour ".repeat(9), "日本語"]) {
    const m = await screen();
    m.core.answers.set("queryChannels", () => ({ channels: [] }));
    m.core.answers.set("queryChannel", () => ({ channel: { cid: "messaging:made" } }));
    await m.type(`/new\r${name}`);
    await m.press("C-j");
    const [, request] = m.core.calls("call").at(-1)!;
    ids.push((request as { path: { id: string } }).path.id);
  }
  expect(ids[0]).toMatch(/^the-harbour(-[a-z]+)+$/);
  expect(String(ids[0]).length).toBeLessThanOrEqual(64);
  expect(ids[1]).toMatch(/^[\w-]+$/);
});

test("a refusal is shown in the form, which keeps everything typed", async () => {
  const m = await screen();
  m.core.answers.set("queryChannels", () => ({ channels: [{ channel: { cid: "messaging:tea" } }] }));
  await m.type("/new\r");
  await m.type("tea");
  await m.press("C-j");
  expect(form(m)).toMatchObject({ kind: "fields", fault: "messaging:tea already exists." });
  expect(m.text()).toContain("! messaging:tea already exists.");
  expect(m.text()).toContain("tea");
});

test("/rename sets changed fields and removes emptied ones, and so does /me for the own profile", async () => {
  const m = await screen();
  await m.type("/rename\r");
  await m.press("up", "C-u");
  await m.type("General tea");
  await m.press("C-j");
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "updateChannelPartial",
    {
      path: { type: "messaging", id: "general" },
      body: { set: { name: "General tea" }, unset: ["topic", "image"] },
    },
  ]);
  await m.type("/me\r");
  await m.type("https://a.example/me.png");
  await m.press("C-j");
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "updateUsersPartial",
    { body: { users: [{ id: "me", set: { name: "me", image: "https://a.example/me.png" } }] } },
  ]);
});

test("a public channel has another type, and a typed type wins over the switch", async () => {
  const m = await screen();
  m.core.answers.set("queryChannels", () => ({ channels: [] }));
  m.core.answers.set("queryChannel", () => ({ channel: {} }));
  await m.type("/new\r");
  await m.type("Tea");
  await m.press("down", "down", "down");
  expect(m.text()).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                                                  ● online   work 
     Inbox              │
     Threads            │
     Later              │
     Drafts             │
                 
     ▾ Channels   ╭─ New channel ────────────────────────────────────────────────────────╮
    ▌  #general   │                                                                      │
                  │  Name            Tea                                                 │
                  │  Topic                                                               │
                  │  Members         only you                                            │
                  │ ▌Private         [x] only members can read                           │
                  │  Id              made from the name                                  │
                  │  Type            messaging if private, else livestream               │
                  │  [ Create ]                                                          │
                  │                                                                      │
                  ╰─ ⏎ next · ^J submits · Esc closes ───────────────────────────────────╯

                        │
                        │
                        │
                        │
                        │ the beginning of this channel
                        │ 
                        │ ── Tue 17 Nov ───────────────────────────────────────────────────────────────
                        │ 09:00  ana             one
                        │                                                                               
    ────────────────────┴───────────────────────────────────────────────────────────────────────────────
     › message #general                                                                                 
     CHOOSE  ↓ next  ^J submit  Esc close"
  `);
  await m.type(" ");
  expect(m.text()).toContain("[ ] anyone can read and join");
  await m.press("C-j");
  expect(m.screen.cid).toBe("livestream:tea");
  await m.type("/new\rCakes");
  await m.press("up", "up", "up", "up", "enter", "down", "down");
  await m.type("team");
  await m.press("C-j");
  expect(m.screen.cid).toBe("team:cakes");
});

test("people are completed by their name, and Tab takes the first", async () => {
  const m = await screen();
  await m.type("/invite\r@bo, an");
  expect(m.text()).toContain("Tab completes ana");
  await m.press("tab");
  expect(form(m)).toMatchObject({ fields: [{ text: "@bo, @ana " }], people: [] });
  await m.press("tab");
  expect(form(m)).toMatchObject({ at: 1 });
});

test("/me sets the status that others see", async () => {
  const m = await screen();
  await m.type("/me\r");
  await m.press("down");
  await m.type("at lunch");
  await m.press("C-j");
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "updateUsersPartial",
    { body: { users: [{ set: { name: "me", status: "at lunch" }, unset: ["image"] }] } },
  ]);
});

test("/leave asks, leaves and opens another channel", async () => {
  const membership = { user_id: "me" } as ChannelEntry["membership"] & object;
  const m = await screen(channel("general", { membership }), channel("ops"));
  await m.type("/leave\r");
  expect(m.text()).toContain("Leave #general?");
  await m.press("y");
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "updateChannel",
    { path: { type: "messaging", id: "general" }, body: { remove_members: ["me"] } },
  ]);
  expect(m.screen.cid).toBe("messaging:ops");
});

test("/leave in a channel that was only visited ends the visit, without a question or a change of its members", async () => {
  const m = await screen(channel("ops"));
  await m.type("/leave\r");
  expect(m.core.calls("stopWatching")).toEqual([["messaging:general"]]);
  expect(m.core.calls("call")).toEqual([]);
  expect([m.screen.cid, m.screen.popups]).toEqual(["messaging:ops", []]);
});

test("switching the sign-in method discards what was typed for the previous one", async () => {
  const m = await screen();
  await m.type("/login\r");
  await m.type("ops");
  await m.press("up", "up", "up");
  await m.type("s3cret-as-a-token");
  expect(m.text()).toContain("‹ a token");
  await m.press("up", "right");
  expect(m.text()).toMatch(/Secret +the app's/);
  await m.press("right", "right", "left");
  expect(m.text()).toMatch(/Command +a program/);
  await m.press("down");
  await m.type("cat token");
  expect(m.text()).toContain("cat token");
  expect(m.text()).not.toContain("s3cret");
  await m.press("C-j");
  expect(form(m)).toMatchObject({ fault: words.forms.noCredentials.command });
});

test("a field of the sign-in form is judged when it is left", async () => {
  const m = await screen();
  await m.type("/login\r");
  await m.type("my work");
  await m.press("down");
  expect(m.text()).toContain("yours to choose");
  await m.press("up");
  for (let n = 0; n < 3; n++) await m.press("backspace");
  await m.press("backspace", "backspace", "down");
  expect(m.text()).not.toContain("yours to choose");
});

test("a user in no channel is told what to do, and can type it", async () => {
  const m = await mount(new FakeCore(stateOf([])), { columns: 80, rows: 20 });
  open.push(m);
  for (const [typed, what] of words.channel.first.ways)
    expect(m.text()).toMatch(new RegExp(`${typed} +${what}`));
  await m.type("join");
  expect(m.text()).toContain("Join a channel: a list");
  await m.press("enter");
  await m.type("#general\r");
  expect(m.screen.cid).toBe("messaging:general");
});

test.each(
  words.channel.first.ways.map(([typed], i) => [
    typed,
    ["newChannel", "joinChannel", "writeTo", "profiles", "help"][i],
  ]),
)("the first screen's “%s” finds its action on top", async (typed, action) => {
  const m = await mount(new FakeCore(stateOf([])), { columns: 80, rows: 20 });
  open.push(m);
  await m.type(typed);
  const popup = topPopup(m.screen);
  expect(choicesOf(popup, m.ports.store.get())[0]?.runs).toBe(action);
});

test("/invite alone asks for people, its button works with the mouse, and an empty list is refused", async () => {
  const m = await screen();
  await m.type("/invite\r");
  const row = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("[ Add ]"));
  const at = m.text().split("\n")[row]!.indexOf("[ Add ]");
  await m.click(at + 2, row);
  expect(form(m)).toMatchObject({ fault: "Enter at least one person, as @ana or by name." });
  await m.press("up");
  await m.type("ana");
  await m.press("enter", "enter");
  expect(m.core.calls("call").at(-1)).toMatchObject(["updateChannel", { body: { add_members: ["ana"] } }]);
});
