/** The cost of a typed character: one write, few bytes, and no other pane redrawn (specification/screen.md §3); a bench measures its CPU time. */
import { expect, test, vi } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount } from "../../support/mount.tsx";

/** Records each time the rows of a view other than the box are drawn. */
const { counted, draws } = vi.hoisted(() => {
  const calls: string[] = [];
  const count = (name: string, module: Record<string, unknown>): Record<string, unknown> => {
    const real = module[name] as (...args: unknown[]) => unknown;
    return { ...module, [name]: (...args: unknown[]) => (calls.push(name), real(...args)) };
  };
  return { counted: count, draws: calls };
});
vi.mock("../../../src/tui/views/messages/rows.ts", async (real) => counted("listRows", await real()));
vi.mock("../../../src/tui/views/sidebar/rows.ts", async (real) => counted("sidebarRows", await real()));
vi.mock("../../../src/tui/views/status/header-row.ts", async (real) => counted("headerRow", await real()));
vi.mock("../../../src/tui/views/status/status-row.ts", async (real) => counted("statusRow", await real()));

const WORDS = [
  "deploy at ten?",
  "after the freeze, 日本語 and emoji 👍",
  "see https://ci.example/881 for **both** `runs`",
  "ok",
];

function busyWorkspace(): FakeCore {
  const messages = Array.from({ length: 200 }, (_, i) =>
    message(`m${i}`, ["ana", "bo", "cy"][i % 3]!, WORDS[i % 4]!, { minute: i }),
  );
  const others = Array.from({ length: 30 }, (_, i) => channel(`room-${i}`, { unread: i % 4 }));
  return new FakeCore(stateOf([channel("general", { messages }), ...others]));
}

test("a character typed at 120×40 is one write of at most 400 bytes and draws only the box", async () => {
  const m = await mount(busyWorkspace(), { columns: 120, rows: 40 });
  try {
    for (const c of "warming the code up with some forty letters ") await m.type(c);
    // All four were drawn at the start, which shows that the recording works.
    expect(new Set(draws)).toEqual(new Set(["listRows", "sidebarRows", "headerRow", "statusRow"]));
    draws.length = 0;
    const rendersBefore = m.ports.feeds.renderCount;
    const bytes: number[] = [];
    for (const c of "the quick brown fox jumps over the lazy dog") {
      m.count();
      m.send(c);
      // Wait for the frame, whatever pace Ink uses.
      while (m.writes.length === 0) await new Promise((resolve) => setTimeout(resolve, 4));
      await m.settle();
      const { units, writes } = m.count();
      expect(writes).toBe(1);
      bytes.push(units);
    }
    expect(draws).toEqual([]);
    expect(m.ports.feeds.renderCount).toBe(rendersBefore);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(400);
  } finally {
    m.unmount();
  }
});
