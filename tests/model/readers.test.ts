/** Who has read a message: an exact count when all members are known, otherwise only whether anybody has. */
import { expect, test } from "vitest";
import { readersOf } from "../../src/model/readers.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const message = { created_at: at(10) };
const channel = (memberCount: number, ...lastReads: [id: string, second: number][]) => ({
  memberCount,
  read: new Map(
    lastReads.map(([id, second]) => [id, { user: { id }, last_read: at(second), unread_messages: 0 }]),
  ),
});

test("in a small channel the other members who read up to the message are counted", () => {
  const entry = channel(99, ["me", 20], ["ana", 10], ["bo", 9], ["cy", 11]);
  expect(readersOf(message, entry, "me")).toBe(2);
  expect(readersOf(message, channel(2, ["me", 20], ["bo", 9]), "me")).toBe(0);
});

test("in a big channel only whether anybody has read the message is known", () => {
  expect(readersOf(message, channel(100, ["me", 20], ["ana", 10], ["bo", 12]), "me")).toBe(1);
  expect(readersOf(message, channel(5000, ["me", 20], ["ana", 9]), "me")).toBe(0);
  expect(readersOf(message, channel(5000), "me")).toBe(0);
});

test("in a big channel a new read counts, however many reads were loaded before", () => {
  const reads: [string, number][] = Array.from({ length: 300 }, (_, n) => [`u${n}`, 1]);
  expect(readersOf(message, channel(5000, ...reads), "me")).toBe(0);
  expect(readersOf(message, channel(5000, ...reads, ["late", 11]), "me")).toBe(1);
});

test("whom a message is not shown to has not read it", () => {
  const secret = { ...message, restricted_visibility: ["ana", "me"] };
  expect(readersOf(secret, channel(99, ["me", 20], ["ana", 9], ["cy", 11]), "me")).toBe(0);
  expect(readersOf(secret, channel(99, ["me", 20], ["ana", 10], ["cy", 11]), "me")).toBe(1);
  expect(readersOf(secret, channel(5000, ["me", 20], ["cy", 11]), "me")).toBe(0);
  expect(readersOf(secret, channel(5000, ["me", 20], ["ana", 10]), "me")).toBe(1);
  expect(readersOf({ ...message, restricted_visibility: [] }, channel(99, ["cy", 11]), "me")).toBe(1);
});
