/** Quotes and edits in the box: saved at once, following changes of their message, and earlier texts available in the history. */
import { afterEach, expect, test } from "vitest";
import { channel, FakeCore, ListTimeline, message, stateOf } from "../../../support/fake-core.ts";
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

/** Applies another user's change to a visible message. */
function moved(m: Mounted, id: string, change: object): void {
  m.core.changeChannel(GENERAL.cid, (entry) => ({
    ...entry,
    sets: entry.sets.map((set) => ({
      ...set,
      messages: new ListTimeline(
        [...set.messages].map((each) => (each.id === id ? { ...each, ...change } : each)),
      ),
    })),
  }));
}

test("the line over the box says what a quoted message has become, and nothing of a deleted one", async () => {
  const m = await screen();
  m.ports.boxes.quote(theirs);
  await m.settle();
  expect(m.text()).toContain("quoting ana · a question");
  moved(m, "m3", { text: "another question" });
  await m.settle();
  expect(m.text()).toContain("quoting ana · another question");
  moved(m, "m3", { type: "deleted" });
  await m.settle();
  expect(m.text()).toContain("quoting ana · message deleted");
});

test("the line over an edit says that the message was changed or deleted meanwhile, and Enter loses nothing", async () => {
  const m = await screen();
  m.ports.boxes.edit(two);
  await m.type(", better");
  moved(m, "m2", { text: "from my other window" });
  await m.settle();
  expect(m.text()).toContain("editing · changed meanwhile, now: from my other window");
  await m.press("enter");
  expect(m.core.calls("edit")).toEqual([]);
  expect(m.text()).toContain("second of mine, better");
  moved(m, "m2", { type: "deleted" });
  await m.press("enter");
  expect(m.text()).toContain("editing · the message was deleted meanwhile");
  await m.press("esc", "C-y");
  expect([m.core.calls("edit"), m.ports.boxes.at().editor.text]).toEqual([[], "second of mine, better"]);
});

test("the text of an edit can be walked back to once it is saved", async () => {
  const m = await screen();
  m.ports.boxes.edit(two);
  await m.type(", better\r");
  await m.press("C-up");
  expect(m.ports.boxes.at().editor.text).toBe("second of mine, better");
});
