/** The state of one message: local only, still visible, pinned. */
import { expect, test } from "vitest";
import { isLocal, isPinned, isPresent } from "../../src/model/message-state.ts";
import type { ClientMessage } from "../../src/model/state.ts";
import { at, msg } from "../core/state/world.ts";

const held = (more: object = {}): ClientMessage => msg(1, more as never) as ClientMessage;

test.each<[string, object, { local: boolean; present: boolean }]>([
  ["a message from the provider is present", {}, { local: false, present: true }],
  ["a message being sent is local", { status: "sending" }, { local: true, present: false }],
  ["a failed message is local", { status: "failed" }, { local: true, present: false }],
  [
    "an ephemeral answer that the provider does not store is local",
    { unstored: true, type: "ephemeral" },
    { local: true, present: false },
  ],
  ["a deleted message is not present", { type: "deleted" }, { local: false, present: false }],
  ["an error message is not present", { type: "error" }, { local: false, present: false }],
  ["a system message is present", { type: "system" }, { local: false, present: true }],
])("%s", (_, more, expected) => {
  const message = held(more);
  expect({ local: isLocal(message), present: isPresent(message) }).toEqual(expected);
});

test("a pin ends exactly at its expiry, and with its message", () => {
  const now = Date.parse(at(50));
  const pinned = (more: object): boolean => isPinned(held({ pinned: true, ...more }), now);
  expect([pinned({}), pinned({ pin_expires: at(51) }), pinned({ pin_expires: at(50) })]).toEqual([
    true,
    true,
    false,
  ]);
  expect([pinned({ type: "deleted" }), isPinned(held(), now)]).toEqual([false, false]);
});
