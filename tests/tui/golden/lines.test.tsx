/** How much of what is drawn is lines: a full screen of talk at 120 × 40 stays below a quarter. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf, thread } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";
import { threadPanel } from "../../../src/tui/screen/screen.ts";
import { panelPushed } from "../../../src/tui/screen/transitions.ts";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const PEOPLE = ["ana", "bo", "cy", "dana", "me"];
const talk = Array.from({ length: 40 }, (_, n) =>
  message(
    `m${n}`,
    PEOPLE[n % PEOPLE.length]!,
    `Message ${n}: the deploy waits for the freeze to end at ten.`,
    {
      minute: n,
      ...(n === 38 && { reply_count: 2 }),
    },
  ),
);
const workspace = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: talk,
        threads: new Map([
          ["m38", thread("m38", [message("r1", "bo", "ten it is"), message("r2", "cy", "fine")])],
        ]),
      }),
      ...["ops", "design", "lunch", "backend", "random"].map((id, n) => channel(id, { unread: n })),
    ]),
  );

/** The share of line-drawing cells among all cells with a sign. */
function lineShare(m: Mounted): number {
  const signs = [...m.text().replaceAll(/\s/g, "")];
  return signs.filter((sign) => /[\u2500-\u257f]/.test(sign)).length / signs.length;
}

test.each([
  ["the messages", () => {}],
  [
    "a thread beside them",
    (m: Mounted) =>
      m.change((s) => panelPushed(s, threadPanel({ cid: "messaging:general", parentId: "m38" }))),
  ],
] as const)("lines are at most a quarter of the inked cells of %s at 120 × 40", async (_, show) => {
  const m = await mount(workspace(), { columns: 120, rows: 40 });
  open.push(m);
  show(m);
  await m.settle();
  expect(lineShare(m)).toBeLessThanOrEqual(0.25);
});

test.each([
  [120, 40],
  [80, 24],
])("no row of talk is cut beside free cells at %i × %i", async (columns, rows) => {
  const m = await mount(workspace(), { columns, rows });
  open.push(m);
  await m.settle();
  for (const row of m.text().split("\n")) expect(row).not.toMatch(/…\s{3,}/);
});
