/** Messages of single commands that were killed: shown, and sent only when the user asks for it (specification/sending.md §3). */
import { expect, test } from "vitest";
import { CID } from "../state/world.ts";
import { network, outboxWorld, type OutboxWorld } from "./provider.ts";

const place = { cid: CID };
/** The owner of a process that has ended. */
const OWNER = "999999999:1";
const ONE_SHOT = { waitMs: 60_000, withdraw: true };
const sends = (b: OutboxWorld): number => b.provider.log.filter(({ name }) => name === "sendMessage").length;
const shown = (b: OutboxWorld): unknown[] =>
  [...b.machine.state().channels.get(CID)!.sets.at(-1)!.messages].map(({ text, status, error }) => [
    text,
    status,
    error?.message,
  ]);

/** A command is killed after this many milliseconds of its send, which never reaches the provider. */
async function killedAfter(ms: number): Promise<{ id: string; screen: OutboxWorld }> {
  const b = outboxWorld({ owner: OWNER });
  b.provider.faults = [network()];
  const { id } = b.outbox.send(place, { text: "tea" }, ONE_SHOT);
  await b.clock.advance(ms);
  return { id, screen: b.crash() };
}

test.each([0, 2])(
  "its message is shown, and not sent, however long a screen runs (killed after %i ms)",
  async (ms) => {
    const { id, screen } = await killedAfter(ms);
    const before = sends(screen);
    await screen.clock.advance(3_600_000);
    screen.outbox.sendWaiting();
    await screen.clock.advance(3_600_000);
    expect(sends(screen)).toBe(before);
    expect(shown(screen)).toEqual([["tea", "failed", "of a run that was killed"]]);
    expect(screen.outbox.unsent()).toMatchObject([{ id, text: "tea", killed: true, busy: false }]);
  },
);

test("it is listed as such before any screen has started", async () => {
  const b = outboxWorld({ owner: OWNER });
  const { id } = b.outbox.send(place, { text: "tea" }, ONE_SHOT);
  await b.clock.advance(1);
  expect(b.outbox.unsent()[0]?.killed).toBe(true);
  expect(b.outbox.unsent()).toMatchObject([{ id, state: "sending" }]);
});

test("a retry sends it once, and it stays shown by the next processes until then", async () => {
  const { id, screen } = await killedAfter(0);
  const next = screen.crash().crash();
  await next.clock.advance(60_000);
  expect(next.outbox.unsent()).toMatchObject([{ id, killed: true }]);
  expect(next.outbox.retry(id)).toBe(true);
  await next.clock.advance(1000);
  expect([next.provider.stored, next.outbox.unsent()]).toEqual([[id], []]);
  expect(shown(next)).toEqual([["tea", undefined, undefined]]);
});

test("it is done when its message arrives after the kill", async () => {
  const b = outboxWorld({ owner: OWNER });
  const { id } = b.outbox.send(place, { text: "tea" }, ONE_SHOT);
  await b.clock.advance(1);
  const screen = b.crash();
  await screen.clock.advance(1000);
  expect([screen.provider.stored, screen.outbox.unsent()]).toEqual([[id], []]);
  expect(shown(screen)).toEqual([["tea", undefined, undefined]]);
});

test("a retry finds a message that had arrived, and sends no second one", async () => {
  const b = outboxWorld({ owner: OWNER });
  const { id } = b.outbox.send(place, { text: "tea" }, ONE_SHOT);
  b.provider.faults = [{ after: network() }];
  await b.clock.advance(6);
  const screen = b.crash();
  expect(screen.provider.stored).toEqual([id]);
  screen.outbox.retry(id);
  await screen.clock.advance(60_000);
  expect([screen.provider.stored, screen.outbox.unsent()]).toEqual([[id], []]);
});

test("after a retry it is sent like any other message, also by the next process", async () => {
  const { id, screen } = await killedAfter(0);
  screen.online.value = false;
  screen.outbox.retry(id);
  await screen.clock.advance(1000);
  expect(screen.outbox.unsent()[0]?.killed).toBeUndefined();
  const next = screen.crash();
  await next.clock.advance(60_000);
  expect(next.provider.stored).toEqual([id]);
});

test("it delays no message written after it", async () => {
  const { id, screen } = await killedAfter(0);
  const { id: later } = screen.outbox.send(place, { text: "coffee" });
  await screen.clock.advance(1000);
  expect(screen.provider.stored).toEqual([later]);
  screen.outbox.drop(id);
  await screen.clock.advance(1000);
  expect([screen.provider.stored, screen.outbox.unsent()]).toEqual([[later], []]);
});

test("a message that a screen or --queue stored is sent by the next process, as before", async () => {
  const b = outboxWorld({ owner: OWNER });
  b.online.value = false;
  const { id } = b.outbox.send(place, { text: "tea" }, { waitMs: 1000 });
  await b.clock.advance(2000);
  const next = b.crash();
  await next.clock.advance(60_000);
  expect(next.provider.stored).toEqual([id]);
});

test("the message of a command that still runs in this process is left to it", async () => {
  const b = outboxWorld();
  b.online.value = false;
  const { id } = b.outbox.send(place, { text: "tea" }, ONE_SHOT);
  const other = outboxWorld({ store: b.store, provider: b.provider, clock: b.clock });
  other.outbox.resume();
  await b.clock.advance(20_000);
  expect(other.outbox.unsent()).toMatchObject([{ id, state: "queued" }]);
  b.online.value = true;
  b.outbox.sendWaiting();
  await b.clock.advance(5000);
  expect([b.provider.stored, sends(b)]).toEqual([[id], 1]);
});
