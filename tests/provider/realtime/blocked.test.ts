/** What /sync and a send leave out for a client: events of a person one has blocked, hidden history, and a send that pins without the right to. */
import { beforeEach, expect, test } from "vitest";
import { SimProvider } from "../../sim/provider.ts";
import { dice } from "../../support/seeded.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

type Json = Record<string, unknown>;

let clock: VirtualClock;
let provider: SimProvider;
let began: string;

const call = (as: string | undefined, method: string, path: string, body?: Json): Promise<Json> =>
  provider.call(as, method, path, body);
const send = (as: string, channel: string, message: Json): Promise<Json> =>
  call(as, "POST", `/channels/messaging/${channel}/message`, { message });
async function syncedTexts(as: string, channel: string): Promise<unknown[]> {
  const body = { channel_cids: [`messaging:${channel}`], last_sync_at: began };
  const { events } = (await call(as, "POST", "/sync", body)) as { events: { message?: Json }[] };
  return events.flatMap(({ message }) => (message ? [message.text] : []));
}

beforeEach(async () => {
  clock = new VirtualClock();
  provider = new SimProvider(clock, dice(11));
  for (const id of ["ada", "ben", "cyd"])
    await call(undefined, "POST", "/users", { users: { [id]: { id, name: id } } });
  const create = (id: string, members: string[]): Promise<Json> =>
    call("ada", "POST", `/channels/messaging/${id}/query`, { state: true, data: { members } });
  await create("pair", ["ada", "ben"]);
  await create("three", ["ada", "ben", "cyd"]);
  began = new Date(clock.now()).toISOString();
  await clock.advance(1000);
});

test("/sync has no events of a blocked person in the channel of the two, and all of them in others and for the blocked one", async () => {
  await call("ben", "POST", "/users/block", { blocked_user_id: "ada" });
  await send("ada", "pair", { text: "from the blocked" });
  await send("ben", "pair", { text: "from the blocking" });
  await send("ada", "three", { text: "to all" });
  expect(await syncedTexts("ben", "pair")).toEqual(["from the blocking"]);
  expect(await syncedTexts("ada", "pair")).toContain("from the blocked");
  expect(await syncedTexts("ben", "three")).toEqual(["to all"]);
  await call("ben", "POST", "/users/unblock", { blocked_user_id: "ada" });
  expect(await syncedTexts("ben", "pair")).toContain("from the blocked");
});

test("a message sent with pinned: true needs the right to pin, and nothing is stored without it", async () => {
  const data = { members: ["ada", "cyd"], created_by_id: "ada" };
  await call(undefined, "POST", "/channels/livestream/show/query", { state: true, data });
  const sendTo = (type: string, as: string, text: string, more: Json = {}): Promise<Json> =>
    call(as, "POST", `/channels/${type}/message`, { message: { text, pinned: true, ...more } });
  const pin_expires = new Date(clock.now() + 3_600_000).toISOString();
  for (const more of [{}, { pin_expires }])
    expect(await sendTo("livestream/show", "cyd", "look", more)).toMatchObject({ StatusCode: 403, code: 17 });
  await sendTo("livestream/show", "cyd", "without", { pinned: false });
  const { messages, pinned_messages: pins } = (await call("ada", "POST", "/channels/livestream/show/query", {
    state: true,
  })) as { messages: Json[]; pinned_messages: Json[] };
  expect([messages.map(({ text }) => text), pins]).toEqual([["without"], []]);
  expect(await sendTo("messaging/three", "cyd", "look")).toMatchObject({ message: { pinned: true } });
});

test("/sync leaves out a member's hidden history, also the message of the very time up to which it is hidden", async () => {
  const { message } = (await send("ada", "three", { text: "hidden" })) as { message: Json };
  const hiding = { member_ids: ["ben"], truncated_at: message.created_at };
  await call("ada", "POST", "/channels/messaging/three/truncate", hiding);
  await send("ada", "three", { text: "later" });
  expect(await syncedTexts("ben", "three")).toEqual(["later"]);
  expect(await syncedTexts("cyd", "three")).toEqual(["hidden", "later"]);
});
