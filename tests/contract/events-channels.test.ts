/** Channel events that concern only some members: targeted truncation, invites with a message, moderators, filter tags, hidden history. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BROADCAST_CHANNEL, MEMBER, MESSAGE, USER } from "./entities.ts";
import { ENVELOPE, Hearing, namesOf } from "./hearing.ts";
import { differences, type Keys } from "./shape.ts";
import type { Json, Room, Who } from "./world.ts";

let h: Hearing;
let room: Room;
beforeAll(async () => {
  h = await Hearing.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.enter();
});

const ok = (who: Who, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const shaped = (event: Json, keys: Keys): void =>
  expect(differences(event, { ...ENVELOPE, "user?": USER, ...keys }), event.type as string).toEqual([]);

test("a truncation for one member tells that member alone, with its message", async () => {
  const heard = await h.hear(() =>
    ok("ada", "POST", `${room.route}/truncate`, { member_ids: ["bob"], message: { text: "swept" } }),
  );
  const { bob = [], ...others } = namesOf(heard);
  expect(others).toEqual({});
  expect(bob).toEqual(["channel.truncated"]);
  const [event] = heard.bob;
  shaped(event, {
    channel: { ...BROADCAST_CHANNEL, truncated_at: "date" },
    message: MESSAGE,
    message_id: "text",
  });
  expect(event).toMatchObject({ message: { type: "system", text: "swept" } });
  const state = async (who: Who): Promise<string[]> =>
    (await ok(who, "GET", room.route)).messages.map((message: Json) => message.text as string);
  // Ada, its author, sees the message for bob as well; cyd sees neither it nor the truncation.
  expect([await state("ada"), await state("bob"), await state("cyd")]).toEqual([
    ["tea?", "swept"],
    ["swept"],
    ["tea?"],
  ]);
});

test("a truncation for a member away is its notification", async () => {
  const heard = await h.hear(() => ok("ada", "POST", `${room.route}/truncate`, { member_ids: ["cyd"] }));
  expect(namesOf(heard)).toEqual({ cyd: ["notification.channel_truncated"] });
  shaped(heard.cyd[0], { channel: { ...BROADCAST_CHANNEL, truncated_at: "date" } });
});

test("a change through the member's second path tells the watchers", async () => {
  const heard = await h.hear(() =>
    h.world.ok("cyd", "PATCH", `${room.route}/member`, {
      query: { user_id: "cyd" },
      body: { set: { archived: true } },
    }),
  );
  const names = namesOf(heard);
  expect(names.ada).toEqual(["member.updated"]);
  expect(names.bob).toEqual(["member.updated"]);
  expect([names.cyd, names.dan, names.ada2]).toEqual([undefined, undefined, undefined]);
  shaped(heard.ada[0], { member: MEMBER, user: USER });
  expect(heard.ada[0].member).toMatchObject({ user_id: "cyd", archived_at: expect.any(String) });
});

test("an accepted invite with words: the message to watchers, the answer to the invited", async () => {
  await ok("ada", "POST", room.route, { invites: ["dan"] });
  await h.hear(async () => {});
  const heard = await h.hear(() =>
    ok("dan", "POST", room.route, { accept_invite: true, message: { text: "here I am" } }),
  );
  const names = namesOf(heard);
  expect(names.ada!.toSorted()).toEqual(["member.updated", "message.new"]);
  expect(names.dan).toContain("notification.invite_accepted");
  expect(names.cyd).toEqual(["notification.message_new"]);
});

test("tags, slow mode and freezing: one channel.updated each to watchers, none when nothing changes", async () => {
  for (const body of [{ add_filter_tags: ["night"] }, { cooldown: 5 }, { data: { name: "Night" } }]) {
    const { ada, bob, ...others } = namesOf(await h.hear(() => ok("server", "POST", room.route, body)));
    expect([ada, bob, others.cyd, others.dan]).toEqual([
      ["channel.updated"],
      ["channel.updated"],
      undefined,
      undefined,
    ]);
  }
  const heard = await h.hear(() => ok("server", "PATCH", room.route, { set: { frozen: true } }));
  expect(namesOf(heard).ada).toEqual(["channel.updated"]);
  expect(heard.ada[0].channel).toMatchObject({ frozen: true });
  expect(namesOf(await h.hear(() => ok("server", "PATCH", room.route, { set: { frozen: true } })))).toEqual(
    {},
  );
});

test("a sync brings no messages of the history that is hidden from the reader", async () => {
  const before = new Date(Date.now() - 60_000).toISOString();
  const synced = async (who: Who): Promise<string[]> =>
    (await ok(who, "POST", "/sync", { channel_cids: [room.cid], last_sync_at: before })).events.flatMap(
      (event: Json) => (event.type === "message.new" ? [event.message.text as string] : []),
    );
  expect(await synced("bob")).toEqual(["tea?"]);
  await ok("bob", "POST", `${room.route}/hide`, { clear_history: true });
  await h.world.say("ada", room.route, { text: "and now?" });
  expect(await synced("bob")).toEqual(["and now?"]);
  expect(await synced("cyd")).toEqual(["tea?", "and now?"]);
});
