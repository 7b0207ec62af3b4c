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
const said = ["m1", "m2", "m3"].map((id, minute) => message(id, "ana", `words of ${id}`, { minute }));

async function browsing(...keys: string[]): Promise<Mounted> {
  const m = await mount(new FakeCore(stateOf([channel("general", { messages: said }), channel("ops")])));
  open.push(m);
  await m.press("esc", ...keys);
  return m;
}
const leave = async (m: Mounted, ...ids: string[]): Promise<void> => {
  const sets = [messageSet(said.filter(({ id }) => ids.includes(id)))];
  m.core.changeChannel(GENERAL, (entry) => ({ ...entry, sets }));
  await m.settle();
};
const under = (m: Mounted): string | undefined => scrollOf(m.screen, { cid: GENERAL }).selected;

test("whose message somebody deleted for good stands on the next one, and on the last one at the end", async () => {
  const m = await browsing("k");
  expect(under(m)).toBe("m2");
  await leave(m, "m1", "m3");
  expect(under(m)).toBe("m3");
  await leave(m, "m1");
  expect(under(m)).toBe("m1");
  await m.press("y");
  expect(m.copied).toEqual(["words of m1"]);
});

test("a channel that was emptied, and one who writes, are left as they are", async () => {
  const m = await browsing();
  await leave(m);
  expect(under(m)).toBe("m3");
  const writes = await browsing("k", "i");
  const before = under(writes);
  await leave(writes, "m1");
  expect(under(writes)).toBe(before);
});
