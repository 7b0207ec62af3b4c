/** Every page of messages equals the same page cut from a plain array (PAGE-1 … PAGE-6). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MESSAGE_ANCHORS, type MessageAnchor } from "../../../src/wire/entities/query.ts";
import { timeFromMicros, timeToMicros } from "../../../src/wire/time.ts";
import { TestDomain, ROOM, type Message } from "./support.ts";

type Model = { id: string; at: number }[];

/** A room with messages whose ids do not sort in the order of their times (PAGE-2). */
function filledRoom(count: number): { b: TestDomain; channel: Model; replies: Model } {
  const b = new TestDomain();
  b.user("ada");
  b.channel("room", "ada", ["ada"]);
  const channel: Model = [];
  const replies: Model = [];
  b.send("ada", "room", { id: "parent", text: "p" });
  const all = b.call("ada", "getMessage", { path: { id: "parent" } }).message as Message;
  channel.push({ id: "parent", at: timeToMicros(all.created_at) });
  for (let i = 0; i < count; i++) {
    const id = `m${(i * 7919) % 1000}`;
    const kind = i % 5;
    const m = b.send("ada", "room", {
      id,
      text: id,
      ...(kind === 1 || kind === 3 ? { parent_id: "parent" } : {}),
      show_in_channel: kind === 3,
    });
    if (kind === 4) b.call("ada", "deleteMessage", { path: { id } });
    if (kind !== 1) channel.push({ id, at: timeToMicros(m.created_at) });
    if (kind === 1 || kind === 3) replies.push({ id, at: timeToMicros(m.created_at) });
  }
  return { b, channel, replies };
}

/** The expected page, cut from an array. */
function cut(
  list: Model,
  option: MessageAnchor | undefined,
  at: number,
  limit: number,
  offset: number,
): string[] {
  const older = (inclusive: boolean): Model => list.filter((m) => m.at < at || (inclusive && m.at === at));
  const newer = (inclusive: boolean): Model => list.filter((m) => m.at > at || (inclusive && m.at === at));
  const last = (some: Model): Model => some.slice(0, Math.max(0, some.length - offset)).slice(-limit);
  const pages: Record<string, () => Model> = {
    lt: () => last(older(false)),
    lte: () => last(older(true)),
    gt: () => newer(false).slice(offset, offset + limit),
    gte: () => newer(true).slice(offset, offset + limit),
    around: () => {
      const after = Math.floor((limit - 1) / 2);
      return [...older(true).slice(-(limit - after)), ...newer(false).slice(0, after)];
    },
    none: () => last(list),
  };
  const names: Record<string, string> = {
    created_at_before: "lt",
    created_at_before_or_equal: "lte",
    created_at_after: "gt",
    created_at_after_or_equal: "gte",
    created_at_around: "around",
  };
  const page = option === undefined ? "none" : (names[option] ?? option.slice(3));
  return pages[page]!().map(({ id }) => id);
}

const ids = (messages: unknown): string[] => (messages as Message[]).map(({ id }) => id);

describe("a page", () => {
  const { b, channel, replies } = filledRoom(60);
  const choice = fc.record({
    option: fc.option(fc.constantFrom(...MESSAGE_ANCHORS), { nil: undefined }),
    pick: fc.nat(),
    shift: fc.constantFrom(0, 1, -1),
    limit: fc.integer({ min: 1, max: 80 }),
    offset: fc.integer({ min: 0, max: 12 }),
  });
  const anchorFor = (list: Model, c: { option: MessageAnchor | undefined; pick: number; shift: number }) => {
    const target = list[c.pick % list.length]!;
    if (c.option === undefined) return { at: 0, anchor: {} };
    if (c.option.startsWith("id_")) return { at: target.at, anchor: { [c.option]: target.id } };
    const at = target.at + c.shift;
    return { at, anchor: { [c.option]: timeFromMicros(at) } };
  };

  test("of a channel equals the page cut from an array", () => {
    fc.assert(
      fc.property(choice, (c) => {
        const { at, anchor } = anchorFor(channel, c);
        const around = c.option?.endsWith("around");
        const offset = around ? 0 : c.offset;
        const state = b.call("ada", "queryChannel", {
          path: ROOM,
          body: { messages: { limit: c.limit, offset, ...anchor } },
        });
        expect(ids(state.messages)).toEqual(cut(channel, c.option, at, c.limit, offset));
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test("of a thread equals the page cut from an array", () => {
    fc.assert(
      fc.property(choice, (c) => {
        const { at, anchor } = anchorFor(replies, c);
        const page = b.call("ada", "getReplies", {
          path: { parent_id: "parent" },
          query: { limit: String(c.limit), ...(anchor as Record<string, string>) },
        });
        expect(ids(page.messages)).toEqual(cut(replies, c.option, at, c.limit, 0));
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test("by GET with messages_ keys equals the page cut from an array", () => {
    const at = channel[20]!;
    const query = { messages_limit: "5", messages_id_lt: at.id };
    expect(ids(b.call("ada", "getChannel", { path: ROOM, query }).messages)).toEqual(
      cut(channel, "id_lt", at.at, 5, 0),
    );
  });

  test.each<[string, Record<string, unknown>, [number, string]]>([
    ["two options (PAGE-4)", { id_lt: "m0", id_gt: "m0" }, [4, "messages.id_gt"]],
    ["an unknown id", { id_lt: "void" }, [4, "messages.id_lt"]],
    ["a limit of 0", { limit: 0 }, [4, "messages.limit"]],
    ["an offset over 1000", { offset: 1001 }, [4, "messages.offset"]],
    ["an invalid time", { created_at_before: "soon" }, [4, "messages.created_at_before"]],
  ])("with %s is refused", (_, messages, refusal) => {
    expect(b.refusalOf("ada", "queryChannel", { path: ROOM, body: { messages } })).toEqual(refusal);
  });

  test("with a limit over the maximum is clamped", () => {
    expect(
      ids(b.call("ada", "queryChannel", { path: ROOM, body: { messages: { limit: 5000 } } }).messages),
    ).toHaveLength(channel.length);
  });

  test("never contains hidden history, whatever the cursor", () => {
    const other = filledRoom(10).b;
    other.call("ada", "hideChannel", { path: ROOM, body: { clear_history: true } });
    other.call("ada", "showChannel", { path: ROOM });
    const fresh = other.send("ada", "room", { id: "fresh", text: "x" });
    expect(ids(other.call("ada", "queryChannel", { path: ROOM }).messages)).toEqual([fresh.id]);
    expect(other.refusalOf("ada", "getMessage", { path: { id: "parent" } })).toEqual([16, undefined]);
    expect(
      other.refusalOf("ada", "queryChannel", { path: ROOM, body: { messages: { id_gt: "parent" } } }),
    ).toEqual([4, "messages.id_gt"]);
  });
});
