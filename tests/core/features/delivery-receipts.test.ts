/** R-READ-11: which messages of a queried channel are confirmed as delivered: the newest of somebody else, unless it is known already. */
import { expect, test } from "vitest";
import { DeliveryReceipts } from "../../../src/core/features/delivery-receipts.ts";
import type { ChannelState } from "../../../src/wire/entities/channel.ts";
import { channel, message, stateOf } from "../../support/fake-core.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const at = (second: number): string => `2026-01-01T00:00:0${second}.000000Z`;
const said = (id: string, user: string, second: number, more: object = {}) =>
  message(id, user, id, { created_at: at(second), ...more });

interface Setting {
  isConnected?: boolean;
  deliveryEvents?: boolean;
}

/** Receipts whose calls are collected: the ids that each of them confirms. */
function subject({ isConnected = true, deliveryEvents = true }: Setting = {}) {
  const clock = new VirtualClock();
  const calls: string[][] = [];
  const known = stateOf(["general", "ops"].map((id) => channel(id)));
  for (const entry of known.channels.values())
    Object.assign(entry.channel, { config: { ...entry.channel.config, delivery_events: deliveryEvents } });
  const receipts = new DeliveryReceipts({
    clock,
    userId: () => "me",
    isConnected: () => isConnected,
    machine: { state: () => known },
    async call(_name: string, { body }: { body: { latest_delivered_messages: { id: string }[] } }) {
      calls.push(body.latest_delivered_messages.map(({ id }) => id));
    },
  } as never);
  return { receipts, clock, calls };
}

/** The ids that are confirmed after these answers, one list for each call. */
async function confirmed(
  answers: readonly (readonly Partial<ChannelState>[])[],
  setting?: Setting,
): Promise<string[][]> {
  const { receipts, clock, calls } = subject(setting);
  for (const states of answers) {
    receipts.onQueried(states as readonly ChannelState[]);
    await clock.advance(1000);
  }
  return calls;
}

const general = (read: object | undefined, ...messages: object[]): Partial<ChannelState> =>
  ({
    channel: { cid: "messaging:general" },
    messages,
    read:
      read === undefined
        ? []
        : [
            { user: { id: "me" }, ...read },
            { user: { id: "ana" }, last_read: at(9) },
          ],
  }) as never;

test.each<[string, object | undefined, boolean]>([
  ["nothing is known", undefined, true],
  ["an earlier one was delivered", { last_read: at(0), last_delivered_at: at(2) }, true],
  ["it was delivered", { last_read: at(0), last_delivered_at: at(3) }, false],
  ["a later one was delivered", { last_read: at(0), last_delivered_at: at(4) }, false],
  ["an earlier one was read", { last_read: at(2) }, true],
  ["it was read", { last_read: at(3) }, false],
  ["it was read, and an earlier one delivered", { last_read: at(3), last_delivered_at: at(1) }, false],
])("the newest message is confirmed unless it was delivered or read: %s", async (_, read, isConfirmed) => {
  const state = general(read, said("m1", "ana", 1), said("m3", "ana", 3));
  expect(await confirmed([[state]])).toEqual(isConfirmed ? [["m3"]] : []);
});

test("own messages and replies are not confirmed, and each message once", async () => {
  const state = general(
    undefined,
    said("m1", "ana", 1),
    said("r", "ana", 2, { parent_id: "m1" }),
    said("own", "me", 3),
  );
  expect(await confirmed([[state], [state]])).toEqual([["m1"]]);
  const later = general(undefined, said("m4", "bo", 4));
  expect(await confirmed([[state], [later], [later]])).toEqual([["m1"], ["m4"]]);
});

test("messages of several channels are one call, and without a connection or delivery events there is none", async () => {
  const ops = { channel: { cid: "messaging:ops" }, messages: [said("o", "ana", 1)] } as never;
  const states = [general(undefined, said("m1", "ana", 1)), ops];
  expect(await confirmed([states])).toEqual([["m1", "o"]]);
  expect(await confirmed([states], { isConnected: false })).toEqual([]);
  expect(await confirmed([states], { deliveryEvents: false })).toEqual([]);
});

const arrival = (sent: object) => ({ type: "message.new", cid: "messaging:general", message: sent }) as never;

test("of the messages of a second the newest is confirmed, in whatever order answers and events bring them", async () => {
  for (const order of [
    [1, 3, 2],
    [3, 2, 1],
    [2, 1, 3],
  ]) {
    const { receipts, clock, calls } = subject();
    for (const n of order) receipts.onEvent(arrival(said(`m${n}`, "ana", n)));
    receipts.onQueried([general(undefined, said("m2", "ana", 2))] as never);
    receipts.onEvent(arrival(said("own", "me", 4)));
    await clock.advance(1000);
    expect(calls).toEqual([["m3"]]);
  }
});

test("what waits is not confirmed after the user has signed out, and the next user confirms it anew", async () => {
  const { receipts, clock, calls } = subject();
  receipts.onEvent(arrival(said("m1", "ana", 1)));
  receipts.reset();
  await clock.advance(1000);
  expect(calls).toEqual([]);
  for (const round of [1, 2]) {
    receipts.onEvent(arrival(said("m1", "ana", 1)));
    await clock.advance(1000);
    expect(calls).toHaveLength(round);
    receipts.reset();
  }
});
