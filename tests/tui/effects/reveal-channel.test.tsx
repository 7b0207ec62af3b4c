/** A sidebar longer than the screen shows the channel that was opened. */
import { expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount } from "../../support/mount.tsx";

const MANY = 60;

test("the sidebar scrolls to a channel that is opened by key, and stays where the wheel takes it", async () => {
  const rooms = Array.from({ length: MANY }, (_, i) =>
    channel(`room ${i}`, { messages: [message(`m${i}`, "ana", "x", { minute: MANY - i })] }),
  );
  const m = await mount(new FakeCore(stateOf(rooms)), { columns: 100, rows: 24 });
  const sidebar = (): string => Array.from({ length: 20 }, (_, y) => m.line(y + 1).slice(0, 20)).join("\n");
  m.open("messaging:room 0");
  await m.settle();
  expect(sidebar()).toMatch(/▌  #room 0 /);
  await m.press("A-up");
  expect(m.screen.cid).toBe(`messaging:room ${MANY - 1}`);
  expect(sidebar()).toContain(`▌  #room ${MANY - 1}`);
  await m.press("A-up");
  expect(sidebar()).toContain(`▌  #room ${MANY - 2}`);
  m.open("messaging:room 2");
  await m.settle();
  expect(sidebar()).toMatch(/Inbox[^]+▌  #room 2 /);
  await m.press("A-s");
  const wheelUp = "\x1b[<64;5;8M";
  await m.type(wheelUp.repeat(30));
  expect(sidebar()).toContain("#room 0");
  expect(sidebar()).not.toContain("▌");
  m.unmount();
});

test("a channel at the end of the sidebar stays in sight when the window becomes lower", async () => {
  const rooms = Array.from({ length: MANY }, (_, i) =>
    channel(`room ${i}`, { messages: [message(`m${i}`, "ana", "x", { minute: MANY - i })] }),
  );
  const m = await mount(new FakeCore(stateOf(rooms)), { columns: 100, rows: 40 });
  m.open("messaging:room 40");
  await m.settle();
  expect(m.text()).toContain("▌  #room 40");
  await m.resize(100, 20);
  expect(m.text()).toContain("▌  #room 40");
  m.unmount();
});
