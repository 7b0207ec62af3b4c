/** Keys typed before the first channel is open: they appear in the box, Enter waits for the channel, and Ctrl-C leaves. */
import { expect, test } from "vitest";
import { replayQueuedInput } from "../../src/tui/bindings/route.ts";
import { FakeCore, channel, stateOf } from "../support/fake-core.ts";
import { ScreenDriver } from "../support/screen-driver.ts";

const GENERAL = "messaging:general";

function startWithoutChannel(): ScreenDriver {
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general"), channel("ops")])), { open: "" });
  m.change((s) => ({ ...s, loading: true }));
  return m;
}

function openChannel(m: ScreenDriver): void {
  m.open(GENERAL);
  m.change((s) => ({ ...s, loading: false }));
  replayQueuedInput(m.ports);
}

const sent = (m: ScreenDriver): unknown[] =>
  m.core.calls("send").map(([, input]) => (input as { text: string }).text);

test("letters, edits and cursor moves are shown at once, and appear in the box of the channel that opens", async () => {
  const m = startWithoutChannel();
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

test("early text is appended to the channel's draft", async () => {
  const m = startWithoutChannel();
  m.core.saveDraft({ cid: GENERAL, text: "begun before " } as never);
  await m.type("and now");
  m.open(GENERAL);
  expect(m.text()).toBe("begun before and now");
  await m.type("!");
  expect(m.text()).toBe("begun before and now!");
});

test("the cursor stands in early text where it stood before the channel was open, with a draft before it or without", async () => {
  for (const draft of ["", "begun before "])
    for (const [lefts, expected] of [
      [0, "and now!"],
      [3, "and !now"],
      [7, "!and now"],
    ] as const) {
      const m = startWithoutChannel();
      if (draft !== "") m.core.saveDraft({ cid: GENERAL, text: draft } as never);
      await m.type("and now");
      await m.press(...Array<string>(lefts).fill("left"));
      m.open(GENERAL);
      await m.type("!");
      expect(m.text()).toBe(`${draft}${expected}`);
    }
});

test("Enter waits for the channel, and later text stays in order", async () => {
  const m = startWithoutChannel();
  await m.type("first");
  await m.press("enter");
  await m.type("second");
  await m.press("enter");
  await m.type("third");
  expect(sent(m)).toEqual([]);
  openChannel(m);
  expect(sent(m)).toEqual(["first", "second"]);
  expect(m.text()).toBe("third");
});

test("if no channel opens, Enter says what is missing and keeps the text", async () => {
  const m = startWithoutChannel();
  await m.type("hello");
  await m.press("enter");
  m.change((s) => ({ ...s, loading: false }));
  replayQueuedInput(m.ports);
  expect([m.text(), m.told()]).toEqual(["hello", ["Open a channel first: Ctrl-K."]]);
});

test("Ctrl-C drops the queued input, then clears the box, then quits", async () => {
  const m = startWithoutChannel();
  await m.type("first");
  await m.press("enter");
  await m.type("second");
  await m.press("C-c");
  expect([m.screen.queuedInput, m.text()]).toEqual([undefined, ""]);
  await m.press("C-c", "C-c");
  expect(m.left).toBe(true);
});

test("keys of the screen work before a channel is open", async () => {
  const m = startWithoutChannel();
  await m.press("C-k");
  expect(m.screen.popups).toHaveLength(1);
});
