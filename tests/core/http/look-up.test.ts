/** What a look for a write without a readable answer takes for it: only what is the writer's own (specification/errors.md §3). */
import { describe, expect, test } from "vitest";
import type { CallArgs } from "../../../src/core/base/api-types.ts";
import { lookUpWrite } from "../../../src/core/http/look-up.ts";
import type { EndpointName } from "../../../src/wire/endpoints/index.ts";

/** Answers reads from these, and remembers what was asked. */
function provider(answers: Record<string, object>) {
  const asked: [string, object][] = [];
  const call = (name: string, args: object = {}) => {
    asked.push([name, args]);
    return Promise.resolve(answers[name] ?? {});
  };
  const lookUp = (name: EndpointName, args: object) =>
    lookUpWrite(name, args as CallArgs<EndpointName>, "mira", call as never);
  return { asked, lookUp };
}

const reaction = (user_id: string, type: string, score = 1): object => ({
  user_id,
  type,
  score,
  message_id: "m",
});
const having = (...reactions: object[]) => provider({ getReactions: { reactions } });
const path = { id: "m" };
const others = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => reaction(`other${n}`, "like"));

describe.each([
  ["the user", "mira", {}, {}],
  ["a server for somebody", "ben", { user_id: "ben" }, { server: true }],
])("a reaction by %s", (_, writer, actor, as) => {
  const sent = (type: string, score?: number) => ({
    ...as,
    path,
    body: { reaction: { type, ...(score !== undefined && { score }), ...actor } },
  });
  const removed = { ...as, path: { ...path, reaction_type: "like" }, query: actor };

  test("is done when it is there, whoever else reacted", async () => {
    for (const more of [[], others(3), [reaction("otto", "love")]]) {
      const found = [...more, reaction(writer, "like", 2)];
      for (const reactions of [found, found.toReversed()]) {
        const { lookUp } = having(...reactions);
        const done = { reaction: { user_id: writer, type: "like", score: 2 } };
        expect(await lookUp("sendReaction", sent("like"))).toMatchObject(done);
        expect(await lookUp("sendReaction", sent("like", 2))).toMatchObject(done);
      }
    }
  });
  test("may have been done when it has another type or score, or only others gave it", async () => {
    for (const [reactions, score] of [
      [[]],
      [others(3)],
      [[reaction(writer, "love"), ...others(1)]],
      [[reaction(writer, "like", 1), reaction("otto", "like", 2)], 2],
    ] as [object[], number?][])
      expect(await having(...reactions).lookUp("sendReaction", sent("like", score))).toBeUndefined();
  });
  test("is removed when only others have it, or the writer has another", async () => {
    for (const reactions of [[], others(99), [reaction(writer, "love"), reaction("otto", "like")]])
      expect(await having(...reactions).lookUp("deleteReaction", removed)).toBeDefined();
  });
  test("may not have been removed while it is there, or may be beyond the page", async () => {
    for (const reactions of [
      [reaction(writer, "like")],
      [...others(5), reaction(writer, "like")],
      others(100),
    ])
      expect(await having(...reactions).lookUp("deleteReaction", removed)).toBeUndefined();
  });
});

test("a channel is read once the writer has nothing unread in it, whatever others have", async () => {
  const read = (id: string, unread_messages: number) => ({ user: { id }, unread_messages });
  const look = (...reads: object[]) =>
    provider({ queryChannels: { channels: [{ read: reads }] } }).lookUp("markRead", {
      path: { type: "team", id: "a" },
      body: {},
    });
  expect(await look(read("mira", 0), read("otto", 4))).toBeDefined();
  expect(await look(read("otto", 4), read("mira", 0))).toBeDefined();
  expect(await look(read("otto", 0), read("mira", 1))).toBeUndefined();
  expect(await look(read("otto", 0))).toBeUndefined();
});
