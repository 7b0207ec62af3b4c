/** Code blocks on the screen: the highlighter is loaded with the first code, and the rows are rendered again once. */
import { expect, test, vi } from "vitest";
import { highlighterLoaded } from "../../../src/text/highlight.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount } from "../../support/mount.tsx";
import { PATIENCE } from "../../support/patience.ts";

const CODE = "```ts\nconst answer = 42;\n```";

test("the first code is drawn plain and then in colours without a key press, later code in colours at once", async () => {
  const core = new FakeCore(
    stateOf([channel("general", { messages: [message("m1", "ana", "no code yet")] })]),
  );
  const m = await mount(core);
  try {
    // Without code on the screen the highlighter is not loaded.
    expect(highlighterLoaded()).toBe(false);
    const anew = vi.spyOn(m.ports.store, "restyle");
    core.arrive("messaging:general", message("m2", "ana", CODE, { minute: 1 }));
    await m.settle();
    expect(m.text()).toContain("const answer = 42;");
    expect(m.writes.join("")).toContain("const answer = 42;");
    await vi.waitFor(() => expect(highlighterLoaded()).toBe(true), PATIENCE);
    await m.settle();
    expect(m.writes.join("")).toMatch(/\x1b\[[\d;]*mconst/);
    core.arrive("messaging:general", message("m3", "ana", CODE.replace("42", "43"), { minute: 2 }));
    await m.settle();
    expect(m.text()).toContain("const answer = 43;");
    expect(anew).toHaveBeenCalledTimes(1);
  } finally {
    m.unmount();
  }
});
