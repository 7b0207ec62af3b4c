/** Threads whose first message was deleted, and threads where the user may not reply. */
import { afterEach, expect, test } from "vitest";
import { words } from "../../../../src/text/words.ts";
import { FakeCore, channel, message, stateOf, thread } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const GENERAL = "messaging:general";
const first = message("m1", "ana", "deploy at ten?", { reply_count: 1 });
const reply = message("r1", "bo", "ten it is", { parent_id: "m1", minute: 1 });

async function inThread(): Promise<Mounted> {
  const threads = new Map([["m1", thread("m1", [reply])]]);
  const m = await mount(
    new FakeCore(stateOf([{ ...channel("general", { messages: [first] }), threads }, channel("ops")])),
  );
  open.push(m);
  await m.press("esc", "g", "t");
  return m;
}
const start = words.message.threadGone.slice(0, 19);

test("a deleted thread says so and keeps the typed text; before that nothing is said", async () => {
  const m = await inThread();
  await m.type("half a reply");
  expect(m.text()).toContain("ten it is");
  expect(m.text()).not.toContain(start);
  m.core.changeChannel(GENERAL, (entry) => ({ ...entry, threads: new Map() }));
  await m.settle();
  expect(m.text()).toContain(start);
  expect(m.text()).toContain("half a reply");
});

test("a reply refused because the thread is gone says so, and its text returns to the box", async () => {
  const m = await inThread();
  m.core.changeChannel(GENERAL, (entry) => ({ ...entry, threads: new Map() }));
  const error = Object.assign(new Error("There is no message m1 in this channel"), { code: 4 });
  m.core.send = () => ({ id: "r9", outcome: Promise.resolve({ state: "failed", error }) as never });
  m.core.takenBack.set("r9", { id: "r9", text: "yes, please" });
  await m.type("yes, please\r");
  await m.settle();
  expect(m.text()).toContain("› yes, please");
  expect(m.text()).toContain("Your reply was refused");
  expect(m.core.calls("unsend")).toEqual([["r9", true]]);
});

test("a thread that is still loading is not called deleted", async () => {
  const m = await mount(new FakeCore(stateOf([channel("general", { messages: [first] }), channel("ops")])));
  open.push(m);
  await m.press("esc", "g", "t");
  expect(m.text()).not.toContain(start);
});

test.each([
  ["its first message was deleted", { ...first, type: "deleted" as const, text: "" }, undefined],
  ["nobody may reply", first, ["read-events", "send-message"]],
])("a thread with replies opens although %s", async (_, parent, own_capabilities) => {
  const threads = new Map([["m1", thread("m1", [reply])]]);
  const general = channel("general", { messages: [parent] });
  const entry = own_capabilities
    ? { ...general, channel: { ...general.channel, own_capabilities } }
    : general;
  const m = await mount(new FakeCore(stateOf([{ ...entry, threads } as typeof general, channel("ops")])));
  open.push(m);
  await m.press("esc", "g");
  expect(m.text()).toContain("⏎ thread");
  await m.press("enter");
  expect(m.text()).toContain("ten it is");
});

test("no thread is opened or hinted for a deleted message without replies", async () => {
  const gone = { ...first, type: "deleted" as const, text: "", reply_count: 0 };
  const m = await mount(new FakeCore(stateOf([channel("general", { messages: [gone] }), channel("ops")])));
  open.push(m);
  await m.press("esc", "g");
  expect(m.text()).not.toContain("⏎ thread");
  await m.press("t");
  expect(m.text()).not.toContain("ten it is");
});
