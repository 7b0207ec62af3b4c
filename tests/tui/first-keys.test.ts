/** Keys typed before the first channel is open: they appear in the box, Enter waits for the channel, and Ctrl-C leaves. */
import { expect, test } from "vitest";
import { replayQueuedInput } from "../../src/tui/bindings/route.ts";
import { FakeCore, channel, stateOf } from "../support/fake-core.ts";
import { Hands } from "../support/hands.ts";

const GENERAL = "messaging:general";

function starting(): Hands {
  const m = new Hands(new FakeCore(stateOf([channel("general"), channel("ops")])), { open: "" });
  m.change((s) => ({ ...s, loading: true }));
  return m;
}

function channelsCame(m: Hands): void {
  m.open(GENERAL);
  m.change((s) => ({ ...s, loading: false }));
  replayQueuedInput(m.ports);
}

const sent = (m: Hands): unknown[] =>
  m.core.calls("send").map(([, input]) => (input as { text: string }).text);

test("letters, edits and moves are seen at once, and stand in the box of the channel that opens", async () => {
  const m = starting();
  await m.type("helo");
  await m.press("left");
  await m.type("l");
  expect(m.text()).toBe("hello");
  m.open(GENERAL);
  expect(m.text()).toBe("hello");
  await m.type("!");
  expect(m.text()).toBe("hell!o");
  m.open("messaging:ops");
  expect(m.text()).toBe("");
});

test("they come behind the draft that stands there", async () => {
  const m = starting();
  m.core.saveDraft({ cid: GENERAL, text: "begun before " } as never);
  await m.type("and now");
  m.open(GENERAL);
  expect(m.text()).toBe("begun before and now");
});

test("Enter waits for the channel, and what is typed behind it stays in its order", async () => {
  const m = starting();
  await m.type("first");
  await m.press("enter");
  await m.type("second");
  await m.press("enter");
  await m.type("third");
  expect(sent(m)).toEqual([]);
  channelsCame(m);
  expect(sent(m)).toEqual(["first", "second"]);
  expect(m.text()).toBe("third");
});

test("where no channel comes, Enter says what is missing and keeps the text", async () => {
  const m = starting();
  await m.type("hello");
  await m.press("enter");
  m.change((s) => ({ ...s, loading: false }));
  replayQueuedInput(m.ports);
  expect([m.text(), m.told()]).toEqual(["hello", ["Open a channel first: Ctrl-K."]]);
});

test("Ctrl-C drops what waits, then clears the box, then leaves", async () => {
  const m = starting();
  await m.type("first");
  await m.press("enter");
  await m.type("second");
  await m.press("C-c");
  expect([m.screen.queuedInput, m.text()]).toEqual([undefined, ""]);
  await m.press("C-c", "C-c");
  expect(m.left).toBe(true);
});

test("keys of the screen work meanwhile", async () => {
  const m = starting();
  await m.press("C-k");
  expect(m.screen.popups).toHaveLength(1);
});
