/** Built-in commands in message texts, and the buttons of their previews (specification/messages.md §5, §5.1). */
import { describe, expect, test } from "vitest";
import { previewsDue } from "../../../src/provider/domain/moderation/rules/due.ts";
import { Bench, room, ROOM, type Message } from "./support.ts";

function moderated(): Bench {
  const b = room();
  b.user("mod", { name: "Mo Derator" }, "moderator");
  return b;
}
const say = (b: Bench, by: string, text: string, more: Record<string, unknown> = {}): Message =>
  b.send(by, "room", { text, ...more });
const press = (b: Bench, by: string, id: string, value: string): { message?: Message } =>
  b.call(by, "runMessageAction", { path: { id }, body: { form_data: { image_action: value } } }) as never;
const stored = (b: Bench): number => b.db.get<{ n: number }>("SELECT count(*) AS n FROM messages")!.n;
const settings = (b: Bench, set: Record<string, unknown>) =>
  b.call({ server: true }, "updateChannelPartial", { path: ROOM, body: { user_id: "ada", set } });

describe("commands that moderate", () => {
  test("do what they say in this channel, and leave no message, number or draft behind", () => {
    const b = moderated();
    const answer = say(b, "mod", "/ban @bob far too loud", { id: "mine" });
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
    say(b, "mod", "/unban @bob");
    expect(b.call("mod", "queryBannedUsers", { body: {} }).bans).toEqual([]);
    expect(stored(b)).toBe(0);
    expect(b.unread("messaging:room", "cyd")).toBe(0);
    expect(b.refused("mod", "getMessage", { path: { id: "mine" } })[0]).toBe(16);
    b.send("mod", "room", { id: "mine", text: "the id is free" });
  });

  test("name a user by id first, then by name, whatever the capitals, names of several words too", () => {
    const b = moderated();
    b.user("eve", { name: "bob" });
    b.user("Zoe", { name: "Zoë van Dam" });
    const flagged = (text: string): unknown => {
      b.told = [];
      say(b, "mod", text);
      const event = b.told.find(({ event: { type } }) => type === "user.flagged")?.event;
      return [(event?.target_user as { id: string } | undefined)?.id, event?.reason];
    };
    expect(flagged("/flag @bob")).toEqual(["bob", undefined]);
    expect(flagged("/flag BOB spam")).toEqual(["bob", "spam"]);
    expect(flagged("/flag @zoe")).toEqual(["Zoe", undefined]);
    expect(flagged("/flag @Zoë Van dam sells tea")).toEqual(["Zoe", "sells tea"]);
  });

  test("say why not with a text of type error", () => {
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
      expect(say(b, by, text), text).toMatchObject({ type: "error", text: why });
    expect(stored(b)).toBe(0);
    expect(b.told).toEqual([]);
  });

  test("mutes of users are refused where the type has none (19), and are the caller's own", () => {
    const b = moderated();
    say(b, "bob", "/mute @cyd");
    expect(b.db.all("SELECT user_id, target_id FROM user_mutes")).toMatchObject([
      { user_id: "bob", target_id: "cyd" },
    ]);
    say(b, "bob", "/unmute @cyd");
    expect(b.db.all("SELECT * FROM user_mutes")).toEqual([]);
    b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { mutes: false } });
    expect(
      b.refused("bob", "sendMessage", { path: ROOM, body: { message: { text: "/mute @cyd" } } })[0],
    ).toBe(19);
  });

  test("are run neither from the message of another change nor from a text of type system", () => {
    const b = moderated();
    b.call({ server: true }, "updateChannel", {
      path: ROOM,
      body: { add_members: ["dan"], message: { text: "/ban @bob" }, user_id: "bob" },
    });
    b.send("mod", "room", { text: "/ban @bob", type: "system" });
    expect(b.call("mod", "queryBannedUsers", { body: {} }).bans).toEqual([]);
    expect(stored(b)).toBe(2);
  });

  test("are not run by who is banned, nor where the channel does not offer them", () => {
    const b = moderated();
    settings(b, { config_overrides: { commands: ["giphy"] } });
    expect(say(b, "mod", "/ban @bob").type).toBe("regular");
    b.call("mod", "ban", { body: { target_user_id: "bob", ...ROOM } });
    expect(b.refused("bob", "sendMessage", { path: ROOM, body: { message: { text: "/giphy x" } } })[0]).toBe(
      17,
    );
  });

  test("work in a frozen channel and in slow mode, where nothing can be posted", () => {
    const b = moderated();
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: { user_id: "ada", set: { frozen: true } },
    });
    expect(say(b, "mod", "/ban @bob").type).toBe("system");
    expect(b.refused("mod", "sendMessage", { path: ROOM, body: { message: { text: "/giphy x" } } })[0]).toBe(
      17,
    );
  });
});

describe("a preview", () => {
  const gif = (message: Message | undefined): Record<string, unknown> =>
    (message!.attachments as Record<string, unknown>[])[0]!;

  test("is its author's alone until it is sent, and then a message of that moment", () => {
    const b = moderated();
    const shown = say(b, "bob", "/giphy tea", { id: "g", mood: "thirsty" });
    expect(shown).toMatchObject({ type: "ephemeral", id: "g", mood: "thirsty" });
    expect(stored(b)).toBe(0);
    expect(b.told).toEqual([]);
    const later = b.send("ada", "room", { text: "meanwhile" });
    b.told = [];
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
    expect(gif(message).thumb_url).toBe(gif(shown).thumb_url);
    expect(b.told.map(({ event }) => event.type)).toContain("message.new");
    expect(b.unread("messaging:room", "cyd")).toBe(2);
    expect(
      b.refused("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      }),
    ).toEqual([4, "id"]);
  });

  test("shows another picture with each shuffle, the same again after the last, and sends what is shown", () => {
    const b = moderated();
    const seen = [gif(say(b, "bob", "/giphy tea", { id: "g" })).thumb_url];
    for (let i = 1; i < 8; i++) seen.push(gif(press(b, "bob", "g", "shuffle").message).thumb_url);
    expect(new Set(seen).size).toBe(8);
    expect(gif(press(b, "bob", "g", "shuffle").message).thumb_url).toBe(seen[0]);
    press(b, "bob", "g", "shuffle");
    expect(gif(press(b, "bob", "g", "send").message).thumb_url).toBe(seen[1]);
  });

  test("in a thread becomes a reply", () => {
    const b = moderated();
    const parent = b.send("ada", "room", { text: "parent" });
    expect(say(b, "bob", "/giphy tea", { id: "g", parent_id: parent.id })).toMatchObject({
      type: "ephemeral",
      parent_id: parent.id,
    });
    expect(press(b, "bob", "g", "send").message).toMatchObject({ type: "reply", parent_id: parent.id });
    expect(b.call("ada", "getMessage", { path: { id: parent.id } }).message).toMatchObject({
      reply_count: 1,
    });
  });

  test("whose parent is gone cannot be sent any more", () => {
    const b = moderated();
    const parent = b.send("ada", "room", { text: "parent" });
    say(b, "bob", "/giphy tea", { id: "g", parent_id: parent.id });
    b.call("ada", "deleteMessage", { path: { id: parent.id }, query: { hard: "true" } });
    expect(
      b.refused("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      }),
    ).toEqual([4, "id"]);
  });

  test("obeys what has changed since: a ban, slow mode, a shadow ban", () => {
    const b = moderated();
    const send = { path: { id: "g" }, body: { form_data: { image_action: "send" } } };
    settings(b, { cooldown: 60 });
    say(b, "bob", "/giphy tea", { id: "g" });
    b.send("bob", "room", { text: "x" });
    expect(b.refused("bob", "runMessageAction", send)[0]).toBe(60);
    b.wait(61_000);
    b.call("mod", "ban", { body: { target_user_id: "bob", ...ROOM } });
    expect(b.refused("bob", "runMessageAction", send)[0]).toBe(17);
    b.call("mod", "ban", { body: { target_user_id: "bob", ...ROOM, shadow: true } });
    expect(press(b, "bob", "g", "send").message).toMatchObject({ shadowed: true });
    expect(b.refused("ada", "getMessage", { path: { id: "g" } })[0]).toBe(16);
  });

  test("ends after an hour, and its id is nobody else's to begin anew", () => {
    const b = moderated();
    say(b, "bob", "/giphy tea", { id: "g" });
    expect(
      b.refused("ada", "sendMessage", { path: ROOM, body: { message: { id: "g", text: "/giphy x" } } }),
    ).toEqual([4, "message.id"]);
    say(b, "bob", "/giphy coffee", { id: "g" });
    b.wait(3_601_000);
    expect(
      b.refused("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      })[0],
    ).toBe(4);
    expect(previewsDue.next(b.db)).toBeLessThanOrEqual(b.now);
    previewsDue.run({ db: b.db, now: () => b.tick() } as never);
    expect(previewsDue.next(b.db)).toBeUndefined();
  });

  test("cancelled is gone", () => {
    const b = moderated();
    say(b, "bob", "/giphy tea", { id: "g" });
    expect(press(b, "bob", "g", "cancel")).toEqual({});
    expect(stored(b)).toBe(0);
    expect(
      b.refused("bob", "runMessageAction", {
        path: { id: "g" },
        body: { form_data: { image_action: "send" } },
      })[0],
    ).toBe(4);
  });
});
