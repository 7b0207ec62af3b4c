/** The acting user of a server call: a server may change a channel without one, but a message, an invite answer and a connection need one. */
import { describe, expect, test } from "vitest";
import { chat } from "../../../src/provider/chat.ts";
import { room, ROOM } from "./support.ts";

const serverOnly = { server: true } as const;

describe("a server call without a user", () => {
  test("changes members, roles and data, and its events have no user", () => {
    const b = room();
    b.call(serverOnly, "updateChannel", {
      path: ROOM,
      body: { add_members: ["dan"], data: { name: "Tea" } },
    });
    expect(b.events.find(({ event }) => event.type === "channel.updated")?.event).not.toHaveProperty("user");
    expect(b.takeEvents()).toEqual([
      "W channel.updated",
      "W member.added",
      "U notification.added_to_channel dan",
    ]);
    b.call(serverOnly, "updateChannelPartial", { path: ROOM, body: { set: { frozen: true } } });
    expect(b.takeEvents()).toEqual(["W channel.updated"]);
    b.call(serverOnly, "truncateChannel", { path: ROOM, body: {} });
    expect(b.takeEvents()).toEqual(["W channel.truncated"]);
  });

  test("is refused for a message or an invite answer, and then changes nothing", () => {
    const b = room();
    for (const body of [
      { add_members: ["dan"], message: { text: "welcome" } },
      { add_members: ["dan"], accept_invite: true },
    ])
      expect(b.refusalOf(serverOnly, "updateChannel", { path: ROOM, body })).toEqual([4, "user_id"]);
    expect(
      b.refusalOf(serverOnly, "truncateChannel", { path: ROOM, body: { message: { text: "x" } } }),
    ).toEqual([4, "user_id"]);
    const { channel } = b.call("ada", "getChannel", { path: ROOM }) as { channel: { member_count: number } };
    expect(channel.member_count).toBe(3);
  });
});

describe("watching", () => {
  test("presence needs a connection of the caller", () => {
    const b = room();
    b.connect("ada");
    expect(b.refusalOf("bob", "queryUsers", { body: { presence: true } })).toEqual([4, "presence"]);
    expect(b.call("ada", "queryUsers", { body: { presence: true } }).users).toHaveLength(4);
  });

  test("is announced only if connect_events are on and the user is visible", () => {
    const b = room();
    b.channel("hall", "ada", ["ada"], "livestream");
    b.user("gho", { invisible: true });
    expect(
      (["messaging:room", "livestream:hall", "messaging:none"] as const).map((cid) =>
        chat.announcesWatching(b.db, "ada", cid),
      ),
    ).toEqual([true, false, false]);
    expect(chat.announcesWatching(b.db, "gho", "messaging:room")).toBe(false);
  });
});

describe("marking channels read", () => {
  test("sends one mark with its cid per named channel, and one mark without a cid for all", () => {
    const b = room();
    b.channel("den", "ada", ["ada", "bob"]);
    b.channel("attic", "ada", ["ada", "bob"]);
    for (const id of ["room", "den", "attic"]) b.send("ada", id, { id: `m-${id}`, text: "tea" });
    b.events = [];
    b.call("bob", "markChannelsRead", {
      body: { read_by_channel: { "messaging:room": "", "messaging:den": "" } },
    });
    const marks = b.events.filter(({ event }) => event.type === "notification.mark_read");
    expect(
      marks.map(({ cid, event }) => [cid, event.last_read_message_id, event.total_unread_count]),
    ).toEqual([
      ["messaging:room", "m-room", 1],
      ["messaging:den", "m-den", 1],
    ]);
    expect(b.unread("messaging:attic", "bob")).toBe(1);
    b.events = [];
    b.call("bob", "markChannelsRead");
    const [all] = b.events.filter(({ event }) => event.type === "notification.mark_read");
    expect([all?.cid, all?.event.channel, all?.event.total_unread_count]).toEqual([undefined, undefined, 0]);
  });

  test("refuses an invalid cid", () => {
    const b = room();
    expect(b.refusalOf("bob", "markChannelsRead", { body: { read_by_channel: { kitchen: "" } } })).toEqual([
      4,
      "read_by_channel.kitchen",
    ]);
  });
});
