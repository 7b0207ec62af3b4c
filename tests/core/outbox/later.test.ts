/** Messages sent later: scheduled ones, by whichever process runs then, and those that can be undone for a moment. */
import { describe, expect, test } from "vitest";
import { CID } from "../state/world.ts";
import { bench, type Bench } from "./provider.ts";

const place = { cid: CID };
const MINUTE = 60_000;
const shown = (b: Bench): string[] =>
  [...b.machine.state().channels.get(CID)!.sets[0]!.messages].map(({ text }) => text);
const stored = (b: Bench): string[] => b.provider.stored.map((id) => b.provider.messages.get(id)!.text);

describe("a message for a time", () => {
  test("is on disk, shows nowhere, counts for nothing that waits, and goes out when its time has come", async () => {
    const b = bench();
    b.outbox.send(place, { text: "tea", at: b.clock.now() + 45 * MINUTE });
    await b.clock.advance(44 * MINUTE);
    expect([stored(b), shown(b), b.machine.state().outbox]).toEqual([[], [], 0]);
    expect(b.outbox.unsent()).toMatchObject([
      { text: "tea", state: "parked", send_at: new Date(b.clock.now() + MINUTE).toISOString() },
    ]);
    await b.clock.advance(MINUTE + 1000);
    expect([stored(b), shown(b), b.outbox.unsent()]).toEqual([["tea"], ["tea"], []]);
    expect(b.machine.state().notices).toMatchObject([{ text: expect.stringContaining("for later") }]);
  });

  test("holds up nothing that is written after it, and comes before what is written when it is due", async () => {
    const b = bench();
    b.outbox.send(place, { text: "later", at: b.clock.now() + MINUTE });
    b.outbox.send(place, { text: "now" });
    await b.clock.advance(1000);
    expect(stored(b)).toEqual(["now"]);
    await b.clock.advance(MINUTE);
    b.outbox.send(place, { text: "after" });
    await b.clock.advance(1000);
    expect(stored(b)).toEqual(["now", "later", "after"]);
  });

  test("survives a crash, and goes out by the next program, late where none ran", async () => {
    const b = bench();
    b.outbox.send(place, { text: "tea", at: b.clock.now() + 10 * MINUTE });
    const c = b.crash();
    await c.clock.advance(9 * MINUTE);
    expect(stored(c)).toEqual([]);
    const d = c.crash();
    await d.clock.advance(5 * MINUTE);
    expect(stored(d)).toEqual(["tea"]);
    expect(d.provider.log.filter(({ name }) => name === "sendMessage")).toHaveLength(1);
  });

  test("is taken back with all that it held, until it goes out", async () => {
    const b = bench();
    const { id } = b.outbox.send(place, { text: "tea", at: b.clock.now() + MINUTE, quotedMessageId: "q1" });
    expect(b.outbox.unsend(id)).toMatchObject({ id, text: "tea", quoted_message_id: "q1" });
    expect([b.outbox.unsent(), b.outbox.unsend(id)]).toEqual([[], undefined]);
    await b.clock.advance(2 * MINUTE);
    expect(stored(b)).toEqual([]);
  });

  test("goes out at once when it is asked to", async () => {
    const b = bench();
    const { id } = b.outbox.send(place, { text: "tea", at: b.clock.now() + MINUTE });
    b.outbox.retry(id);
    await b.clock.advance(10);
    expect([stored(b), shown(b)]).toEqual([["tea"], ["tea"]]);
  });

  test("waits visibly for the network when its time comes without one", async () => {
    const b = bench();
    b.outbox.send(place, { text: "tea", at: b.clock.now() + MINUTE });
    b.online.value = false;
    await b.clock.advance(2 * MINUTE);
    expect([stored(b), shown(b), b.machine.state().outbox]).toEqual([[], ["tea"], 1]);
    b.online.value = true;
    b.outbox.drain();
    await b.clock.advance(1000);
    expect(stored(b)).toEqual(["tea"]);
  });
});

describe("a message that can be taken back", () => {
  test("shows at once, goes out after its moment, and what is written after it waits behind it", async () => {
    const b = bench();
    b.outbox.send(place, { text: "one", afterMs: 5000 });
    b.outbox.send(place, { text: "two" });
    await b.clock.advance(4000);
    expect([stored(b), shown(b)]).toEqual([[], ["one", "two"]]);
    await b.clock.advance(2000);
    expect(stored(b)).toEqual(["one", "two"]);
  });

  test("is gone from screen and disk when it is taken back; later it is too late", async () => {
    const b = bench();
    const first = b.outbox.send(place, { text: "one", afterMs: 5000 });
    b.outbox.send(place, { text: "two", afterMs: 5000 });
    await b.clock.advance(1000);
    expect(b.outbox.unsend(first.id)).toMatchObject({ text: "one" });
    expect(shown(b)).toEqual(["two"]);
    await b.clock.advance(6000);
    expect(stored(b)).toEqual(["two"]);
    expect(b.outbox.unsend(first.id)).toBeUndefined();
  });

  test("goes out when the program ends before its moment is over", async () => {
    const b = bench();
    b.outbox.send(place, { text: "one", afterMs: 5000 });
    b.outbox.send(place, { text: "behind it" });
    b.outbox.send(place, { text: "another day", at: b.clock.now() + 24 * 60 * MINUTE });
    const closing = b.outbox.close();
    await b.clock.advance(1000);
    await closing;
    expect(stored(b)).toEqual(["one", "behind it"]);
    expect(b.store.outbox()).toMatchObject([{ action: { message: { text: "another day" } } }]);
  });
});
