/** The browse cursor when the message under it is removed. */
import { afterEach, expect, test } from "vitest";
import { scrollOf } from "../../../src/tui/screen/screen.ts";
import { FakeCore, channel, message, messageSet, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const GENERAL = "messaging:general";
const messages = ["m1", "m2", "m3"].map((id, minute) => message(id, "ana", `words of ${id}`, { minute }));

async function browsing(...keys: string[]): Promise<Mounted> {
  const m = await mount(new FakeCore(stateOf([channel("general", { messages }), channel("ops")])));
  open.push(m);
  await m.press("esc", ...keys);
  return m;
}
const removeAllExcept = async (m: Mounted, ...ids: string[]): Promise<void> => {
  const sets = [messageSet(messages.filter(({ id }) => ids.includes(id)))];
  m.core.changeChannel(GENERAL, (entry) => ({ ...entry, sets }));
  await m.settle();
};
const selectedId = (m: Mounted): string | undefined => scrollOf(m.screen, { cid: GENERAL }).selected;

test("the cursor moves to the next message when its message is hard-deleted, and to the last one at the end", async () => {
  const m = await browsing("k");
  expect(selectedId(m)).toBe("m2");
  await removeAllExcept(m, "m1", "m3");
  expect(selectedId(m)).toBe("m3");
  await removeAllExcept(m, "m1");
  expect(selectedId(m)).toBe("m1");
  await m.press("y");
  expect(m.copied).toEqual(["words of m1"]);
});

test("the cursor stays if the channel is emptied, or while the user writes", async () => {
  const m = await browsing();
  await removeAllExcept(m);
  expect(selectedId(m)).toBe("m3");
  const writes = await browsing("k", "i");
  const before = selectedId(writes);
  await removeAllExcept(writes, "m1");
  expect(selectedId(writes)).toBe(before);
});
