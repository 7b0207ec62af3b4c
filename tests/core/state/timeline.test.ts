/** The timeline does what a sorted array does, and copies only what it touches (R-SET-1). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_MESSAGES, orderKey, TimelineEdit } from "../../../src/core/state/timeline.ts";
import { timelineOf } from "../../support/timeline.ts";
import type { Timeline } from "../../../src/model/state.ts";
import { msg, msgs } from "./world.ts";

const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id: fc.nat(80), time: fc.nat(30) }),
  fc.record({ do: fc.constant("remove" as const), id: fc.nat(80) }),
  fc.record({ do: fc.constant("done" as const) }),
);

describe("a timeline", () => {
  test("equals a sorted array after any changes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        let timeline: Timeline = NO_MESSAGES;
        let edit = new TimelineEdit(timeline);
        const naive = new Map<string, ReturnType<typeof msg>>();
        for (const each of steps) {
          if (each.do === "put") {
            const message = msg(each.time, { id: `id${each.id}` });
            edit.put(message);
            naive.set(message.id, message);
          } else if (each.do === "remove") {
            edit.remove(`id${each.id}`);
            naive.delete(`id${each.id}`);
          } else {
            timeline = edit.finish();
            edit = new TimelineEdit(timeline);
          }
        }
        timeline = edit.finish();
        const expected = [...naive.values()].toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
        expect([...timeline]).toEqual(expected);
        expect(timeline.length).toBe(expected.length);
        for (const [i, message] of expected.entries()) {
          expect(timeline.at(i)).toBe(message);
          expect(timeline.indexOf(message.id)).toBe(i);
        }
        expect(timeline.slice(3, 9)).toEqual(expected.slice(3, 9));
      }),
      { numRuns: 200 },
    );
  });

  test("finds, slices and counts like an array when it has many chunks", () => {
    const all = msgs(1, 3000);
    const timeline = timelineOf(all.toReversed());
    expect([...timeline].map((m) => m.id)).toEqual(all.map((m) => m.id));
    expect(timeline.indexOf("m2500")).toBe(2499);
    expect(timeline.at(-1)!.id).toBe("m3000");
    expect(timeline.at(3000)).toBeUndefined();
    expect(timeline.slice(250, 260).map((m) => m.id)).toEqual(all.slice(250, 260).map((m) => m.id));
  });

  test("leaves the former version unchanged, and returns the same object when nothing changed", () => {
    const before = timelineOf(msgs(1, 600));
    const edit = new TimelineEdit(before);
    edit.put(before.at(5)!);
    expect(edit.finish()).toBe(before);
    const second = new TimelineEdit(before);
    second.put(msg(300, { text: "new" }));
    second.remove("m1");
    second.trim(100);
    const after = second.finish();
    expect(before.length).toBe(600);
    expect(before.at(299)!.text).toBe("text 300");
    expect(after.length).toBeLessThanOrEqual(100 + 256);
  });

  test("orders by nanoseconds in any time zone, then by id (R-SET-1, specification/wire.md §7)", () => {
    const sorted = timelineOf([
      msg(1, { id: "c", created_at: "2026-01-01T00:00:00.000000002Z" }),
      msg(1, { id: "b", created_at: "2026-01-01T01:00:00.000000001+01:00" }),
      msg(1, { id: "a", created_at: "2026-01-01T00:00:00.000000002Z" }),
      msg(1, { id: "d", created_at: "no date" }),
    ]);
    expect([...sorted].map((m) => m.id)).toEqual(["d", "b", "a", "c"]);
  });
});

test("trim removes whole chunks only as far as needed", () => {
  const edit = new TimelineEdit(timelineOf(msgs(1, 3 * 256)));
  expect(edit.trim(2 * 256)).toBe(true);
  expect(edit.length).toBe(2 * 256);
  expect(edit.trim(2 * 256)).toBe(false);
});
