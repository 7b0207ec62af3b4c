/** Messages sent later: scheduled ones, by whichever process runs then, and those that can be undone for a moment. */
import { describe, expect, test } from "vitest";
import { CID } from "../state/world.ts";
import { outboxWorld, type OutboxWorld } from "./provider.ts";

const place = { cid: CID };
const MINUTE = 60_000;
const shownTexts = (b: OutboxWorld): string[] =>
  [...b.machine.state().channels.get(CID)!.sets[0]!.messages].map(({ text }) => text);
const sentTexts = (b: OutboxWorld): string[] =>
  b.provider.stored.map((id) => b.provider.messages.get(id)!.text);

describe("a scheduled message", () => {
  test("is on disk, not shown, not counted as unsent, and sent at its time", async () => {
    const b = outboxWorld();
    b.outbox.send(place, { text: "tea", at: b.clock.now() + 45 * MINUTE });
    await b.clock.advance(44 * MINUTE);
    expect([sentTexts(b), shownTexts(b), b.machine.state().outbox]).toEqual([[], [], 0]);
    expect(b.outbox.unsent()).toMatchObject([
      { text: "tea", state: "parked", send_at: new Date(b.clock.now() + MINUTE).toISOString() },
    ]);
    await b.clock.advance(MINUTE + 1000);
    expect([sentTexts(b), shownTexts(b), b.outbox.unsent()]).toEqual([["tea"], ["tea"], []]);
    expect(b.machine.state().notices).toMatchObject([{ text: expect.stringContaining("for later") }]);
  });

  test.each([
    ["ahead", 10, 35],
    ["behind", -10, 55],
  ])(
    "is sent at its time by the provider's clock, which is %s by %i minutes: after %i",
    async (_, offset, wait) => {
      const b = outboxWorld();
      b.machine.apply({ kind: "offset", ms: offset * MINUTE });
      b.outbox.send(place, { text: "tea", at: b.clock.now() + 45 * MINUTE });
      await b.clock.advance((wait - 1) * MINUTE);
      expect(sentTexts(b)).toEqual([]);
      await b.clock.advance(MINUTE + 1000);
      expect(sentTexts(b)).toEqual(["tea"]);
    },
  );

  test("delays no later message, and is sent before messages written after it was due", async () => {
    const b = outboxWorld();
    b.outbox.send(place, { text: "later", at: b.clock.now() + MINUTE });
    b.outbox.send(place, { text: "now" });
    await b.clock.advance(1000);
    expect(sentTexts(b)).toEqual(["now"]);
    await b.clock.advance(MINUTE);
    b.outbox.send(place, { text: "after" });
    await b.clock.advance(1000);
    expect(sentTexts(b)).toEqual(["now", "later", "after"]);
  });

  test("survives a crash and is sent by the next process, late if none ran", async () => {
    const b = outboxWorld();
    b.outbox.send(place, { text: "tea", at: b.clock.now() + 10 * MINUTE });
    const c = b.crash();
    await c.clock.advance(9 * MINUTE);
    expect(sentTexts(c)).toEqual([]);
    const d = c.crash();
    await d.clock.advance(5 * MINUTE);
    expect(sentTexts(d)).toEqual(["tea"]);
    expect(d.provider.log.filter(({ name }) => name === "sendMessage")).toHaveLength(1);
  });

  test("can be cancelled with all its content until it is sent", async () => {
    const b = outboxWorld();
    const { id } = b.outbox.send(place, { text: "tea", at: b.clock.now() + MINUTE, quotedMessageId: "q1" });
    expect(b.outbox.unsend(id)).toMatchObject({ id, text: "tea", quoted_message_id: "q1" });
    expect([b.outbox.unsent(), b.outbox.unsend(id)]).toEqual([[], undefined]);
    await b.clock.advance(2 * MINUTE);
    expect(sentTexts(b)).toEqual([]);
  });

  test("is sent at once by a retry", async () => {
    const b = outboxWorld();
    const { id } = b.outbox.send(place, { text: "tea", at: b.clock.now() + MINUTE });
    b.outbox.retry(id);
    await b.clock.advance(10);
    expect([sentTexts(b), shownTexts(b)]).toEqual([["tea"], ["tea"]]);
  });

  test("shows as waiting for the network if it is offline at its time", async () => {
    const b = outboxWorld();
    b.outbox.send(place, { text: "tea", at: b.clock.now() + MINUTE });
    b.online.value = false;
    await b.clock.advance(2 * MINUTE);
    expect([sentTexts(b), shownTexts(b), b.machine.state().outbox]).toEqual([[], ["tea"], 1]);
    b.online.value = true;
    b.outbox.sendWaiting();
    await b.clock.advance(1000);
    expect(sentTexts(b)).toEqual(["tea"]);
  });
});

describe("a message with an undo delay", () => {
  test("shows at once, is sent after the delay, and later messages wait behind it", async () => {
    const b = outboxWorld();
    b.outbox.send(place, { text: "one", afterMs: 5000 });
    b.outbox.send(place, { text: "two" });
    await b.clock.advance(4000);
    expect([sentTexts(b), shownTexts(b)]).toEqual([[], ["one", "two"]]);
    await b.clock.advance(2000);
    expect(sentTexts(b)).toEqual(["one", "two"]);
  });

  test("is removed from screen and disk by an undo, which is refused after the delay", async () => {
    const b = outboxWorld();
    const first = b.outbox.send(place, { text: "one", afterMs: 5000 });
    b.outbox.send(place, { text: "two", afterMs: 5000 });
    await b.clock.advance(1000);
    expect(b.outbox.unsend(first.id)).toMatchObject({ text: "one" });
    expect(shownTexts(b)).toEqual(["two"]);
    await b.clock.advance(6000);
    expect(sentTexts(b)).toEqual(["two"]);
    expect(b.outbox.unsend(first.id)).toBeUndefined();
  });

  test("is sent when the program quits during the delay", async () => {
    const b = outboxWorld();
    b.outbox.send(place, { text: "one", afterMs: 5000 });
    b.outbox.send(place, { text: "behind it" });
    b.outbox.send(place, { text: "another day", at: b.clock.now() + 24 * 60 * MINUTE });
    const closing = b.outbox.close();
    await b.clock.advance(1000);
    await closing;
    expect(sentTexts(b)).toEqual(["one", "behind it"]);
    expect(b.store.outbox()).toMatchObject([{ action: { message: { text: "another day" } } }]);
  });
});
