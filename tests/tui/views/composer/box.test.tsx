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

test("a quote is saved as soon as it is chosen, and so is another in its place", async () => {
  const m = await screen();
  m.ports.boxes.quote(theirs);
  expect(m.core.draft(GENERAL)).toMatchObject({ text: "", quotedMessageId: "m3" });
  m.ports.boxes.quote(two);
  expect(m.core.draft(GENERAL)).toMatchObject({ quotedMessageId: "m2" });
  const again = await screen(m.core);
  expect(again.ports.boxes.at().quote).toMatchObject({ id: "m2" });
});

test("an edit begun during another edit keeps the text from before both", async () => {
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

test("an edit whose text equals the text in the box is still saved as an edit", async () => {
  const m = await screen();
  await m.type("first of mine");
  m.ports.boxes.edit(one);
  expect(m.core.draft(GENERAL)).toMatchObject({ text: "first of mine", editingId: "m1" });
});

test("a command that needs text takes the box, and the earlier text can be recalled", async () => {
  const m = await screen();
  await m.type("half a thought");
  await m.press("C-p");
  await m.type("/channel create\r");
  expect(m.ports.boxes.at().editor.text).toBe("/channel create ");
  await m.press("C-up");
  expect(m.ports.boxes.at().editor.text).toBe("half a thought");
});

test("completing before a blank adds no second one", async () => {
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

test("the line above the box follows the quoted message, and shows no text of a deleted one", async () => {
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

test("the line above an edit says that the message was changed or deleted meanwhile, and Enter loses nothing", async () => {
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

test("the text of a saved edit can be recalled", async () => {
  const m = await screen();
  m.ports.boxes.edit(two);
  await m.type(", better\r");
  await m.press("C-up");
  expect(m.ports.boxes.at().editor.text).toBe("second of mine, better");
});
