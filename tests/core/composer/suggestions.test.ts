/** Suggestions of members for the word before the cursor (R-MENT). */
import { describe, expect, test } from "vitest";
import { loadMentionMarkup, matchingUsers, mentionTrigger } from "../../../src/model/mentions.ts";
import { Suggestions } from "../../../src/core/composer/suggestions.ts";
import type { ChannelState, Member } from "../../../src/wire/entities/channel.ts";
import type { User } from "../../../src/wire/entities/user.ts";
import { at, channel, CID, silentLog, subject, user } from "../state/world.ts";

const member = (id: string, name = id): Member => ({
  user_id: id,
  user: user(id, { name }),
  channel_role: "channel_member",
  created_at: at(0),
  updated_at: at(0),
});

function channelOf(members: Member[], count = members.length): ChannelState {
  const held = channel();
  return { ...held, members, channel: { ...held.channel, member_count: count } };
}

function suggestions(state: ChannelState) {
  const { machine, clock } = subject(state);
  const queries: {
    query: Record<string, unknown>;
    signal: AbortSignal;
    resolve(members: Member[]): void;
    reject(e: Error): void;
  }[] = [];
  const list = new Suggestions({
    place: { cid: CID },
    call: ((name: string, args: { query: Record<string, unknown>; signal: AbortSignal }) => {
      expect(name).toBe("queryMembers");
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      queries.push({
        query: args.query,
        signal: args.signal,
        resolve: (members) => resolve({ members }),
        reject,
      });
      return promise;
    }) as never,
    clock,
    log: silentLog,
    state: machine.state,
    userId: () => "ada",
  });
  const type = (text: string, cursor = text.length): void => list.typed(text, cursor);
  const shown = (): string[] => list.state().items.map(({ id }) => id);
  return { list, clock, queries, type, shown };
}

describe("mentions", () => {
  test("R-MENT-3: a mention starts with @ at the beginning or after white space, and has at most three words", () => {
    expect(mentionTrigger("@", 1)).toEqual({ start: 0, query: "" });
    expect(mentionTrigger("hi @bo", 6)).toEqual({ start: 3, query: "bo" });
    expect(mentionTrigger("hi\n@bo there", 6)).toEqual({ start: 3, query: "bo" });
    expect(mentionTrigger("me@tea", 6)).toBeUndefined();
    expect(mentionTrigger("@bo ", 4)).toBeUndefined();
    expect(mentionTrigger("hi @bo li", 9)).toEqual({ start: 3, query: "bo li" });
    expect(mentionTrigger("hi @ivy chen wu", 15)).toEqual({ start: 3, query: "ivy chen wu" });
    expect(mentionTrigger("hi @ivy chen wu li", 18)).toBeUndefined();
    expect(mentionTrigger("hi @bo\nli", 9)).toBeUndefined();
    expect(mentionTrigger("hi @bo  li", 10)).toBeUndefined();
  });
  test("R-MENT-5: users match by id or name, prefixes first, ignoring case and accents, without the current user", () => {
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
  test("R-MENT-4, R-MENT-5: a channel of fewer than 100 members is filtered locally without a request, ten results at most", async () => {
    const s = suggestions(
      channelOf(
        Array.from({ length: 25 }, (_, n) => member(`u${n + 10}`)),
        99,
      ),
    );
    s.type("@u");
    expect(s.shown()).toEqual(Array.from({ length: 10 }, (_, n) => `u${n + 10}`));
    expect(s.list.state()).toMatchObject({ loading: false });
    await s.clock.advance(1000);
    expect(s.queries).toEqual([]);
    s.type("@u11 ");
    expect(s.list.state()).toEqual({ items: [], loading: false });
  });
  test("R-MENT-4: in a channel of 100 or more members GET /members is queried by name, ten at a time", async () => {
    const s = suggestions(channelOf([member("bob")], 100));
    s.type("@bo");
    expect(s.list.state().loading).toBe(true);
    await s.clock.advance(300);
    expect(s.queries[0]!.query).toEqual({
      type: "messaging",
      id: "kitchen",
      filter_conditions: { name: { $autocomplete: "bo" } },
      limit: 10,
      offset: 0,
    });
    s.queries[0]!.resolve([
      member("ada", "Boada"),
      ...Array.from({ length: 9 }, (_, n) => member(`b${n}`, `Bo ${n}`)),
    ]);
    await s.clock.settle();
    expect(s.shown()).toEqual(Array.from({ length: 9 }, (_, n) => `b${n}`));
  });
  test("R-MENT-4: in a big channel a word that is no name is looked up as an id", async () => {
    const s = suggestions(channelOf([], 500));
    s.type("thanks @p128");
    await s.clock.advance(300);
    s.queries[0]!.resolve([]);
    await s.clock.settle();
    expect(s.list.state().loading).toBe(true);
    expect(s.queries[1]!.query.filter_conditions).toEqual({ id: "p128" });
    s.queries[1]!.resolve([member("p128", "Person 128")]);
    await s.clock.settle();
    expect(s.shown()).toEqual(["p128"]);
    // An id has no blank.
    s.type("thanks @p128 for");
    await s.clock.advance(300);
    s.queries[2]!.resolve([]);
    await s.clock.settle();
    expect(s.queries).toHaveLength(3);
  });
  test("R-CMD-4: a request waits 300 ms, and an older answer never replaces a newer one", async () => {
    const s = suggestions(channelOf([], 500));
    s.type("@b");
    await s.clock.advance(299);
    s.type("@bo");
    await s.clock.advance(299);
    expect(s.queries).toEqual([]);
    await s.clock.advance(1);
    s.type("@bob");
    await s.clock.advance(300);
    expect(s.queries.map(({ query }) => (query.filter_conditions as { name: object }).name)).toEqual([
      { $autocomplete: "bo" },
      { $autocomplete: "bob" },
    ]);
    expect(s.queries[0]!.signal.aborted).toBe(true);
    s.queries[1]!.resolve([member("bob")]);
    await s.clock.settle();
    s.queries[0]!.resolve([member("older")]);
    await s.clock.settle();
    expect(s.shown()).toEqual(["bob"]);
    s.type("@bobby");
    await s.clock.advance(300);
    s.queries[2]!.reject(new Error("no answer"));
    await s.clock.settle();
    expect(s.list.state()).toMatchObject({ items: [], loading: false });
  });
  test("R-MENT-3: names of several words match as typed, and a chosen name ends the mention", () => {
    const s = suggestions(channelOf([member("ana", "Ana Ribeiro"), member("a2", "Ana Silva")]));
    s.type("thanks @ana r");
    expect(s.shown()).toEqual(["ana"]);
    s.type("thanks @ana really");
    expect(s.shown()).toEqual([]);
    s.type("thanks @Ana Ribeiro");
    expect(s.shown()).toEqual(["ana"]);
    s.list.choose(user("ana", { name: "Ana Ribeiro" }), 7);
    for (const text of ["thanks @Ana Ribeiro", "thanks @Ana Ribeiro a"]) {
      s.type(text);
      expect(s.list.state().trigger).toBeUndefined();
    }
  });
  test("R-MENT-4: in a big channel a query that found nobody is not repeated for longer texts", async () => {
    const s = suggestions(channelOf([], 500));
    for (const [text, people] of [
      ["@ana", [member("ana", "Ana")]],
      ["@ana i", []],
    ] as const) {
      s.type(text);
      await s.clock.advance(300);
      s.queries.at(-1)!.resolve([...people]);
      await s.clock.settle();
    }
    for (const text of ["@ana is", "@ana is h", "@ana is here"]) {
      s.type(text);
      await s.clock.advance(300);
      expect(s.list.state()).toMatchObject({ items: [], loading: false });
    }
    expect(s.queries).toHaveLength(2);
    s.type("@ana b");
    await s.clock.advance(300);
    expect(s.queries).toHaveLength(3);
    s.queries[2]!.resolve([]);
    await s.clock.settle();
    // Another message searches again: a matching member may have joined since.
    s.type("");
    s.type("@ana b");
    await s.clock.advance(300);
    expect(s.queries).toHaveLength(4);
  });
  test("R-MENT-1: chosen users are kept with their places, in the order of the text, until a clear", () => {
    const s = suggestions(channelOf([member("bob", "Bob B")]));
    s.list.choose(user("cy"), 5);
    s.list.choose(user("bob"), 0);
    expect(s.list.chosenIds()).toEqual(["bob", "cy"]);
    s.list.moved("@bob @cy ", "@cy ", 0);
    expect(s.list.chosenIds()).toEqual(["cy"]);
    s.list.clear();
    expect(s.list.chosenIds()).toEqual([]);
  });
  test("R-MENT-2: who was chosen for a text is meant by a name that two have, and by nobody's choice after a clear", () => {
    const s = suggestions(channelOf([member("u1", "Sam"), member("u2", "Sam")]));
    expect(s.list.mentioned("@Sam")).toEqual({ ids: [], unknown: [], shared: ["Sam"] });
    s.list.choose(user("u2", { name: "Sam" }), 0);
    s.list.moved("@Sam", "", 0);
    expect(s.list.mentioned("@Sam").ids).toEqual(["u2"]);
    s.list.choose(user("u1", { name: "Sam" }), 0);
    s.list.moved("@Sam", "", 0);
    expect(s.list.mentioned("@Sam").ids).toEqual(["u1"]);
    s.list.clear();
    expect(s.list.mentioned("@Sam")).toEqual({ ids: [], unknown: [], shared: ["Sam"] });
  });
  test("R-MENT-4: a text written without a list finds members that are not loaded: one page of a small channel, by name and id in a big one", async () => {
    await loadMentionMarkup();
    const small = suggestions(channelOf([], 500));
    const found = small.list.find("hi @bob and `@cy`");
    await small.clock.settle();
    expect(small.queries[0]!.query).toMatchObject({ filter_conditions: {}, limit: 100 });
    small.queries[0]!.resolve([member("u1", "Bob"), member("cy")]);
    await found;
    expect(small.queries).toHaveLength(1);
    expect(small.list.mentioned("hi @bob and `@cy`")).toEqual({ ids: ["u1"], unknown: [], shared: [] });
    const big = suggestions(channelOf([], 500));
    const searched = big.list.find("hi @bob");
    await big.clock.settle();
    const page = Array.from({ length: 100 }, (_, n) => member(`m${n}`));
    for (const [n, members] of [page, [member("u1", "Bob Ray"), member("u2", "Bob")], []].entries()) {
      big.queries[n]!.resolve(members);
      await big.clock.settle();
    }
    await searched;
    expect(big.queries.map(({ query }) => query.filter_conditions)).toEqual([
      {},
      { name: { $autocomplete: "bob" } },
      { id: "bob" },
    ]);
    expect(big.list.mentioned("hi @bob").ids).toEqual(["u2"]);
  });
});

test("R-MENT-4: a search stops loading when it is answered and when it fails", async () => {
  for (const fails of [false, true]) {
    const l = suggestions(channelOf([member("bob")], 500));
    l.type("@bo");
    expect(l.list.state().loading).toBe(true);
    await l.clock.advance(1000);
    if (fails) l.queries[0]!.reject(new Error("no answer"));
    else l.queries[0]!.resolve([member("bob")]);
    await l.clock.advance(0);
    expect(l.list.state()).toMatchObject({ loading: false });
    expect(l.shown()).toEqual(fails ? [] : ["bob"]);
  }
});
