/** What messages carry: reactions and the fields derived from them, polls and their counters, live locations. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message as WireMessage, Reaction } from "../../../src/wire/entities/message.ts";
import type { Poll, PollVote } from "../../../src/wire/entities/poll.ts";
import { room, ROOM, type TestDomain } from "./support.ts";
import { runs } from "../../support/proof.ts";

describe("reactions", () => {
  const act = fc.record({
    user: fc.constantFrom("ada", "bob", "cyd"),
    type: fc.constantFrom("love", "like", "sad", "wow"),
    score: fc.integer({ min: 1, max: 9 }),
    what: fc.constantFrom("send", "send", "unique", "delete"),
  });

  test("the counts, groups and lists of a message match its reactions (specification/messages.md §9.3)", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
        const b = room();
        b.send("ada", "room", { id: "m", text: "x" });
        let model: Reaction[] = [];
        for (const { user, type, score, what } of acts) {
          const mine = (r: Reaction): boolean => r.user_id === user;
          const previous = model.find((r) => mine(r) && r.type === type);
          let reply: { message: WireMessage; reaction: Reaction };
          b.events = [];
          if (what === "delete") {
            const input = { path: { id: "m", reaction_type: type } };
            if (!previous) {
              expect(b.refusalOf(user, "deleteReaction", input)).toEqual([16, undefined]);
              continue;
            }
            reply = b.call(user, "deleteReaction", input) as typeof reply;
            model = model.filter((r) => r !== previous);
          } else {
            reply = b.call(user, "sendReaction", {
              path: { id: "m" },
              body: { reaction: { type, score }, enforce_unique: what === "unique" },
            }) as typeof reply;
            if (what === "unique") model = model.filter((r) => !mine(r));
            model = model.filter((r) => r !== previous);
            expect(reply.reaction.created_at).toBe(previous?.created_at ?? reply.reaction.created_at);
            model.push({ ...reply.reaction, created_at: previous?.created_at ?? reply.reaction.created_at });
          }
          const expected =
            what === "delete" ? "reaction.deleted" : previous ? "reaction.updated" : "reaction.new";
          expect(b.events.map(({ event }) => event.type)).toEqual([expected]);
          expect((b.events[0]!.event.message as WireMessage).own_reactions).toEqual([]);
          const groups: Record<string, unknown> = {};
          for (const one of new Set(model.map((r) => r.type))) {
            const of = model.filter((r) => r.type === one);
            const times = of.map((r) => r.created_at).toSorted();
            groups[one] = {
              count: of.length,
              sum_scores: of.reduce((sum, r) => sum + r.score, 0),
              first_reaction_at: times[0],
              last_reaction_at: times.at(-1),
            };
          }
          const { message } = reply;
          const byAge = model.toSorted((x, y) => (x.created_at < y.created_at ? 1 : -1));
          const key = (r: Reaction): string => `${r.user_id} ${r.type} ${r.score}`;
          expect(message.reaction_groups).toEqual(groups);
          expect(message.reaction_counts).toEqual(
            Object.fromEntries(Object.entries(groups).map(([t, g]) => [t, (g as { count: number }).count])),
          );
          expect(message.latest_reactions.map(key)).toEqual(byAge.slice(0, 10).map(key));
          expect(message.own_reactions.map(key)).toEqual(byAge.filter(mine).map(key));
          const listed = b.call("bob", "getReactions", { path: { id: "m" }, query: { limit: "5" } })
            .reactions as Reaction[];
          expect(listed.map(key)).toEqual(byAge.slice(0, 5).map(key));
        }
      }),
      { numRuns: runs(80, 20), seed: 5 },
    );
  });

  test("invalid reactions are refused", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    const send = (reaction: object) =>
      b.refusalOf("bob", "sendReaction", { path: { id: "m" }, body: { reaction } });
    expect(send({})).toEqual([4, "reaction.type"]);
    expect(send({ type: "a/b" })).toEqual([4, "reaction.type"]);
    expect(send({ type: "love", score: 0 })).toEqual([4, "reaction.score"]);
    expect(
      b.refusalOf("dan", "sendReaction", { path: { id: "m" }, body: { reaction: { type: "love" } } }),
    ).toEqual([17, undefined]);
    expect(b.refusalOf("bob", "getReactions", { path: { id: "void" } })).toEqual([16, undefined]);
    b.call("ada", "deleteMessage", { path: { id: "m" } });
    expect(send({ type: "love" })).toEqual([4, "id"]);
  });
});

function withPoll(options: Record<string, unknown> = {}): {
  b: TestDomain;
  vote(as: string, vote: object): { poll: Poll; vote: PollVote };
} {
  const b = room();
  b.call("ada", "createPoll", {
    body: {
      id: "p",
      name: "Tea?",
      options: [
        { id: "y", text: "Yes" },
        { id: "n", text: "No" },
      ],
      ...options,
    },
  });
  b.send("ada", "room", { id: "m", poll_id: "p" });
  b.events = [];
  const path = { message_id: "m", poll_id: "p" };
  return {
    b,
    vote: (as, vote) =>
      b.call(as, "castPollVote", { path, body: { vote } }) as { poll: Poll; vote: PollVote },
  };
}

describe("polls", () => {
  const path = { message_id: "m", poll_id: "p" };
  test("a vote counts once per option (V-4) and is visible to everybody", () => {
    const { b, vote } = withPoll();
    vote("bob", { option_id: "y" });
    const again = vote("bob", { option_id: "y" });
    expect(b.takeEvents()).toEqual(["W poll.vote_casted"]);
    expect(again.poll).toMatchObject({
      vote_count: 1,
      vote_counts_by_option: { y: 1 },
      own_votes: [{ option_id: "y", user_id: "bob" }],
    });
    vote("cyd", { option_id: "y" });
    const poll = b.call("ada", "getPoll", { path: { poll_id: "p" } }).poll;
    expect(poll).toMatchObject({
      vote_count: 2,
      own_votes: [],
      latest_votes_by_option: { y: [{ user_id: "cyd" }, { user_id: "bob" }] },
    });
    expect(b.events[0]!.event.poll).toMatchObject({ own_votes: [] });
  });

  test("a unique vote replaces the former (V-3), more than max votes are refused (V-5), one answer per user (V-6)", () => {
    const unique = withPoll({ enforce_unique_vote: true });
    unique.vote("bob", { option_id: "y" });
    expect(unique.vote("bob", { option_id: "n" }).poll).toMatchObject({
      vote_count: 1,
      vote_counts_by_option: { n: 1 },
    });
    expect(unique.b.takeEvents()).toEqual(["W poll.vote_changed", "W poll.vote_changed"]);
    const one = withPoll({ max_votes_allowed: 1, allow_answers: true });
    one.vote("bob", { option_id: "y" });
    expect(() => one.vote("bob", { option_id: "n" })).toThrow("Max votes reached");
    one.vote("bob", { answer_text: "maybe" });
    expect(one.vote("bob", { answer_text: "sure" }).poll).toMatchObject({
      vote_count: 1,
      answers_count: 1,
      latest_answers: [{ answer_text: "sure", is_answer: true, option_id: "" }],
    });
  });

  test("an anonymous poll hides the voter from everybody else", () => {
    const { b, vote } = withPoll({ voting_visibility: "anonymous" });
    expect(vote("bob", { option_id: "y" }).vote).toMatchObject({ user_id: "bob" });
    const { poll_vote: eventVote } = b.events[0]!.event as unknown as { poll_vote: PollVote };
    expect(eventVote).not.toHaveProperty("user_id");
    expect(JSON.stringify(b.events[0]!.event)).not.toContain('"bob"');
    expect(JSON.stringify(b.call("cyd", "getPoll", { path: { poll_id: "p" } }))).not.toContain('"bob"');
  });

  test("only the voter can remove a vote (V-7), and a closed poll takes none (V-1)", () => {
    const { b, vote } = withPoll();
    const { id } = vote("bob", { option_id: "y" }).vote;
    expect(b.refusalOf("cyd", "removePollVote", { path: { ...path, vote_id: id } })).toEqual([17, undefined]);
    expect(b.refusalOf("bob", "removePollVote", { path: { ...path, vote_id: "void" } })).toEqual([
      16,
      undefined,
    ]);
    expect(b.call("bob", "removePollVote", { path: { ...path, vote_id: id } }).poll).toMatchObject({
      vote_count: 0,
      own_votes: [],
    });
    b.events = [];
    expect(b.refusalOf("bob", "updatePollPartial", { path, body: { set: { is_closed: true } } })).toEqual([
      17,
      undefined,
    ]);
    b.call("ada", "updatePollPartial", { path, body: { set: { is_closed: true } } });
    expect(b.takeEvents()).toEqual(["W poll.closed"]);
    expect(b.refusalOf("bob", "castPollVote", { path, body: { vote: { option_id: "y" } } })).toEqual([
      4,
      "poll_id",
    ]);
  });

  test.each<[object, string]>([
    [{ name: " " }, "name"],
    [{ options: [{ text: "a" }, { text: "A " }] }, "options.1.text"],
    [{ options: [{ text: "" }] }, "options.0.text"],
    [{ options: Array.from({ length: 101 }, (_, i) => ({ text: `${i}` })) }, "options"],
    [{ max_votes_allowed: 11 }, "max_votes_allowed"],
    [{ max_votes_allowed: 2, enforce_unique_vote: true }, "max_votes_allowed"],
    [{ voting_visibility: "secret" }, "voting_visibility"],
  ])("refuses to create %j", (wrong, field) => {
    expect(room().refusalOf("ada", "createPoll", { body: { name: "x", ...wrong } })).toEqual([4, field]);
  });

  test("a vote must name one option of the poll, and only the creator may send the poll", () => {
    const { b } = withPoll();
    const refuse = (vote: object) => b.refusalOf("bob", "castPollVote", { path, body: { vote } });
    expect(refuse({})).toEqual([4, "vote.option_id"]);
    expect(refuse({ option_id: "zzz" })).toEqual([4, "vote.option_id"]);
    expect(refuse({ answer_text: "x" })).toEqual([4, "vote.answer_text"]);
    expect(b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message: { poll_id: "p" } } })).toEqual([
      17,
      undefined,
    ]);
    expect(b.refusalOf("dan", "getPoll", { path })).toEqual([17, undefined]);
  });
});

describe("live locations", () => {
  const share = (b: TestDomain, id: string, minutes: number | undefined) =>
    b.send("ada", "room", {
      id,
      shared_location: {
        latitude: 52.37,
        longitude: 4.89,
        created_by_device_id: "d",
        ...(minutes === undefined ? {} : { end_at: new Date(b.now / 1000 + minutes * 60_000).toISOString() }),
      },
    });
  const live = (b: TestDomain): string[] =>
    (b.call("ada", "getLiveLocations").active_live_locations as { message_id: string }[]).map(
      (l) => l.message_id,
    );

  test("a live location is listed until its end, can be moved, and its move reaches the watchers", () => {
    const b = room();
    expect(share(b, "l", 5).shared_location).toMatchObject({
      message_id: "l",
      user_id: "ada",
      latitude: 52.37,
    });
    expect(live(b)).toEqual(["l"]);
    b.events = [];
    expect(b.call("ada", "updateLiveLocation", { body: { message_id: "l", latitude: 53 } })).toMatchObject({
      latitude: 53,
      longitude: 4.89,
    });
    expect(b.events[0]!.event).toMatchObject({
      type: "message.updated",
      message: { shared_location: { latitude: 53 } },
    });
    expect(b.call("bob", "queryChannel", { path: ROOM }).active_live_locations).toHaveLength(1);
    b.wait(5 * 60_000);
    expect(live(b)).toEqual([]);
    expect(b.refusalOf("ada", "updateLiveLocation", { body: { message_id: "l" } })).toEqual([
      4,
      "message_id",
    ]);
  });

  test("a second live location in the channel ends the first (LE-4), and an end in the past stops it (LU-4)", () => {
    const b = room();
    share(b, "one", 5);
    share(b, "two", 5);
    expect(live(b)).toEqual(["two"]);
    b.call("ada", "updateLiveLocation", { body: { message_id: "two", end_at: "2001-01-01T00:00:00Z" } });
    expect(live(b)).toEqual([]);
  });

  test("a static location cannot be moved, a short one is refused, and others cannot change it", () => {
    const b = room();
    share(b, "s", undefined);
    expect(b.refusalOf("ada", "updateLiveLocation", { body: { message_id: "s" } })).toEqual([
      4,
      "message_id",
    ]);
    expect(() => share(b, "short", 0.5)).toThrow("at least a minute");
    share(b, "l", 5);
    expect(b.refusalOf("bob", "updateLiveLocation", { body: { message_id: "l" } })).toEqual([17, undefined]);
    expect(b.refusalOf("ada", "updateLiveLocation", { body: { message_id: "void" } })).toEqual([
      16,
      undefined,
    ]);
    b.call("ada", "deleteMessage", { path: { id: "l" } });
    expect(live(b)).toEqual([]);
  });
});
