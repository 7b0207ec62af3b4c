/** Message sets: pages, flags, merges, jumps and the return to the latest set (R-SET). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadableSet } from "../../../src/model/select.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import type { MessagePagination } from "../../../src/wire/entities/query.ts";
import {
  at,
  channel,
  CID,
  event,
  ids,
  isNew,
  msg,
  msgs,
  messageIds,
  subject,
  type Subject,
} from "./world.ts";

const page = (
  s: Subject,
  pagination: MessagePagination,
  messages: Message[],
  limit = 25,
  current?: boolean,
): void =>
  s.machine.apply({
    kind: "page",
    cid: CID,
    messages,
    pagination: { ...pagination, limit },
    ...(current !== undefined && { current }),
  });
const latest = (s: Subject) => s.sets().find((set) => set.isLatest)!;

describe("flags of the receiving set", () => {
  test("R-SET-4: a page without a cursor has nothing newer, and something older only if it was full", () => {
    expect(latest(subject(channel(msgs(1, 25))))).toMatchObject({
      hasNext: false,
      hasPrev: true,
      isCurrent: true,
    });
    expect(latest(subject(channel(msgs(1, 24))))).toMatchObject({ hasNext: false, hasPrev: false });
  });
  test("R-SET-3: every page computes both flags of its set again", () => {
    const s = subject(channel(msgs(100, 124)));
    const flags = () => ({ prev: latest(s).hasPrev, next: latest(s).hasNext });
    expect(flags()).toEqual({ prev: true, next: false });
    page(s, { id_lt: "m100" }, msgs(90, 99));
    expect(flags()).toEqual({ prev: false, next: false });
    page(s, {}, msgs(100, 124));
    expect(flags()).toEqual({ prev: false, next: false });
    const side = () => s.sets().find((set) => !set.isLatest)!;
    page(s, { id_around: "m50" }, msgs(38, 62));
    expect(side()).toMatchObject({ hasPrev: true, hasNext: true });
    page(s, { id_lt: "m38" }, msgs(30, 37));
    expect(side()).toMatchObject({ hasPrev: false, hasNext: true });
    page(s, { id_gt: "m62" }, msgs(63, 70));
    expect(side()).toMatchObject({ hasPrev: false, hasNext: false });
  });
  test("R-SET-5: an older page sets hasPrev by its size and leaves hasNext", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_lt: "m100" }, msgs(75, 99));
    expect(latest(s)).toMatchObject({ hasPrev: true, hasNext: false });
    expect(ids(latest(s))).toEqual(messageIds(75, 124));
    page(s, { id_lt: "m75" }, msgs(70, 74));
    expect(latest(s).hasPrev).toBe(false);
  });
  test("R-SET-5, R-SET-6: a new set from a one-sided page has the other flag true", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_lt: "m50" }, msgs(40, 49), 10);
    expect(s.sets().find((set) => set.messages.indexOf("m40") >= 0)).toMatchObject({
      hasPrev: true,
      hasNext: true,
    });
    page(s, { id_gt: "m10" }, msgs(11, 20), 10);
    expect(s.sets().find((set) => set.messages.indexOf("m11") >= 0)).toMatchObject({
      hasPrev: true,
      hasNext: true,
    });
  });
  /** Each leads to m100, of 00:01:40. */
  const AROUND: MessagePagination[] = [
    { id_around: "m100" },
    { created_at_around: "2026-01-01T00:01:40Z" },
    { created_at_around: "2026-01-01T01:01:40.000000+01:00" },
    { created_at_around: "2026-01-01T00:01:39.000000001Z" },
  ];
  test.each([
    [25, 12, 12, true, true],
    [25, 11, 13, false, true],
    [25, 13, 11, true, false],
    [24, 11, 12, true, true],
    [24, 11, 11, true, true],
    [2, 0, 1, true, true],
    [1, 0, 0, true, true],
  ])(
    "R-SET-7: a page around a message or its time, limit %i with %i older and %i newer, sets both flags",
    (limit, older, newer, hasPrev, hasNext) => {
      for (const around of AROUND) {
        const s = subject(channel(msgs(500, 524)));
        page(s, around, msgs(100 - older, 100 + newer), limit);
        const { hasPrev: prev, hasNext: next } = s.sets().find((set) => set.messages.indexOf("m100") >= 0)!;
        expect([around, prev, next]).toEqual([around, hasPrev, hasNext]);
      }
    },
  );
  test("R-SET-7: of several messages of one time the first is the target", () => {
    const same = ["m100", "m100b", "m100c"].map((id) => msg(100, { id }));
    const s = subject(channel(msgs(500, 524)));
    page(s, { created_at_around: at(100) }, [...msgs(98, 99), ...same], 5);
    expect(s.sets().find((set) => set.messages.indexOf("m100") >= 0)).toMatchObject({
      hasPrev: true,
      hasNext: true,
    });
  });
  test("R-SET-7: a page around a time after all messages has nothing newer", () => {
    const s = subject(channel(msgs(500, 524)));
    page(s, { created_at_around: at(103) }, msgs(98, 102), 5);
    expect(s.sets().find((set) => set.messages.indexOf("m100") >= 0)).toMatchObject({
      hasPrev: true,
      hasNext: false,
    });
  });
  test("R-SET-8: an empty page ends its side", () => {
    const s = subject(channel(msgs(1, 25)));
    page(s, { id_lt: "m1" }, []);
    expect(latest(s).hasPrev).toBe(false);
  });
});

describe("which set receives a page", () => {
  test("R-SET-9: a time cursor belongs to the set whose edge has exactly that time", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { created_at_before: at(100) }, msgs(90, 99), 10);
    expect(s.sets()).toHaveLength(1);
    page(s, { created_at_before: at(80) }, msgs(70, 79), 10);
    expect(s.sets()).toHaveLength(2);
  });
  test("R-SET-9, R-REC-2: a newest page without overlap becomes the latest and current set; the old one stays", () => {
    const s = subject(channel(msgs(1, 25)));
    s.machine.apply({ kind: "channels", states: [channel(msgs(100, 124))], messageLimit: 25, watched: true });
    expect(s.sets()).toHaveLength(2);
    expect(s.shown()).toEqual(messageIds(100, 124));
    expect(s.sets()[0]).toMatchObject({ isLatest: false, hasNext: true, isCurrent: false });
  });
  test("R-SET-10: an overlap joins sets; the newer version wins and the flags come from the outer ends", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_around: "m50" }, msgs(38, 62));
    page(
      s,
      { id_gt: "m62" },
      [...msgs(63, 100).slice(0, 37), msg(100, { text: "edited", updated_at: at(999) })],
      38,
    );
    expect(s.sets()).toHaveLength(1);
    expect(ids(latest(s))).toEqual(messageIds(38, 124));
    expect(s.loaded("m100")!.text).toBe("edited");
    expect(latest(s)).toMatchObject({ hasPrev: true, hasNext: false, isLatest: true, isCurrent: true });
  });
  test("R-SET-10: an older version in a page is ignored", () => {
    const s = subject(channel([msg(1, { text: "newer", updated_at: at(50) })]));
    page(s, { id_around: "m1" }, [msg(1)]);
    expect(s.loaded("m1")!.text).toBe("newer");
  });
  test("R-SET-11: sets without a shared id stay apart", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_around: "m90" }, msgs(81, 99));
    expect(s.sets()).toHaveLength(2);
  });
  test("R-SET-12, R-SET-14: a jump makes the set with the message current, and going back makes the latest current", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_around: "m50" }, msgs(38, 62), 25, true);
    expect(s.shown()).toContain("m50");
    s.machine.apply({ kind: "current", cid: CID });
    expect(s.shown()).toEqual(messageIds(100, 124));
    s.machine.apply({ kind: "current", cid: CID, messageId: "m40" });
    expect(s.shown()).toEqual(messageIds(38, 62));
  });
  test("R-SET-13: a new message goes to the latest set, even if another one is shown", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_around: "m50" }, msgs(38, 62), 25, true);
    s.machine.dispatch([isNew(msg(200))]);
    expect(s.shown()).not.toContain("m200");
    expect(ids(latest(s))).toContain("m200");
  });
  test("R-SET-15: a side that is loading or has nothing more is not loadable", () => {
    const s = subject(channel(msgs(1, 25)));
    const place = { cid: CID };
    expect(loadableSet(s.machine.state(), place, "next")).toBeUndefined();
    expect(loadableSet(s.machine.state(), place, "prev")).toBeDefined();
    s.machine.apply({ kind: "loading", cid: CID, loading: "prev" });
    expect(loadableSet(s.machine.state(), place, "prev")).toBeUndefined();
    s.machine.apply({ kind: "loading", cid: CID, loading: undefined });
    expect(loadableSet(s.machine.state(), place, "prev")).toBeDefined();
  });
  test("R-SET-16: a truncation removes messages up to its time and empty sets, and keeps the latest set and the system message", () => {
    const s = subject(channel(msgs(100, 124)));
    page(s, { id_around: "m50" }, msgs(38, 62));
    const note = msg(120, { id: "note", type: "system" });
    s.machine.dispatch([
      event("channel.truncated", 121, {
        channel: { ...channel().channel, truncated_at: at(120) },
        message: note,
      }),
    ]);
    expect(s.sets()).toHaveLength(1);
    expect(ids(latest(s))).toEqual(["note", ...messageIds(121, 124)]);
    s.machine.dispatch([isNew(msg(110))]);
    expect(s.loaded("m110")).toBeUndefined();
  });
  test("R-SET-2: an emptied latest set stays after the older ones", () => {
    const s = subject(channel(msgs(100, 124)));
    s.machine.dispatch(
      msgs(100, 124).map((message) => event("message.deleted", 130, { message, hard_delete: true })),
    );
    page(s, { id_around: "m50" }, msgs(38, 62));
    expect(s.sets().map((set) => [set.isLatest, set.messages.length])).toEqual([
      [false, 25],
      [true, 0],
    ]);
  });
  test("R-SET-17: an update of a message outside every set changes no set", () => {
    const s = subject(channel(msgs(100, 124)));
    const before = s.sets();
    s.machine.dispatch([
      event("message.updated", 300, { message: msg(5, { text: "x", updated_at: at(300) }) }),
    ]);
    expect(s.sets()[0]!.messages).toBe(before[0]!.messages);
  });
  test("D7: loaded messages missing from a page of their range are removed", () => {
    const s = subject(channel(msgs(1, 10)));
    s.machine.apply({
      kind: "channels",
      states: [channel(msgs(1, 10).filter((m) => m.id !== "m5" && m.id !== "m1"))],
      messageLimit: 25,
      watched: true,
    });
    expect(s.shown()).toEqual(messageIds(2, 10).filter((id) => id !== "m5"));
  });
  test("threads use the same sets", () => {
    const s = subject(channel([msg(1)]));
    const reply = (n: number): Message => msg(n, { parent_id: "m1" });
    s.machine.apply({
      kind: "page",
      cid: CID,
      parentId: "m1",
      messages: [reply(10), reply(11)],
      pagination: { limit: 2 },
    });
    s.machine.dispatch([isNew(reply(12))]);
    expect(s.shown("m1")).toEqual(["m10", "m11", "m12"]);
    expect(s.sets("m1")[0]).toMatchObject({ hasPrev: true, hasNext: false });
    expect(s.shown()).toEqual(["m1"]);
  });
});

describe("memory", () => {
  test("the latest set keeps at most 1,000 messages, and hasPrev tells that older ones exist", () => {
    const s = subject(channel([]));
    for (let i = 0; i < 3000; i += 100) s.machine.dispatch(msgs(i + 1, i + 100).map(isNew));
    expect(latest(s).messages.length).toBeLessThanOrEqual(1000);
    expect(latest(s).messages.length).toBeGreaterThan(700);
    expect(latest(s)).toMatchObject({ hasPrev: true });
    expect(latest(s).messages.at(-1)!.id).toBe("m3000");
    s.machine.dispatch([isNew(msg(5))]);
    expect(s.loaded("m5")).toBeUndefined();
  });

  test("R-SET-13: while somebody reads in the channel at most 10,000 stay, and fewer again after that", () => {
    const s = subject(channel([]));
    s.machine.apply({ kind: "held", cid: CID, on: true });
    for (let i = 0; i < 12_000; i += 500) s.machine.dispatch(msgs(i + 1, i + 500).map(isNew));
    const held = latest(s).messages.length;
    expect([held > 9000, held <= 10_000]).toEqual([true, true]);
    s.machine.apply({ kind: "held", cid: CID, on: false });
    s.machine.dispatch([isNew(msg(20_000))]);
    expect(latest(s).messages.length).toBeLessThanOrEqual(1000);
  });
});

describe("any mix of pages and new messages", () => {
  test("R-SET-1, R-SET-2: ids are unique, one set is current, at most one is latest and has nothing newer, and no set has a hole", () => {
    const kinds = ["none", "id_lt", "id_gt", "id_around", "created_at_before", "created_at_after"] as const;
    const step = fc.record({
      kind: fc.constantFrom(...kinds, "new" as const),
      at: fc.integer({ min: 1, max: 60 }),
      limit: fc.integer({ min: 1, max: 12 }),
      current: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const s = subject(null);
        let newest = 50;
        s.machine.apply({
          kind: "channels",
          states: [channel(msgs(45, 50))],
          messageLimit: 6,
          watched: true,
        });
        for (const each of steps) {
          const all = msgs(1, newest);
          const around = all.findIndex((m) => m.id === `m${each.at}`);
          const take: Record<string, [MessagePagination, Message[]]> = {
            none: [{}, all.slice(-each.limit)],
            id_lt: [{ id_lt: `m${each.at}` }, all.slice(0, Math.max(0, around)).slice(-each.limit)],
            id_gt: [{ id_gt: `m${each.at}` }, all.slice(around + 1).slice(0, each.limit)],
            id_around: [
              { id_around: `m${each.at}` },
              all.slice(
                Math.max(0, around - Math.floor((each.limit - 1) / 2)),
                around + Math.ceil((each.limit + 1) / 2),
              ),
            ],
            created_at_before: [
              { created_at_before: at(each.at) },
              all.slice(0, Math.max(0, around)).slice(-each.limit),
            ],
            created_at_after: [{ created_at_after: at(each.at) }, all.slice(around + 1).slice(0, each.limit)],
          };
          if (each.kind === "new") s.machine.dispatch([isNew(msg(++newest))]);
          else if (around >= 0 || each.kind === "none") {
            const [pagination, messages] = take[each.kind]!;
            page(s, pagination, messages, each.limit, each.current || undefined);
          }
          const sets = s.sets();
          const every = sets.flatMap(ids);
          expect(new Set(every).size).toBe(every.length);
          expect(sets.filter((set) => set.isCurrent)).toHaveLength(1);
          expect(sets.filter((set) => set.isLatest).length).toBeLessThanOrEqual(1);
          for (const set of sets) {
            if (set.isLatest) expect(set.hasNext).toBe(false);
            // Contiguous: no message is missing within a set.
            const numbers = ids(set).map((id) => Number(id.slice(1)));
            for (let i = 1; i < numbers.length; i++) expect(numbers[i]! - numbers[i - 1]!).toBe(1);
            if (!set.hasPrev && numbers.length) expect(numbers[0]).toBe(1);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("D7: dropping older messages of an empty set leaves no gap", () => {
  const s = subject(channel([]));
  s.machine.apply({ kind: "dropOlder", cid: CID, from: msg(6) });
  expect(s.sets()[0]).toMatchObject({ isLatest: true, hasPrev: false });
});
