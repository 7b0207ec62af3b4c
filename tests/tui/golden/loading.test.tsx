/** While the channels of a new connection load, the screen says it is catching up and does not ask to choose one. */
import { expect, test } from "vitest";
import { FakeCore, stateOf } from "../../support/fake-core.ts";
import { mount } from "../../support/mount.tsx";

test("until the channels are loaded the screen is catching up, and does not ask to choose a channel", async () => {
  const m = await mount(new FakeCore(stateOf([])));
  m.change((s) => ({ ...s, loading: true }));
  await m.settle();
  expect(m.text()).toContain("● catching up…");
  expect(m.text()).toContain("… sync");
  expect(m.text()).toContain("› loading…");
  expect(m.text()).not.toContain("Choose a channel");
  m.change((s) => ({ ...s, loading: false }));
  await m.settle();
  expect(m.text()).toContain("● online");
  expect(m.line(0)).toContain("● online");
  expect(m.text()).not.toContain("sync");
  expect(m.text()).toContain("› Choose a channel with Ctrl-K.");
  m.unmount();
});
