/** The browse cursor when the message under it is removed. */
import { afterEach, expect, test } from "vitest";
import { scrollOf } from "../../../src/tui/screen/screen.ts";
import { FakeCore, channel, message, messageSet, stateOf } from "../../support/fake-core.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
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

const more = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) => message(`n${n}`, "bo", `new words ${n}`, { minute: 10 + n }));
const replaceAll = async (m: Mounted, list: readonly Message[]): Promise<void> => {
  m.core.changeChannel(GENERAL, (entry) => ({ ...entry, sets: [messageSet([...list])] }));
  await m.settle();
};
/** The rows of the screen that show messages. */
const rowsOf = (m: Mounted): string[] =>
  m
    .text()
    .split("\n")
    .filter((line) => /words/.test(line));
const long = Array.from({ length: 60 }, (_, n) =>
  message(`m${n}`, "ana", `words of ${n}`, { minute: n - 60 }),
);

test("while a message is selected, new ones move neither the list nor the cursor", async () => {
  const m = await browsing();
  await replaceAll(m, long);
  await m.press("G", "k");
  const before = rowsOf(m);
  await replaceAll(m, [...long, ...more(60)]);
  expect([selectedId(m), rowsOf(m)]).toEqual(["m58", before]);
  expect(m.text()).toContain("60 new");
  await m.press("y");
  expect(m.copied).toEqual(["words of 58"]);
});

test("what arrives below a list that is held is not marked read, nor is the first of it", async () => {
  const m = await browsing();
  await replaceAll(m, long);
  await m.press("G", "k");
  const unread = (count: number): void =>
    m.core.changeChannel(GENERAL, (entry) => ({
      ...entry,
      unread: count,
      sets: [messageSet([...long, ...more(count)])],
    }));
  const before = m.core.calls("seen").length;
  unread(1);
  await m.settle();
  unread(2);
  await m.settle();
  expect(m.core.calls("seen").slice(before)).toEqual([]);
});

test("a selected message that is lost with the part of the list around it leaves nothing selected, so that no key acts on another one", async () => {
  const m = await browsing("k");
  await replaceAll(m, more(5));
  expect(selectedId(m)).toBeUndefined();
  await m.press("y");
  expect(m.copied).toEqual([]);
});

test("core keeps more of the channel while somebody browses in it or has scrolled up", async () => {
  const m = await browsing("k");
  expect(m.core.calls("hold")).toEqual([[GENERAL, true]]);
  await m.press("i");
  expect(m.core.calls("hold")).toEqual([
    [GENERAL, true],
    [GENERAL, false],
  ]);
});
