/** Bans and flags: what they prevent, when they end, and what remains of them (specification/moderation.md §2–4). */
import { describe, expect, test } from "vitest";
import { chat } from "../../../src/provider/chat.ts";
import { bansDue } from "../../../src/provider/domain/moderation/rules/due.ts";
import type { Flag, MessageFlag } from "../../../src/wire/entities/moderation.ts";
import { TestDomain, room, ROOM, type Message } from "./support.ts";

const MINUTE = 60_000;
const BANNED = [17, undefined];

function moderated(): TestDomain {
  const b = room();
  b.user("mod", { name: "Mo Derator" }, "moderator");
  b.user("root", {}, "admin");
  return b;
}
const ban = (b: TestDomain, more: Record<string, unknown> = {}, by = "mod") =>
  b.call(by, "ban", { body: { target_user_id: "bob", ...ROOM, ...more } });
const unban = (b: TestDomain, more: Record<string, string> = {}, by = "mod") =>
  b.call(by, "unban", { query: { target_user_id: "bob", ...ROOM, ...more } });
const hello = { path: ROOM, body: { message: { text: "hello" } } };
const bansOf = (b: TestDomain, payload: Record<string, unknown> = {}): Message[] =>
  b.call("mod", "queryBannedUsers", { body: payload }).bans as Message[];

/** Processes ended bans step by step, as the scheduler does. */
function runDueBans(b: TestDomain): void {
  for (let at = bansDue.next(b.db); at !== undefined && at <= b.now; at = bansDue.next(b.db))
    bansDue.run({ db: b.db, emit: b.emit, now: () => b.tick() } as never);
}

describe("a ban in a channel", () => {
  test("refuses messages, replies, edits, reactions, typing and uploads at once, and allows reading", () => {
    const b = moderated();
    const { id } = b.send("bob", "room", { text: "mine" });
    b.call("bob", "sendReaction", { path: { id }, body: { reaction: { type: "love" } } });
    ban(b);
    expect(b.refusalOf("bob", "sendMessage", hello)).toEqual(BANNED);
    expect(
      b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message: { text: "x", parent_id: id } } }),
    ).toEqual(BANNED);
    expect(
      b.refusalOf("bob", "updateMessagePartial", { path: { id }, body: { set: { text: "x" } } }),
    ).toEqual(BANNED);
    expect(b.refusalOf("bob", "sendReaction", { path: { id }, body: { reaction: { type: "wow" } } })).toEqual(
      BANNED,
    );
    expect(
      b.refusalOf("bob", "sendEvent", { path: ROOM, body: { event: { type: "typing.start" } } }),
    ).toEqual(BANNED);
    expect(() =>
      chat.requireUpload(
        { db: b.db, caller: { kind: "user", userId: "bob", role: "user" }, now: () => b.now } as never,
        "messaging:room",
      ),
    ).toThrow("banned");
    const state = b.call("bob", "queryChannel", { path: ROOM }) as never as {
      messages: unknown[];
      channel: { own_capabilities: string[] };
    };
    expect(state.messages).toHaveLength(1);
    expect(state.channel.own_capabilities).not.toContain("send-message");
  });

  test("ends on time, even before the scheduled work has run, and sends its event once", () => {
    const b = moderated();
    ban(b, { timeout: 1 });
    b.takeEvents();
    b.wait(MINUTE - 1000);
    expect(b.refusalOf("bob", "sendMessage", hello)).toEqual(BANNED);
    b.wait(2000);
    b.call("bob", "sendMessage", hello);
    expect(bansOf(b)).toEqual([]);
    b.events = [];
    runDueBans(b);
    expect(b.takeEvents()).toEqual(["W user.unbanned", "U user.unbanned bob", "W member.updated"]);
    runDueBans(b);
    expect(b.takeEvents()).toEqual([]);
    const { members } = b.call("ada", "queryMembers", {
      body: { ...ROOM, filter_conditions: { id: "bob" } },
    });
    expect(members).toMatchObject([{ banned: false }]);
    expect((members as object[])[0]).not.toHaveProperty("ban_expires");
  });

  test("is replaced by a second one", () => {
    const b = moderated();
    ban(b, { timeout: 1, reason: "first" });
    ban(b, { reason: "second" });
    expect(bansOf(b)).toMatchObject([{ reason: "second" }]);
    expect(bansOf(b)[0]).not.toHaveProperty("expires");
    b.wait(2 * MINUTE);
    runDueBans(b);
    expect(b.refusalOf("bob", "sendMessage", hello)).toEqual(BANNED);
  });

  test("applies to users who are no members, and to those who join later", () => {
    const b = moderated();
    b.channel("hall", "ada", ["ada"], "livestream");
    const hall = { type: "livestream", id: "hall" };
    b.call("dan", "sendMessage", { path: hall, body: { message: { text: "hi" } } });
    ban(b, { target_user_id: "dan", ...hall, timeout: 5 });
    expect(b.refusalOf("dan", "sendMessage", { path: hall, body: { message: { text: "hi" } } })).toEqual(
      BANNED,
    );
    b.call({ server: true }, "updateChannel", { path: hall, body: { add_members: ["dan"] } });
    expect(b.refusalOf("dan", "sendMessage", { path: hall, body: { message: { text: "hi" } } })).toEqual(
      BANNED,
    );
    const { members } = b.call("ada", "queryMembers", {
      body: { ...hall, filter_conditions: { banned: true } },
    });
    expect(members).toMatchObject([{ user_id: "dan", banned: true, ban_expires: expect.any(String) }]);
  });

  test("is removed with its channel", () => {
    const b = moderated();
    ban(b);
    b.call("root", "deleteChannel", { path: ROOM, query: { hard_delete: "true" } });
    expect(bansOf(b)).toEqual([]);
    b.channel("room", "ada", ["ada", "bob"]);
    b.call("bob", "sendMessage", hello);
  });

  test("cannot be lifted by the banned user", () => {
    const b = moderated();
    b.call({ server: true }, "updateChannel", {
      path: ROOM,
      body: { add_moderators: ["bob"], user_id: "ada" },
    });
    ban(b);
    expect(b.refusalOf("bob", "unban", { query: { target_user_id: "bob", ...ROOM } })).toEqual([
      4,
      "target_user_id",
    ]);
  });
});

describe("a ban from future channels", () => {
  test("applies to channels its banner creates afterwards, until it is lifted", () => {
    const b = moderated();
    const createChannel = (id: string) => {
      b.channel(id, "mod", ["mod", "bob"]);
      return { path: { type: "messaging", id }, body: { message: { text: "x" } } };
    };
    const before = createChannel("before");
    ban(b, { ban_from_future_channels: true, reason: "always" });
    b.call("bob", "sendMessage", before);
    expect(b.refusalOf("bob", "sendMessage", createChannel("after"))).toEqual(BANNED);
    b.channel("others", "ada", ["ada", "bob"]);
    b.call("bob", "sendMessage", {
      path: { type: "messaging", id: "others" },
      body: { message: { text: "x" } },
    });
    expect(b.call("mod", "queryFutureChannelBans", { body: {} }).bans).toMatchObject([
      { user: { id: "bob" }, banned_by: { id: "mod" }, reason: "always" },
    ]);
    unban(b, { remove_future_channels_ban: "true" });
    b.call("bob", "sendMessage", createChannel("later"));
    expect(b.call("mod", "queryFutureChannelBans", { body: {} }).bans).toEqual([]);
  });

  test("is lifted for the channels of the one who lifts it, and by the app for those of all", () => {
    const b = moderated();
    const banners = (): string[] => {
      const { bans } = b.call({ server: true }, "queryFutureChannelBans", { body: {} }) as {
        bans: { banned_by: { id: string } }[];
      };
      return bans.map((one) => one.banned_by.id).toSorted();
    };
    for (const by of ["mod", "root"]) ban(b, { ban_from_future_channels: true }, by);
    expect(banners()).toEqual(["mod", "root"]);
    unban(b, { remove_future_channels_ban: "true" });
    expect(banners()).toEqual(["root"]);
    ban(b, { ban_from_future_channels: true });
    const query = { target_user_id: "bob", ...ROOM, remove_future_channels_ban: "true" };
    b.call({ server: true }, "unban", { query });
    expect(banners()).toEqual([]);
  });

  test("ends after its timeout", () => {
    const b = moderated();
    ban(b, { ban_from_future_channels: true, timeout: 1 });
    b.wait(2 * MINUTE);
    expect(b.call("mod", "queryFutureChannelBans", { body: {} }).bans).toEqual([]);
    b.channel("after", "mod", ["mod", "bob"]);
    b.call("bob", "sendMessage", {
      path: { type: "messaging", id: "after" },
      body: { message: { text: "x" } },
    });
  });
});

describe("an app-wide ban", () => {
  const appWide = { type: "", id: "" };

  test("refuses writing in every channel and shows on the user, until its end", () => {
    const b = moderated();
    ban(b, { ...appWide, timeout: 1 }, "root");
    expect(b.refusalOf("bob", "sendMessage", hello)).toEqual(BANNED);
    expect(chat.account(b.db, "bob")).toMatchObject({ banned: true });
    const { users } = b.call("ada", "queryUsers", { body: { filter_conditions: { banned: true } } });
    expect(users).toMatchObject([{ id: "bob", banned: true }]);
    b.wait(MINUTE + 1000);
    b.call("bob", "sendMessage", hello);
    runDueBans(b);
    expect(b.call("ada", "queryUsers", { body: { filter_conditions: { banned: true } } }).users).toEqual([]);
  });

  test("and a ban in a channel are separate, and each is lifted by itself", () => {
    const b = moderated();
    ban(b, appWide, "root");
    ban(b);
    expect(bansOf(b)).toHaveLength(2);
    unban(b, { type: "", id: "" }, "root");
    expect(bansOf(b)).toMatchObject([{ channel: { cid: "messaging:room" } }]);
    expect(b.refusalOf("bob", "sendMessage", hello)).toEqual(BANNED);
  });
});

describe("a shadow ban", () => {
  test("raises no unread count, does not move the channel and raises no reply count", () => {
    const b = moderated();
    const { id } = b.send("ada", "room", { text: "parent" });
    const before = b.call("ada", "queryChannel", { path: ROOM }).channel as { last_message_at: string };
    ban(b, { shadow: true });
    const hidden = b.send("bob", "room", { text: "x" });
    const below = b.send("bob", "room", { text: "y", parent_id: id });
    expect([hidden.shadowed, below.shadowed]).toEqual([true, true]);
    expect([b.unread("messaging:room", "ada"), b.unread("messaging:room", "cyd")]).toEqual([0, 1]);
    const state = b.call("ada", "queryChannel", { path: ROOM }) as never as {
      channel: { last_message_at: string };
      messages: { reply_count: number }[];
    };
    expect(state.channel.last_message_at).toBe(before.last_message_at);
    expect(state.messages).toMatchObject([{ id, reply_count: 0 }]);
    b.call("bob", "deleteMessage", { path: { id: below.id } });
    expect(b.call("ada", "getMessage", { path: { id } }).message).toMatchObject({
      reply_count: 0,
      deleted_reply_count: 0,
    });
  });

  test("does not make a hidden channel visible again", () => {
    const b = moderated();
    ban(b, { shadow: true });
    b.call("ada", "hideChannel", { path: ROOM });
    b.events = [];
    b.send("bob", "room", { text: "x" });
    expect(b.events.map(({ event }) => event.type)).not.toContain("channel.visible");
    expect(b.call("ada", "queryChannels", { body: {} }).channels).toEqual([]);
    b.send("cyd", "room", { text: "y" });
    expect(b.call("ada", "queryChannels", { body: {} }).channels).toHaveLength(1);
  });

  test("that is app-wide applies to every channel, and messages written under it stay hidden", () => {
    const b = moderated();
    ban(b, { type: "", id: "", shadow: true }, "root");
    expect(b.takeEvents()).toEqual(["S user.banned"]);
    const { id } = b.send("bob", "room", { text: "x" });
    expect(b.call("ada", "queryUsers", { body: { filter_conditions: { id: "bob" } } }).users).toMatchObject([
      { banned: false },
    ]);
    unban(b, { type: "", id: "" }, "root");
    expect(b.refusalOf("ada", "getMessage", { path: { id } })[0]).toBe(16);
    expect(b.send("bob", "room", { text: "seen" }).shadowed).toBe(false);
  });

  test("that replaces a visible ban lets the target write again, and tells the target only that", () => {
    const b = moderated();
    ban(b);
    b.connect("ada", "bob");
    b.watched.set("messaging:room", new Set(["ada", "bob"]));
    b.events = [];
    ban(b, { shadow: true });
    const toBob = b.events.filter(
      ({ user, to, only }) => user === "bob" || (to === "W" && (!only || only.includes("bob"))),
    );
    expect(toBob.map(({ event }) => event.type)).toEqual([
      "user.unbanned",
      "user.unbanned",
      "member.updated",
    ]);
    expect(JSON.stringify(toBob)).not.toContain('"shadow_banned":true');
    expect(b.send("bob", "room", { text: "x" }).shadowed).toBe(true);
  });

  test("hides an older message that its author edits under it", () => {
    const b = moderated();
    const { id } = b.send("bob", "room", { text: "old" });
    expect(b.unread("messaging:room", "cyd")).toBe(1);
    ban(b, { shadow: true });
    b.call("bob", "updateMessagePartial", { path: { id }, body: { set: { text: "new" } } });
    expect(b.refusalOf("ada", "getMessage", { path: { id } })[0]).toBe(16);
    expect(b.unread("messaging:room", "cyd")).toBe(0);
    expect(b.call("bob", "getMessage", { path: { id } }).message).toMatchObject({
      text: "new",
      shadowed: true,
    });
  });

  test("is visible to users who may ban, never to its target", () => {
    const b = moderated();
    b.call({ server: true }, "updateChannel", {
      path: ROOM,
      body: { add_moderators: ["bob"], user_id: "ada" },
    });
    ban(b, { shadow: true, timeout: 5 });
    const shadowed = (as: Parameters<TestDomain["call"]>[0]): unknown[] => {
      const { members } = b.call(as, "queryChannel", { path: ROOM, body: { state: true, user_id: "ada" } });
      const listed = b.call(as, "queryMembers", {
        body: { ...ROOM, filter_conditions: { id: "bob" } },
      }).members;
      const shadowOf = (list: unknown): unknown =>
        (list as { user_id: string; shadow_banned: boolean }[]).find((one) => one.user_id === "bob")!
          .shadow_banned;
      return [shadowOf(members), shadowOf(listed)];
    };
    expect(shadowed("ada")).toEqual([false, false]);
    expect(shadowed("bob")).toEqual([false, false]);
    expect(shadowed("mod")).toEqual([true, true]);
    expect(shadowed({ server: true })).toEqual([true, true]);
  });

  test("cannot be quoted by others", () => {
    const b = moderated();
    ban(b, { shadow: true });
    const { id } = b.send("bob", "room", { text: "secret" });
    expect(
      b.refusalOf("ada", "sendMessage", {
        path: ROOM,
        body: { message: { text: "x", quoted_message_id: id } },
      }),
    ).toEqual([4, "message.quoted_message_id"]);
  });
});

describe("flags", () => {
  const flag = (b: TestDomain, by: string, id: string, more: object = {}) =>
    b.call(by, "flag", { body: { target_message_id: id, ...more } }).flag as Flag;
  const reports = (b: TestDomain): { id: string; flags_count: number }[] =>
    b.call({ server: true }, "queryFlagReports", { body: {} }).flag_reports as never;

  test("each user has one flag per message, and servers get an event with the number", () => {
    const b = moderated();
    const { id } = b.send("ada", "room", { text: "x" });
    b.events = [];
    flag(b, "bob", id, { reason: "rude" });
    flag(b, "bob", id, { reason: "ruder" });
    flag(b, "cyd", id);
    b.call("cyd", "flag", { body: { target_user_id: "ada", reason: "always" } });
    expect(b.events.map(({ to, event }) => [to, event.type, event.reason, event.total_flags])).toEqual([
      ["S", "message.flagged", "rude", 1],
      ["S", "message.flagged", "ruder", 1],
      ["S", "message.flagged", undefined, 2],
      ["S", "user.flagged", "always", 1],
    ]);
    expect(b.events[0]!.event).toMatchObject({
      cid: "messaging:room",
      message: { id },
      flag: { target_user: { id: "ada" } },
      user: { id: "bob" },
    });
    expect(b.events[3]!.event).toMatchObject({ target_user: { id: "ada" }, user: { id: "cyd" } });
    expect(reports(b)).toMatchObject([{ flags_count: 2 }]);
  });

  test("flagging again changes the reason, also to none, and keeps when it was raised and what is not said anew", () => {
    const b = room();
    const { id } = b.send("ada", "room", { text: "hm" });
    const first = flag(b, "bob", id, { reason: "rude", custom: { where: "line 1" } });
    b.wait(60_000);
    const second = flag(b, "bob", id);
    expect(second).toMatchObject({ created_at: first.created_at, custom: { where: "line 1" } });
    expect(second).not.toHaveProperty("reason");
    expect(second.updated_at > first.updated_at).toBe(true);
    expect(flag(b, "bob", id, { custom: { line: 2 } }).custom).toEqual({ line: 2 });
    expect(flag(b, "cyd", id)).not.toHaveProperty("custom");
  });

  test("are listed newest first, also those of one moment", () => {
    const b = room();
    b.user("mod", {}, "moderator");
    const ids = ["1", "2", "3"].map((text) => b.send("ada", "room", { text }).id);
    const { now } = b;
    for (const id of ids) {
      b.now = now;
      flag(b, "bob", id);
    }
    const listed = b.call("mod", "queryMessageFlags", { body: {} }).flags as MessageFlag[];
    expect(listed.map(({ message }) => message.id)).toEqual(ids.toReversed());
    expect(new Set(listed.map(({ created_at }) => created_at)).size).toBe(1);
  });

  test("are deleted with a hard-deleted message; removing the last flag deletes a report that was not reviewed", () => {
    const b = moderated();
    const first = b.send("ada", "room", { text: "x" });
    const second = b.send("ada", "room", { text: "y" });
    flag(b, "bob", first.id);
    flag(b, "bob", second.id);
    b.call("ada", "deleteMessage", { path: { id: first.id }, query: { hard: "true" } });
    expect(reports(b)).toHaveLength(1);
    b.call({ server: true, user: "mod" }, "reviewFlagReport", {
      path: { id: reports(b)[0]!.id },
      body: { review_result: "approved", user_id: "mod" },
    });
    expect(b.call("bob", "unflag", { body: { target_message_id: second.id } }).flag).toMatchObject({
      reviewed_by: { id: "mod" },
      approved_at: expect.any(String),
    });
    expect(reports(b)).toMatchObject([{ flags_count: 0, review_result: "approved" }]);
    const third = b.send("ada", "room", { text: "z" });
    flag(b, "bob", third.id);
    b.call("bob", "unflag", { body: { target_message_id: third.id } });
    expect(reports(b)).toHaveLength(1);
  });

  test("withdrawing one of two flags keeps the report for the other", () => {
    const b = moderated();
    const { id } = b.send("ada", "room", { text: "x" });
    flag(b, "bob", id);
    flag(b, "cyd", id);
    const before = reports(b);
    b.call("bob", "unflag", { body: { target_message_id: id } });
    expect(reports(b)).toMatchObject([{ id: before[0]!.id, flags_count: 1 }]);
  });

  test("are deleted with a pruned message and stay with a soft-deleted one (specification/messages.md §7.1)", () => {
    for (const [mode, remaining] of [
      ["soft", 1],
      ["pruning", 0],
    ] as const) {
      const b = moderated();
      const { id } = b.send("bob", "room", { text: "x" });
      flag(b, "ada", id);
      ban(b, { delete_messages: mode });
      expect(reports(b)).toHaveLength(remaining);
      expect(
        b.call("mod", "queryMessageFlags", { body: { show_deleted_messages: true } }).flags,
      ).toHaveLength(remaining);
    }
  });

  test("of a message that the user cannot see are refused", () => {
    const b = moderated();
    ban(b, { shadow: true });
    const { id } = b.send("bob", "room", { text: "x" });
    expect(b.refusalOf("ada", "flag", { body: { target_message_id: id } })[0]).toBe(16);
  });
});

describe("blocklists", () => {
  function listed(behavior: string): TestDomain {
    const b = moderated();
    b.call({ server: true }, "createBlocklist", { body: { name: "rude", words: ["darn"] } });
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: {
        user_id: "ada",
        set: { config_overrides: { blocklist: "rude", blocklist_behavior: behavior } },
      },
    });
    return b;
  }
  const messageOf = (text: string) => ({ path: ROOM, body: { message: { text } } });

  test("block: the message is refused and not stored, except for users who may skip moderation", () => {
    const b = listed("block");
    expect(b.refusalOf("bob", "sendMessage", messageOf("darn"))).toEqual([73, "message.text"]);
    expect(b.send("mod", "room", { text: "darn" }).text).toBe("darn");
    expect(b.send({ server: true, user: "bob" }, "room", { text: "darn", user_id: "bob" }).text).toBe("darn");
    expect(
      b.refusalOf({ server: true, user: "bob" }, "sendMessage", {
        path: ROOM,
        body: { message: { text: "darn", user_id: "bob" }, force_moderation: true },
      })[0],
    ).toBe(73);
    const { n } = b.db.get<{ n: number }>("SELECT count(*) AS n FROM messages")!;
    expect(n).toBe(2);
  });

  test("of several lists that match, the strongest behavior decides, wherever it stands", () => {
    const behaviors = ["flag", "block", "shadow_block"];
    const outcomeOf = (order: readonly string[]): unknown => {
      const b = moderated();
      for (const name of order)
        b.call({ server: true }, "createBlocklist", { body: { name, words: ["darn"] } });
      b.call({ server: true }, "updateChannelType", {
        path: { name: "messaging" },
        body: { blocklists: order.map((blocklist) => ({ blocklist, behavior: blocklist })) },
      });
      if (order.includes("block")) return b.refusalOf("bob", "sendMessage", messageOf("darn"))[0];
      const { id } = b.send("bob", "room", { text: "darn" });
      return b.refusalOf("ada", "getMessage", { path: { id } })[0];
    };
    expect([behaviors, behaviors.toReversed()].map(outcomeOf)).toEqual([73, 73]);
    const weaker = ["flag", "shadow_block"];
    expect([weaker, weaker.toReversed()].map(outcomeOf)).toEqual([16, 16]);
  });

  test("a changed list applies at once", () => {
    const b = listed("block");
    expect(b.refusalOf("bob", "sendMessage", messageOf("darn"))[0]).toBe(73);
    b.call({ server: true }, "updateBlocklist", { path: { name: "rude" }, body: { words: ["heck"] } });
    b.call("bob", "sendMessage", messageOf("darn"));
    expect(b.refusalOf("bob", "sendMessage", messageOf("heck"))[0]).toBe(73);
  });

  test("flag: the message is stored, visible and flagged without a user", () => {
    const b = listed("flag");
    b.events = [];
    const { id } = b.send("bob", "room", { text: "oh darn" });
    expect(b.events.filter(({ to }) => to === "S").map(({ event }) => event.type)).toContain(
      "message.flagged",
    );
    const { flags } = b.call("mod", "queryMessageFlags", { body: {} });
    expect(flags).toMatchObject([{ created_by_automod: true, message: { id } }]);
    expect((flags as object[])[0]).not.toHaveProperty("user");
  });

  test("shadow_block: only the author sees the message, and an edit that matches hides it from others", () => {
    const b = listed("shadow_block");
    const matching = b.send("bob", "room", { text: "darn" });
    const clean = b.send("bob", "room", { text: "dear" });
    b.call("bob", "updateMessage", { path: { id: clean.id }, body: { message: { text: "darn" } } });
    for (const { id } of [matching, clean]) {
      expect(b.refusalOf("ada", "getMessage", { path: { id } })[0]).toBe(16);
      expect(b.call("bob", "getMessage", { path: { id } }).message).toMatchObject({ shadowed: true });
    }
    expect(b.unread("messaging:room", "cyd")).toBe(0);
  });
});

test("when a block ends, messages of the channel of the two count again, but not those read before", () => {
  const b = room();
  const cid = b.channel("pair", "ada", ["ada", "bob"]);
  b.send("bob", "pair", { text: "read" });
  b.call("ada", "markRead", { path: { type: "messaging", id: "pair" } });
  b.send("bob", "pair", { text: "unread" });
  const block = { body: { blocked_user_id: "bob" } };
  b.call("ada", "blockUser", block);
  expect(b.unread(cid, "ada")).toBe(0);
  b.call("ada", "unblockUser", block);
  expect(b.unread(cid, "ada")).toBe(1);
});
