/** Who and which command could be meant by the word before the cursor (R-MENT, R-CMD). */
import { describe, expect, test } from "vitest";
import { commandTrigger, matchingCommands } from "../../../src/core/composer/commands.ts";
import { matchingUsers, mentionTrigger } from "../../../src/model/mentions.ts";
import { Suggestions } from "../../../src/core/composer/suggestions.ts";
import type { ChannelState, CommandInfo, Member } from "../../../src/wire/channel.ts";
import type { User } from "../../../src/wire/user.ts";
import { at, channel, CID, quiet, subject, user } from "../state/world.ts";

const named = (...names: string[]): CommandInfo[] =>
  names.map((name) => ({ name, description: `${name}s`, args: "", set: "" }));
const member = (id: string, name = id): Member => ({
  user_id: id,
  user: user(id, { name }),
  channel_role: "channel_member",
  created_at: at(0),
  updated_at: at(0),
});

function channelOf(
  members: Member[],
  count = members.length,
  commands = named("ban", "giphy"),
): ChannelState {
  const held = channel();
  return {
    ...held,
    members,
    channel: { ...held.channel, member_count: count, config: { commands } as never },
  };
}

function suggestions(state: ChannelState, place: { cid: string; parentId?: string } = { cid: CID }) {
  const { machine, clock } = subject(state);
  const asked: {
    query: Record<string, unknown>;
    signal: AbortSignal;
    resolve(members: Member[]): void;
    reject(e: Error): void;
  }[] = [];
  const list = new Suggestions({
    place,
    call: ((name: string, args: { query: Record<string, unknown>; signal: AbortSignal }) => {
      expect(name).toBe("queryMembers");
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      asked.push({
        query: args.query,
        signal: args.signal,
        resolve: (members) => resolve({ members }),
        reject,
      });
      return promise;
    }) as never,
    clock,
    log: quiet,
    state: machine.state,
    userId: () => "ada",
  });
  const type = (text: string, cursor = text.length): void => list.typed(text, cursor);
  const shown = (): string[] =>
    list.state().items.map((item) => (item.kind === "user" ? item.user.id : `/${item.command.name}`));
  return { list, clock, asked, type, shown };
}

describe("mentions", () => {
  test("R-MENT-3: @ at the start or after white space, alone enough", () => {
    expect(mentionTrigger("@", 1)).toEqual({ start: 0, query: "" });
    expect(mentionTrigger("hi @bo", 6)).toEqual({ start: 3, query: "bo" });
    expect(mentionTrigger("hi\n@bo there", 6)).toEqual({ start: 3, query: "bo" });
    expect(mentionTrigger("me@tea", 6)).toBeUndefined();
    expect(mentionTrigger("@bo ", 4)).toBeUndefined();
  });
  test("R-MENT-5: id or name, prefix first then inside, case and accents aside, the own user left out", () => {
    const all: User[] = [
      user("zoe", { name: "Bob Zoë" }),
      user("rob", { name: "Rob" }),
      user("obi", { name: "Obi" }),
      user("ada", { name: "Obada" }),
      user("x1", { name: "ÖBERG" }),
      user("none", { name: "Nobody's" }),
    ];
    expect(matchingUsers(all, "ob", "ada").map(({ id }) => id)).toEqual(["x1", "obi", "zoe", "none", "rob"]);
    expect(matchingUsers(all, "öB", "ada").map(({ id }) => id)).toEqual(["x1", "obi", "zoe", "none", "rob"]);
    expect(matchingUsers(all, "q", "ada")).toEqual([]);
  });
  test("R-MENT-4, R-MENT-5: fewer than 100 members are filtered here, at once, without a request, ten a page", async () => {
    const s = suggestions(
      channelOf(
        Array.from({ length: 25 }, (_, n) => member(`u${n + 10}`)),
        99,
      ),
    );
    s.type("@u");
    expect(s.shown()).toEqual(Array.from({ length: 10 }, (_, n) => `u${n + 10}`));
    expect(s.list.state()).toMatchObject({ hasMore: true, loading: false });
    s.list.more();
    s.list.more();
    expect(s.shown()).toHaveLength(25);
    expect(s.list.state().hasMore).toBe(false);
    await s.clock.advance(1000);
    expect(s.asked).toEqual([]);
    s.type("@u11 ");
    expect(s.list.state()).toEqual({ items: [], hasMore: false, loading: false });
  });
  test("R-MENT-4: from 100 on GET /members is asked with the name, ten at a time", async () => {
    const s = suggestions(channelOf([member("bob")], 100));
    s.type("@bo");
    expect(s.list.state().loading).toBe(true);
    await s.clock.advance(300);
    expect(s.asked[0]!.query).toEqual({
      type: "messaging",
      id: "kitchen",
      filter_conditions: { name: { $autocomplete: "bo" } },
      limit: 10,
      offset: 0,
    });
    s.asked[0]!.resolve([
      member("ada", "Boada"),
      ...Array.from({ length: 9 }, (_, n) => member(`b${n}`, `Bo ${n}`)),
    ]);
    await s.clock.settle();
    expect(s.shown()).toEqual(Array.from({ length: 9 }, (_, n) => `b${n}`));
    s.list.more();
    expect(s.asked[1]!.query).toMatchObject({ offset: 10 });
    s.asked[1]!.resolve([member("b8", "Bo 8"), member("c1", "Bo again")]);
    await s.clock.settle();
    expect(s.shown().slice(8)).toEqual(["b8", "c1"]);
    expect(s.list.state().hasMore).toBe(false);
  });
  test("R-CMD-4: requests wait 300, and an older answer never replaces a newer one", async () => {
    const s = suggestions(channelOf([], 500));
    s.type("@b");
    await s.clock.advance(299);
    s.type("@bo");
    await s.clock.advance(299);
    expect(s.asked).toEqual([]);
    await s.clock.advance(1);
    s.type("@bob");
    await s.clock.advance(300);
    expect(s.asked.map(({ query }) => (query.filter_conditions as { name: object }).name)).toEqual([
      { $autocomplete: "bo" },
      { $autocomplete: "bob" },
    ]);
    expect(s.asked[0]!.signal.aborted).toBe(true);
    s.asked[1]!.resolve([member("bob")]);
    await s.clock.settle();
    s.asked[0]!.resolve([member("older")]);
    await s.clock.settle();
    expect(s.shown()).toEqual(["bob"]);
    s.type("@bobby");
    await s.clock.advance(300);
    s.asked[2]!.reject(new Error("no answer"));
    await s.clock.settle();
    expect(s.list.state()).toMatchObject({ items: [], loading: false });
  });
  test("R-MENT-1: choosing inserts @name and a space, id without a name, and remembers the user once", () => {
    const s = suggestions(channelOf([member("bob", "Bob B"), member("cy", "")]));
    s.type("hi @bo there", 6);
    const [bob] = s.list.state().items;
    expect(s.list.choose(bob!, "hi @bo there", 6)).toEqual({ text: "hi @Bob B  there", cursor: 10 });
    expect(s.list.choose({ kind: "user", user: user("cy", { name: "" }) }, "@c", 2)).toEqual({
      text: "@cy ",
      cursor: 4,
    });
    s.list.choose(bob!, "@", 1);
    expect(s.list.remembered().map(({ id }) => id)).toEqual(["bob", "cy"]);
    expect(s.shown()).toEqual([]);
    s.list.clear();
    expect(s.list.remembered()).toEqual([]);
  });
});

describe("commands", () => {
  test("R-CMD-1: the first character of the text; / alone lists all", () => {
    const s = suggestions(channelOf([]));
    s.type("/");
    expect(s.shown()).toEqual(["/ban", "/giphy"]);
    s.type(" /");
    expect(s.shown()).toEqual([]);
    expect(commandTrigger("x/", 2)).toBeUndefined();
    expect(commandTrigger("/gi", 0)).toBeUndefined();
  });
  test("R-CMD-2: by prefix, sorted by name, the exact one first, ten a page", () => {
    expect(matchingCommands(named("mutes", "mute", "unmute", "mu"), "mute").map(({ name }) => name)).toEqual([
      "mute",
      "mutes",
    ]);
    expect(matchingCommands(named("b", "ab", "a"), "").map(({ name }) => name)).toEqual(["a", "ab", "b"]);
    expect(matchingCommands(named("ba", "bab", "b"), "b").map(({ name }) => name)).toEqual([
      "b",
      "ba",
      "bab",
    ]);
    const s = suggestions(channelOf([], 2, named(...Array.from({ length: 12 }, (_, n) => `c${n + 10}`))));
    s.type("/c");
    expect(s.shown()).toHaveLength(10);
    s.list.more();
    expect(s.shown()).toHaveLength(12);
  });
  test("R-CMD-3: nothing once a space follows the name; choosing inserts the name and a space", () => {
    const s = suggestions(channelOf([]));
    s.type("/gi");
    const [giphy] = s.list.state().items;
    expect(s.list.choose(giphy!, "/gi", 3)).toEqual({ text: "/giphy ", cursor: 7 });
    s.type("/giphy ");
    expect(s.shown()).toEqual([]);
    s.type("/giphy cats", 3);
    expect(s.shown()).toEqual([]);
  });
  test("R-CMD-5: in a thread they stay available", () => {
    const s = suggestions(channelOf([]), { cid: CID, parentId: "m1" });
    s.type("/b");
    expect(s.shown()).toEqual(["/ban"]);
  });
});
