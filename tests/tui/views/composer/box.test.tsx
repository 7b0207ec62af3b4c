/** The box keeps what it holds: a quote chosen without a stroke, an edit after an edit, and the text from before both. */
import { afterEach, expect, test } from "vitest";
import { channel, FakeCore, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const one = message("m1", "me", "first of mine", { minute: 1 });
const two = message("m2", "me", "second of mine", { minute: 2 });
const theirs = message("m3", "ana", "a question", { minute: 3 });
const GENERAL = { cid: "messaging:general" };

async function screen(
  core = new FakeCore(stateOf([channel("general", { messages: [one, two, theirs] })])),
): Promise<Mounted> {
  const m = await mount(core);
  open.push(m);
  return m;
}

test("a quote is kept as soon as it is chosen, another in its place too, without a stroke", async () => {
  const m = await screen();
  m.ports.boxes.quote(theirs);
  expect(m.core.draft(GENERAL)).toMatchObject({ text: "", quotedMessageId: "m3" });
  m.ports.boxes.quote(two);
  expect(m.core.draft(GENERAL)).toMatchObject({ quotedMessageId: "m2" });
  const again = await screen(m.core);
  expect(again.ports.boxes.at().quote).toMatchObject({ id: "m2" });
});

test("an edit begun from another one gives back the text from before both, and keeps whose edit it is", async () => {
  const m = await screen();
  await m.type("half a thought");
  m.ports.boxes.edit(one);
  await m.type(", better");
  m.ports.boxes.edit(two);
  await m.settle();
  expect(m.core.draft(GENERAL)).toMatchObject({ text: "second of mine", editingId: "m2" });
  await m.press("C-c");
  expect(m.ports.boxes.at()).toMatchObject({ editor: { text: "half a thought" } });
  expect(m.ports.boxes.at().editing).toBeUndefined();
  expect(m.core.draft(GENERAL)).toMatchObject({ text: "half a thought" });
  expect(m.core.draft(GENERAL)!.editingId).toBeUndefined();
});

test("an edit of a message with the very text that stood in the box is an edit on disk, too", async () => {
  const m = await screen();
  await m.type("first of mine");
  m.ports.boxes.edit(one);
  expect(m.core.draft(GENERAL)).toMatchObject({ text: "first of mine", editingId: "m1" });
});

test("a command that wants words takes the box, and what stood there can be walked back to", async () => {
  const m = await screen();
  await m.type("half a thought");
  await m.press("C-p");
  await m.type("/channel create\r");
  expect(m.ports.boxes.at().editor.text).toBe("/channel create ");
  await m.press("C-up");
  expect(m.ports.boxes.at().editor.text).toBe("half a thought");
});

test("what is completed before a blank brings no second one", async () => {
  const m = await screen();
  await m.type("see now");
  await m.press("left", "left", "left", "left");
  await m.type(" #gen");
  await m.press("tab");
  expect(m.ports.boxes.at().editor.text).toBe("see #general now");
});
