/** Short forms by hand: a channel, people, the own profile; what is refused is said in the form. */
import { afterEach, expect, test } from "vitest";
import { topPopup } from "../../../../src/tui/screen/screen.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount } from "../../../support/mount.tsx";
import type { Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

async function screen(): Promise<Mounted> {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "one")] })]));
  const m = await mount(core, { columns: 100, rows: 30 });
  open.push(m);
  return m;
}
const form = (m: Mounted): unknown => topPopup(m.screen);

test("/new makes a channel of name, topic and members, and opens it", async () => {
  const m = await screen();
  m.core.answers.set("getChannel", () => Promise.reject(Object.assign(new Error("none"), { status: 404 })));
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

test("what is refused stands in the form, which stays with all that was written", async () => {
  const m = await screen();
  m.core.answers.set("getChannel", () => ({ channel: { cid: "messaging:tea" } }));
  await m.type("/new\r");
  await m.type("tea");
  await m.press("C-j");
  expect(form(m)).toMatchObject({ kind: "fields", fault: expect.stringContaining("exists already") });
  expect(m.text()).toContain("! messaging:tea exists already.");
  expect(m.text()).toContain("tea");
});

test("/rename sets what is written and takes away what was emptied; /me does so with the own profile", async () => {
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

test("/invite alone asks whom; its button is pressed with the mouse, and nobody is a fault", async () => {
  const m = await screen();
  await m.type("/invite\r");
  const row = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("[ Add ]"));
  const at = m.text().split("\n")[row]!.indexOf("[ Add ]");
  await m.click(at + 2, row);
  expect(form(m)).toMatchObject({ fault: "Name at least one person, as @ana or by name." });
  await m.press("up");
  await m.type("ana");
  await m.press("enter", "enter");
  expect(m.core.calls("call").at(-1)).toMatchObject(["updateChannel", { body: { add_members: ["ana"] } }]);
});
