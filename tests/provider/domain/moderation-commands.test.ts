/** Built-in commands in message texts, and the buttons of their previews (specification/messages.md §5, §5.1). */
import { describe, expect, test } from "vitest";
import { previewsDue } from "../../../src/provider/domain/moderation/rules/due.ts";
import { TestDomain, room, ROOM, type Message } from "./support.ts";

function moderated(): TestDomain {
  const b = room();
  b.user("mod", { name: "Mo Derator" }, "moderator");
  return b;
}
const send = (b: TestDomain, by: string, text: string, more: Record<string, unknown> = {}): Message =>
  b.send(by, "room", { text, ...more });
const press = (b: TestDomain, by: string, id: string, value: string): { message?: Message } =>
  b.call(by, "runMessageAction", { path: { id }, body: { form_data: { image_action: value } } }) as never;
const stored = (b: TestDomain): number => b.db.get<{ n: number }>("SELECT count(*) AS n FROM messages")!.n;
const settings = (b: TestDomain, set: Record<string, unknown>) =>
  b.call({ server: true }, "updateChannelPartial", { path: ROOM, body: { user_id: "ada", set } });

describe("moderation commands", () => {
  test("act in their channel, and leave no message, unread count or draft", () => {
    const b = moderated();
    const answer = send(b, "mod", "/ban @bob far too loud", { id: "mine" });
    expect(answer).toMatchObject({
      id: "mine",
      type: "system",
      text: "/ban @bob far too loud",
      command: "ban",
      args: "@bob far too loud",
      user: { id: "mod" },
      cid: "messaging:room",
    });
    expect(b.call("mod", "queryBannedUsers", { body: {} }).bans).toMatchObject([
      {
        user: { id: "bob" },
        banned_by: { id: "mod" },
        reason: "far too loud",
        channel: { cid: "messaging:room" },
      },
    ]);
    send(b, "mod", "/unban @bob");
    expect(b.call("mod", "queryBannedUsers", { body: {} }).bans).toEqual([]);
    expect(stored(b)).toBe(0);
    expect(b.unread("messaging:room", "cyd")).toBe(0);
    expect(b.refusalOf("mod", "getMessage", { path: { id: "mine" } })[0]).toBe(16);
    b.send("mod", "room", { id: "mine", text: "the id is free" });
  });

  test("find a user by id first, then by name, ignoring case, also names of several words", () => {
    const b = moderated();
    b.user("eve", { name: "bob" });
    b.user("Zoe", { name: "Zoë van Dam" });
    const flagged = (text: string): unknown => {
      b.events = [];
      send(b, "mod", text);
      const event = b.events.find(({ event: { type } }) => type === "user.flagged")?.event;
      return [(event?.target_user as { id: string } | undefined)?.id, event?.reason];
    };
    expect(flagged("/flag @bob")).toEqual(["bob", undefined]);
    expect(flagged("/flag BOB spam")).toEqual(["bob", "spam"]);
    expect(flagged("/flag @zoe")).toEqual(["Zoe", undefined]);
    expect(flagged("/flag @Zoë Van dam sells tea")).toEqual(["Zoe", "sells tea"]);
  });

  test("answer errors as a message of type error", () => {
    const b = moderated();
    for (const [by, text, why] of [
      ["bob", "/ban @cyd", "You are not allowed to run /ban"],
      ["bob", "/unban @cyd", "You are not allowed to run /unban"],
      ["mod", "/ban", "Missing arguments for /ban"],
      ["mod", "/ban @", "Missing arguments for /ban"],
      ["mod", "/mute @ghost", 'User "ghost" not found'],
      ["mod", "/ban @mod", "You cannot ban yourself"],
      ["bob", "/flag bob", "You cannot flag yourself"],
    ] as const)
      expect(send(b, by, text), text).toMatchObject({ type: "error", text: why });
    expect(stored(b)).toBe(0);
    expect(b.events).toEqual([]);
  });

  test("/mute mutes for the caller, and is refused where the type has no mutes (19)", () => {
    const b = moderated();
    send(b, "bob", "/mute @cyd");
    expect(b.db.all("SELECT user_id, target_id FROM user_mutes")).toMatchObject([
      { user_id: "bob", target_id: "cyd" },
    ]);
    send(b, "bob", "/unmute @cyd");
    expect(b.db.all("SELECT * FROM user_mutes")).toEqual([]);
    b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { mutes: false } });
    expect(
      b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message: { text: "/mute @cyd" } } })[0],
    ).toBe(19);
  });

  test("are not run in the message of a channel update nor in a system message", () => {
    const b = moderated();
    b.call({ server: true }, "updateChannel", {
      path: ROOM,
      body: { add_members: ["dan"], message: { text: "/ban @bob" }, user_id: "bob" },
    });
    b.send("mod", "room", { text: "/ban @bob", type: "system" });
    expect(b.call("mod", "queryBannedUsers", { body: {} }).bans).toEqual([]);
    expect(stored(b)).toBe(2);
  });

  test("are refused for a banned user, and are plain text where the channel does not offer them", () => {
    const b = moderated();
    settings(b, { config_overrides: { commands: ["giphy"] } });
    expect(send(b, "mod", "/ban @bob").type).toBe("regular");
    b.call("mod", "ban", { body: { target_user_id: "bob", ...ROOM } });
    expect(
      b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message: { text: "/giphy x" } } })[0],
    ).toBe(17);
  });

  test("work in a frozen channel, where previews and messages are refused", () => {
    const b = moderated();
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: { user_id: "ada", set: { frozen: true } },
    });
    expect(send(b, "mod", "/ban @bob").type).toBe("system");
    expect(
      b.refusalOf("mod", "sendMessage", { path: ROOM, body: { message: { text: "/giphy x" } } })[0],
    ).toBe(17);
  });
});

describe("a preview", () => {
  const gif = (message: Message | undefined): Record<string, unknown> =>
    (message!.attachments as Record<string, unknown>[])[0]!;

  test("is visible to its author only, and becomes an ordinary message of that time when sent", () => {
    const b = moderated();
    const preview = send(b, "bob", "/giphy tea", { id: "g", mood: "thirsty" });
    expect(preview).toMatchObject({ type: "ephemeral", id: "g", mood: "thirsty" });
    expect(stored(b)).toBe(0);
    expect(b.events).toEqual([]);
    const later = b.send("ada", "room", { text: "meanwhile" });
    b.events = [];
    const { message } = press(b, "bob", "g", "send");
    expect(message).toMatchObject({
      id: "g",
      type: "regular",
      text: "/giphy tea",
      command: "giphy",
      args: "tea",
      mood: "thirsty",
    });
    expect(message!.created_at > later.created_at).toBe(true);
    expect(gif(message)).not.toHaveProperty("actions");
    expect(gif(message).thumb_url).toBe(gif(preview).thumb_url);
    expect(b.events.map(({ event }) => event.type)).toContain("message.new");
    expect(b.unread("messaging:room", "cyd")).toBe(2);
    expect(
      b.refusalOf("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      }),
    ).toEqual([4, "id"]);
  });

  test("shows another picture with each shuffle, starts over after the last, and sends the one shown", () => {
    const b = moderated();
    const seen = [gif(send(b, "bob", "/giphy tea", { id: "g" })).thumb_url];
    for (let i = 1; i < 8; i++) seen.push(gif(press(b, "bob", "g", "shuffle").message).thumb_url);
    expect(new Set(seen).size).toBe(8);
    expect(gif(press(b, "bob", "g", "shuffle").message).thumb_url).toBe(seen[0]);
    press(b, "bob", "g", "shuffle");
    expect(gif(press(b, "bob", "g", "send").message).thumb_url).toBe(seen[1]);
  });

  test("in a thread becomes a reply", () => {
    const b = moderated();
    const parent = b.send("ada", "room", { text: "parent" });
    expect(send(b, "bob", "/giphy tea", { id: "g", parent_id: parent.id })).toMatchObject({
      type: "ephemeral",
      parent_id: parent.id,
    });
    expect(press(b, "bob", "g", "send").message).toMatchObject({ type: "reply", parent_id: parent.id });
    expect(b.call("ada", "getMessage", { path: { id: parent.id } }).message).toMatchObject({
      reply_count: 1,
    });
  });

  test("whose parent is gone cannot be sent", () => {
    const b = moderated();
    const parent = b.send("ada", "room", { text: "parent" });
    send(b, "bob", "/giphy tea", { id: "g", parent_id: parent.id });
    b.call("ada", "deleteMessage", { path: { id: parent.id }, query: { hard: "true" } });
    expect(
      b.refusalOf("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      }),
    ).toEqual([4, "id"]);
  });

  test("is subject to a ban, slow mode and a shadow ban made since", () => {
    const b = moderated();
    const sendAction = { path: { id: "g" }, body: { form_data: { image_action: "send" } } };
    settings(b, { cooldown: 60 });
    send(b, "bob", "/giphy tea", { id: "g" });
    b.send("bob", "room", { text: "x" });
    expect(b.refusalOf("bob", "runMessageAction", sendAction)[0]).toBe(60);
    b.wait(61_000);
    b.call("mod", "ban", { body: { target_user_id: "bob", ...ROOM } });
    expect(b.refusalOf("bob", "runMessageAction", sendAction)[0]).toBe(17);
    b.call("mod", "ban", { body: { target_user_id: "bob", ...ROOM, shadow: true } });
    expect(press(b, "bob", "g", "send").message).toMatchObject({ shadowed: true });
    expect(b.refusalOf("ada", "getMessage", { path: { id: "g" } })[0]).toBe(16);
  });

  test("expires after an hour, and its id cannot be used by another user", () => {
    const b = moderated();
    send(b, "bob", "/giphy tea", { id: "g" });
    expect(
      b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { id: "g", text: "/giphy x" } } }),
    ).toEqual([4, "message.id"]);
    send(b, "bob", "/giphy coffee", { id: "g" });
    b.wait(3_601_000);
    expect(
      b.refusalOf("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      })[0],
    ).toBe(4);
    expect(previewsDue.next(b.db)).toBeLessThanOrEqual(b.now);
    previewsDue.run({ db: b.db, now: () => b.tick() } as never);
    expect(previewsDue.next(b.db)).toBeUndefined();
  });

  test("that is cancelled is removed", () => {
    const b = moderated();
    send(b, "bob", "/giphy tea", { id: "g" });
    expect(press(b, "bob", "g", "cancel")).toEqual({});
    expect(stored(b)).toBe(0);
    expect(
      b.refusalOf("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      })[0],
    ).toBe(4);
  });
});
