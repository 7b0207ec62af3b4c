/** The first letter of a text paints its own row only, and the draft is listed once another box is open. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

const mounted: Mounted[] = [];
afterEach(() => {
  for (const m of mounted.splice(0)) m.unmount();
});

async function show(): Promise<Mounted> {
  const messages = Array.from({ length: 60 }, (_, i) =>
    message(`m${i}`, "ana", "deploy at ten?", { minute: i }),
  );
  const core = new FakeCore(stateOf([channel("general", { messages }), channel("ops"), channel("design")]));
  const m = await mount(core, { columns: 120, rows: 40 });
  mounted.push(m);
  return m;
}

test("typing the first letter and deleting it change only the row of the box", async () => {
  const m = await show();
  const rows = (): string[] => m.text().split("\n");
  for (const bytes of ["a", "\x15"]) {
    const before = rows();
    m.count();
    await m.type(bytes);
    const changed = rows().flatMap((row, y) => (row === before[y] ? [] : [y]));
    expect(changed).toEqual([38]);
    const { units, writes } = m.count();
    expect(writes).toBe(1);
    expect(units).toBeLessThanOrEqual(600);
  }
});

test("text is listed as a draft once another channel is open, and not after returning", async () => {
  const m = await show();
  await m.type("later");
  expect(m.text()).toMatch(/Drafts +│/);
  m.open("messaging:ops");
  await m.settle();
  expect(m.text()).toMatch(/Drafts +1/);
  expect(m.text()).toMatch(/#general +✎/);
  await m.type("and here");
  expect(m.text()).toMatch(/Drafts +1/);
  m.open("messaging:general");
  await m.settle();
  expect(m.text()).toMatch(/Drafts +1/);
  expect(m.text()).toMatch(/#ops +✎/);
});

test("the drafts are read from disk when one begins or ends, not for each letter", async () => {
  const m = await show();
  let requestCount = 0;
  const drafts = m.core.drafts.bind(m.core);
  m.core.drafts = () => (requestCount++, drafts());
  await m.type("a");
  expect(requestCount).toBe(1);
  for (const c of "nother dozen letters") await m.type(c);
  expect(requestCount).toBe(1);
  await m.press("C-u");
  expect(requestCount).toBe(2);
});
