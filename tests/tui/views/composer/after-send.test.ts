/** What a send leaves: the typed text of a refused `/me`, and the channel's line of new messages behind a reply in a thread. */
import { expect, test } from "vitest";
import { LocalError, TooLongError } from "../../../../src/model/errors.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const NEW = channel("general", { messages: [message("m1", "bo", "one"), message("m2", "bo", "two")] });

test.each([new LocalError("no room on the disk"), new TooLongError(9, 5)])(
  "a refused /me leaves what was typed, with its cursor and its changes: %s",
  async (error) => {
    const m = new ScreenDriver(new FakeCore(stateOf([NEW])));
    m.core.send = () => {
      throw error;
    };
    await m.type("/me waves");
    await m.press("left");
    const before = m.ports.boxes.at().editor;
    await m.press("enter");
    expect([m.text(), m.ports.boxes.at().editor.cursor]).toEqual(["/me waves", before.cursor]);
    expect(m.ports.boxes.composer(m.ports.boxes.place!).state().text).toBe("/me waves");
    expect(m.ports.boxes.at().editor.undo).toEqual(before.undo);
  },
);

test("an own message ends the channel's line of new messages, a reply in a thread keeps it", async () => {
  const m = new ScreenDriver(new FakeCore(stateOf([NEW])));
  await m.press("esc", "r");
  await m.type("in the thread");
  await m.press("enter");
  expect([m.asked("send").length, m.asked("endLine")]).toEqual([1, []]);
  await m.press("esc", "esc", "esc");
  await m.type("here");
  await m.press("enter");
  expect([m.asked("send").length, m.asked("endLine")]).toEqual([2, [["endLine", "messaging:general"]]]);
});
