/** What the client joins itself: pins, typing events, and what is cleared when a user signs out. */
import { expect, test } from "vitest";
import { PortFailure } from "../../src/core/base/ports.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import { jsonReply, type FakeAnswer } from "../support/fake-ports.ts";
import { miraToken, virtualCore, type VirtualCore } from "../support/virtual-core.ts";
import { at, channel, CID, me, msg, user } from "./state/world.ts";

const EVENT = "POST /channels/messaging/kitchen/event";

/** Mira's core, connected, with messages 1 to 3 of the kitchen. */
async function connected(): Promise<VirtualCore> {
  const state = channel([msg(1), msg(2), msg(3)]);
  const v = virtualCore(
    {},
    { store: createMemoryStore("mira") },
    {
      "POST /channels/messaging/kitchen/query": () => jsonReply({ ...state, duration: "" }, 201),
      "POST /channels": () => jsonReply({ channels: [state], duration: "" }, 201),
      "GET /users/live_locations": () => jsonReply({ active_live_locations: [], duration: "" }),
      [EVENT]: () => jsonReply({ event: {}, duration: "" }, 201),
      "PUT /messages/m2": ({ body }) =>
        jsonReply({ message: msg(2, { ...(body.set as object), updated_at: at(50) }), duration: "" }),
    },
  );
  const connecting = v.core.connectUser({ id: "mira" }, miraToken());
  await v.clock.settle();
  v.sockets.last.frame({
    type: "health.check",
    connection_id: "c1",
    created_at: at(0),
    me: { ...me(), ...user("mira"), total_unread_count: 3 },
  });
  await connecting;
  await v.core.watch(CID);
  return v;
}
async function closeCore(v: VirtualCore): Promise<void> {
  const closing = v.core.close();
  await v.clock.advance(2000);
  await closing;
}

test("the live locations are requested each time the connection opens, and not when it closes", async () => {
  const v = await connected();
  const locationRequests = (): number =>
    v.calls.filter(({ what }) => what === "GET /users/live_locations").length;
  expect(locationRequests()).toBe(1);
  v.sockets.last.handlers.close(1006, "");
  await v.clock.settle();
  expect(locationRequests()).toBe(1);
  await v.clock.advance(30_000);
  v.sockets.last.frame({
    type: "health.check",
    connection_id: "c2",
    created_at: at(1),
    me: { ...me(), ...user("mira") },
  });
  await v.clock.settle();
  expect(locationRequests()).toBe(2);
  await closeCore(v);
});

test("a pin is sent with its expiry if it has one, and shows once it is answered", async () => {
  const v = await connected();
  const pinBodies = (): unknown[] =>
    v.calls.filter(({ what }) => what === "PUT /messages/m2").map(({ body }) => body);
  await v.core.pin(msg(2), true, at(90));
  expect(v.core.state().channels.get(CID)!.sets[0]!.messages.at(1)).toMatchObject({ id: "m2", pinned: true });
  await v.core.pin(msg(2), false);
  expect(pinBodies()).toEqual([{ set: { pinned: true, pin_expires: at(90) } }, { set: { pinned: false } }]);
  await closeCore(v);
});

test("R-TYPE-1, R-TYPE-2: a typing event goes to its channel, and names the thread when written in one", async () => {
  const v = await connected();
  v.core.composer({ cid: CID }).typed("x", 1);
  v.core.composer({ cid: CID, parentId: "m1" }).typed("x", 1);
  v.core.composer({ cid: CID }).typed("", 0);
  await v.clock.settle();
  expect(v.calls.filter(({ what }) => what === EVENT).map(({ body }) => body)).toEqual([
    { event: { type: "typing.start" } },
    { event: { type: "typing.start", parent_id: "m1" } },
    { event: { type: "typing.stop" } },
  ]);
  await closeCore(v);
});

test("signing out clears the user's channels, totals, composers and timers", async () => {
  const v = await connected();
  const composer = v.core.composer({ cid: CID });
  composer.typed("half", 4);
  composer.poll.edit({ type: "name", value: "Tea?" });
  v.core.seen(CID);
  await v.clock.advance(1000);
  expect([v.core.state().channels.size, v.core.state().totals.unread]).toEqual([1, 3]);
  const signingOut = v.core.disconnectUser();
  await v.clock.advance(3000);
  await signingOut;
  const state = v.core.state();
  expect([state.me, state.channels.size, state.users.size, state.totals]).toEqual([
    undefined,
    0,
    0,
    { unread: 0, channels: 0, threads: 0 },
  ]);
  expect(v.core.userId).toBeUndefined();
  expect(v.core.composer({ cid: CID })).not.toBe(composer);
  expect(composer.poll.state().form.name).toBe("");
  await closeCore(v);
  expect(v.clock.timers).toEqual([]);
});

test("a request that fails after the core was closed sets no timer, so the program can exit", async () => {
  const v = await connected();
  const answer = Promise.withResolvers<FakeAnswer>();
  v.on["POST /channels"] = () => answer.promise;
  v.core.seen(CID);
  v.sockets.last.frame({ type: "message.new", cid: "messaging:hall", message: msg(9), created_at: at(9) });
  await v.clock.advance(2000);
  expect(v.count("POST /channels")).toBe(1);
  await closeCore(v);
  answer.reject(new PortFailure("network", "gone", false));
  await v.clock.settle();
  expect(v.clock.timers).toEqual([]);
});
