/** Polls compared with a model of their rules, the secrecy of anonymous polls, and the permissions for polls. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Poll, PollVote } from "../../../src/wire/entities/poll.ts";
import { TestDomain, room, ROOM, type As } from "./support.ts";
import { runs } from "../../support/proof.ts";

const OPTIONS = ["a", "b", "c"].map((id) => ({ id, text: id.toUpperCase() }));
const AT = { message_id: "m", poll_id: "p" };

/** A poll of ada with three options in message `m` of the room. */
function withPoll(settings: Record<string, unknown> = {}, b: TestDomain = room()): TestDomain {
  b.call("ada", "createPoll", { body: { id: "p", name: "Tea?", options: OPTIONS, ...settings } });
  b.send("ada", "room", { id: "m", poll_id: "p" });
  b.events = [];
  return b;
}
const vote = (b: TestDomain, as: As, what: object): { poll: Poll; vote: PollVote } =>
  b.call(as, "castPollVote", { path: AT, body: { vote: what } }) as { poll: Poll; vote: PollVote };
const read = (b: TestDomain, as: As): Poll => b.call(as, "getPoll", { path: AT }).poll as Poll;

interface ModelVote {
  id: string;
  user: string;
  option?: string;
  text?: string;
}

/** V-8 as a model: all counters and lists of a poll follow from the existing votes, newest first. */
function expectPoll(poll: Poll, votesInModel: readonly ModelVote[], viewer: string): void {
  const newest = votesInModel.toReversed();
  const votes = newest.filter(({ option }) => option !== undefined);
  const answers = newest.filter(({ text }) => text !== undefined);
  const ids = (list: readonly ModelVote[]): string[] => list.map(({ id }) => id);
  const of = (option: string): ModelVote[] => votes.filter((one) => one.option === option);
  const used = OPTIONS.map(({ id }) => id).filter((id) => of(id).length > 0);
  expect(poll.vote_count).toBe(votes.length);
  expect(poll.vote_counts_by_option).toEqual(Object.fromEntries(used.map((id) => [id, of(id).length])));
  expect(
    Object.fromEntries(
      Object.entries(poll.latest_votes_by_option).map(([id, list]) => [id, list.map((v) => v.id)]),
    ),
  ).toEqual(Object.fromEntries(used.map((id) => [id, ids(of(id)).slice(0, 10)])));
  expect(poll.answers_count).toBe(answers.length);
  expect(poll.latest_answers!.map(({ id }) => id)).toEqual(ids(answers).slice(0, 10));
  expect(poll.own_votes.map(({ id }) => id)).toEqual(ids(newest.filter(({ user }) => user === viewer)));
}

const step = fc.record({
  user: fc.constantFrom("ada", "bob", "cyd"),
  what: fc.constantFrom("vote", "vote", "vote", "answer", "remove"),
  option: fc.constantFrom("a", "b", "c"),
});
const rules = fc.oneof(
  fc.constant({ enforce_unique_vote: true, allow_answers: true }),
  fc.record({ max_votes_allowed: fc.integer({ min: 1, max: 3 }), allow_answers: fc.constant(true) }),
  fc.constant({ allow_answers: true }),
);

test("V-3…V-8: counters, latest votes, own votes and events match the votes after any sequence of actions", () => {
  fc.assert(
    fc.property(rules, fc.array(step, { maxLength: 20 }), (settings, steps) => {
      const b = withPoll(settings);
      const { updated_at } = read(b, "ada");
      let votesInModel: ModelVote[] = [];
      const { max_votes_allowed: max = 99, enforce_unique_vote: unique = false } = settings as {
        max_votes_allowed?: number;
        enforce_unique_vote?: boolean;
      };
      for (const [n, { user, what, option }] of steps.entries()) {
        b.events = [];
        const mine = votesInModel.filter((one) => one.user === user);
        const votes = mine.filter((one) => one.option !== undefined);
        let event: string | undefined;
        if (what === "remove") {
          const [first] = mine;
          if (!first) continue;
          b.call(user, "removePollVote", { path: { ...AT, vote_id: first.id } });
          votesInModel = votesInModel.filter((one) => one !== first);
          event = "poll.vote_removed";
        } else if (what === "answer") {
          const text = `answer ${n}`;
          const previous = mine.find((one) => one.text !== undefined);
          const { id } = vote(b, user, { answer_text: text }).vote;
          votesInModel = [...votesInModel.filter((one) => one !== previous), { id, user, text }];
          event = previous ? "poll.vote_changed" : "poll.vote_casted";
        } else {
          const previous = votes.find((one) => one.option === option);
          if (!previous && !unique && votes.length >= max) {
            expect(
              b.refusalOf(user, "castPollVote", { path: AT, body: { vote: { option_id: option } } }),
            ).toEqual([4, "vote.option_id"]);
          } else {
            const { id } = vote(b, user, { option_id: option }).vote;
            if (previous) expect(id).toBe(previous.id);
            else {
              if (unique) votesInModel = votesInModel.filter((one) => !votes.includes(one));
              votesInModel = [...votesInModel, { id, user, option }];
              event = unique ? "poll.vote_changed" : "poll.vote_casted";
            }
          }
        }
        expect(b.events.map((one) => one.event.type)).toEqual(event ? [event] : []);
        for (const { event: told } of b.events) expectPoll(told.poll as Poll, votesInModel, "nobody");
        for (const viewer of ["ada", "bob"]) expectPoll(read(b, viewer), votesInModel, viewer);
        expect(read(b, "ada").updated_at).toBe(updated_at);
      }
    }),
    { numRuns: runs(60, 15), seed: 11 },
  );
});

test("the latest ten votes of each option and the latest ten answers are listed, newest first (specification/polls.md §2)", () => {
  const b = withPoll({ allow_answers: true });
  const people = Array.from({ length: 13 }, (_, i) => `u${i}`);
  for (const id of people) {
    b.user(id);
    b.call({ server: true, user: "ada" }, "updateChannel", { path: ROOM, body: { add_members: [id] } });
    vote(b, id, { option_id: "a" });
    vote(b, id, { answer_text: `from ${id}` });
  }
  const poll = read(b, "ada");
  const newest = people.toReversed().slice(0, 10);
  expect(poll.latest_votes_by_option.a!.map((v) => v.user_id)).toEqual(newest);
  expect(poll.latest_answers!.map((v) => v.user_id)).toEqual(newest);
  expect([poll.vote_count, poll.answers_count]).toEqual([13, 13]);
});

describe("an anonymous poll", () => {
  /** An anonymous poll in which bob, who has written nothing in the room, voted and answered. */
  const anonymousPoll = (): TestDomain => {
    const b = room();
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    withPoll({ voting_visibility: "anonymous", allow_answers: true }, b);
    b.call("ada", "updateChannel", { path: ROOM, body: { add_members: ["bob"] } });
    b.events = [];
    vote(b, "bob", { option_id: "a" });
    vote(b, "bob", { answer_text: "neither" });
    return b;
  };
  const BOB = /"bob"|BOB/;

  test("hides the voter from everybody: in answers, lists, messages and events, also from its creator and servers", () => {
    const b = anonymousPoll();
    expect(b.events).toHaveLength(2);
    for (const { event } of b.events) expect(JSON.stringify(event)).not.toMatch(BOB);
    for (const as of ["ada", "cyd", { server: true }] as As[]) {
      const seen = [
        read(b, as),
        b.call(as, "queryPolls", { body: {} }),
        b.call(as, "queryPollVotes", { path: AT }),
        b.call(as, "queryPollVotes", { path: AT, body: { sort: [{ field: "user_id", direction: 1 }] } }),
        b.call(as, "getMessage", { path: { id: "m" } }).message as { poll: unknown },
      ];
      for (const one of [...seen.slice(0, 4), (seen[4] as { poll: unknown }).poll])
        expect(JSON.stringify(one)).not.toMatch(BOB);
    }
    expect(b.call("ada", "queryPollVotes", { path: AT, body: { filter: { user_id: "bob" } } }).votes).toEqual(
      [],
    );
    expect(
      b.call({ server: true }, "queryPollVotes", { path: AT, body: { filter: { user_id: "bob" } } }).votes,
    ).toEqual([]);
  });

  test("shows voters their own votes everywhere", () => {
    const b = anonymousPoll();
    const mine = { user_id: "bob", user: { id: "bob" } };
    expect(read(b, "bob")).toMatchObject({
      own_votes: [
        { ...mine, answer_text: "neither" },
        { ...mine, option_id: "a" },
      ],
      latest_answers: [mine],
      latest_votes_by_option: { a: [mine] },
    });
    expect(
      b.call("bob", "queryPollVotes", { path: AT, body: { filter: { user_id: { $in: ["bob"] } } } }).votes,
    ).toHaveLength(2);
    expect(b.call("bob", "getMessage", { path: { id: "m" } }).message).toMatchObject({
      poll: { own_votes: [mine, mine] },
    });
  });
});

describe("permissions", () => {
  test("a poll that no message contains is visible to its creator only", () => {
    const b = room();
    b.call("ada", "createPoll", { body: { id: "p", name: "Tea?", options: OPTIONS } });
    for (const name of ["getPoll", "queryPollVotes"] as const)
      expect(b.refusalOf("bob", name, { path: AT })).toEqual([17, undefined]);
    expect(b.refusalOf("bob", "getPollOption", { path: { poll_id: "p", option_id: "a" } })).toEqual([
      17,
      undefined,
    ]);
    expect(b.call("bob", "queryPolls", { body: {} }).polls).toEqual([]);
    expect(b.call("ada", "queryPolls", { body: {} }).polls).toHaveLength(1);
  });

  test("a restricted message shows its poll and poll events to its recipients only", () => {
    const b = room();
    b.call("ada", "createPoll", { body: { id: "p", name: "Tea?", options: OPTIONS } });
    b.call({ server: true }, "sendMessage", {
      path: ROOM,
      body: { message: { id: "m", user_id: "ada", poll_id: "p", restricted_visibility: ["bob"] } },
    });
    b.events = [];
    vote(b, "bob", { option_id: "a" });
    expect(b.events).toMatchObject([{ to: "W", only: ["ada", "bob"] }]);
    expect(b.refusalOf("cyd", "getPoll", { path: AT })).toEqual([17, undefined]);
    expect(b.refusalOf("cyd", "castPollVote", { path: AT, body: { vote: { option_id: "a" } } })).toEqual([
      16,
      undefined,
    ]);
    expect(b.call("cyd", "queryPolls", { body: {} }).polls).toEqual([]);
    expect(b.call("bob", "queryPolls", { body: {} }).polls).toHaveLength(1);
  });

  test("a former member cannot see the poll", () => {
    const b = withPoll();
    expect(b.call("cyd", "queryPolls", { body: {} }).polls).toHaveLength(1);
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["cyd"] } });
    expect(b.refusalOf("cyd", "getPoll", { path: AT })).toEqual([17, undefined]);
    expect(b.call("cyd", "queryPolls", { body: {} }).polls).toEqual([]);
  });

  test("in a disabled channel the poll is visible to its creator and servers only", () => {
    const b = withPoll();
    b.call({ server: true }, "updateChannelPartial", { path: ROOM, body: { set: { disabled: true } } });
    expect(b.refusalOf("bob", "getPoll", { path: AT })).toEqual([17, undefined]);
    expect(b.call("bob", "queryPolls", { body: {} }).polls).toEqual([]);
    expect(read(b, "ada")).toMatchObject({ id: "p" });
    expect(read(b, { server: true })).toMatchObject({ id: "p" });
  });

  test("in a channel type without polls sending, voting and listing votes is code 19, after the permissions (17)", () => {
    const b = withPoll();
    b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { polls: false } });
    const ballot = { path: AT, body: { vote: { option_id: "zzz" } } };
    expect(b.refusalOf("bob", "castPollVote", ballot)).toEqual([19, undefined]);
    expect(b.refusalOf("dan", "castPollVote", ballot)).toEqual([17, undefined]);
    expect(b.refusalOf("bob", "queryPollVotes", { path: AT })).toEqual([19, undefined]);
    expect(b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { poll_id: "p" } } })).toEqual([
      19,
      undefined,
    ]);
  });

  test("without the grant cast-vote no vote and no suggestion, without query-votes no list", () => {
    const b = withPoll({ allow_user_suggested_options: true });
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: { set: { config_overrides: { grants: { channel_member: ["!cast-vote", "!query-votes"] } } } },
    });
    expect(b.refusalOf("bob", "castPollVote", { path: AT, body: { vote: { option_id: "a" } } })).toEqual([
      17,
      undefined,
    ]);
    expect(b.refusalOf("bob", "createPollOption", { path: AT, body: { text: "D" } })).toEqual([
      17,
      undefined,
    ]);
    expect(b.refusalOf("bob", "queryPollVotes", { path: AT })).toEqual([17, undefined]);
  });

  test("anonymous readers of an open channel see the poll and its counts, and can do nothing with it", () => {
    const b = room();
    b.user("mod", {}, "moderator");
    b.channel("stage", "mod", ["ada"], "livestream");
    b.call("ada", "createPoll", {
      body: { id: "p", name: "Tea?", options: OPTIONS, allow_user_suggested_options: true },
    });
    b.send("ada", "stage", { id: "m", poll_id: "p" }, "livestream");
    vote(b, "bob", { option_id: "a" });
    const anonymous = { anonymous: true } as const;
    expect(read(b, anonymous)).toMatchObject({ vote_count: 1, own_votes: [] });
    expect(b.refusalOf(anonymous, "castPollVote", { path: AT, body: { vote: { option_id: "a" } } })).toEqual([
      17,
      undefined,
    ]);
    for (const name of ["queryPolls", "queryPollVotes", "deletePoll", "createPollOption"] as const)
      expect(b.refusalOf(anonymous, name, { path: AT, body: { text: "D" } }), name).toEqual([17, undefined]);
  });

  test("a banned member can neither vote nor suggest an option", () => {
    const b = withPoll({ allow_user_suggested_options: true });
    b.call("bob", "createPollOption", { path: AT, body: { text: "D" } });
    b.call({ server: true, user: "ada" }, "ban", {
      body: { target_user_id: "bob", type: "messaging", id: "room", user_id: "ada" },
    });
    expect(b.refusalOf("bob", "createPollOption", { path: AT, body: { text: "E" } })).toEqual([
      17,
      undefined,
    ]);
    expect(b.refusalOf("bob", "castPollVote", { path: AT, body: { vote: { option_id: "a" } } })).toEqual([
      17,
      undefined,
    ]);
  });
});

test("V-2: a blank answer is refused", () => {
  const b = withPoll({ allow_answers: true });
  expect(b.refusalOf("bob", "castPollVote", { path: AT, body: { vote: { answer_text: " \n " } } })).toEqual([
    4,
    "vote.answer_text",
  ]);
  expect(read(b, "bob").answers_count).toBe(0);
});

test("V-11: votes are shared by all messages of a poll, and hard-deleting the last one removes them with the poll", () => {
  const b = withPoll();
  b.send("ada", "room", { id: "m2", poll_id: "p" });
  vote(b, "bob", { option_id: "a" });
  expect(b.call("cyd", "getMessage", { path: { id: "m2" } }).message).toMatchObject({
    poll: { vote_count: 1 },
  });
  b.call("ada", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
  expect(read(b, "ada").vote_count).toBe(1);
  b.call("ada", "deleteMessage", { path: { id: "m2" }, query: { hard: "true" } });
  expect(b.db.has("SELECT 1 FROM poll_votes")).toBe(false);
  expect(b.refusalOf("ada", "getPoll", { path: { poll_id: "p" } })).toEqual([16, undefined]);
});

test("custom fields of polls and options are returned unchanged, and removed when set to null (specification/polls.md §2)", () => {
  const b = room();
  const made = b.call("ada", "createPoll", {
    body: {
      id: "p",
      name: "Tea?",
      mood: { calm: [1, true] },
      options: [{ id: "a", text: "A", rank: 1 }],
      vote_count: 9,
    },
  }).poll;
  expect(made).toMatchObject({
    mood: { calm: [1, true] },
    options: [{ id: "a", text: "A", rank: 1 }],
    vote_count: 0,
  });
  const changed = b.call("ada", "updatePollPartial", {
    path: AT,
    body: { set: { "mood.calm": null, season: 2 } },
  }).poll;
  expect(changed).toMatchObject({ mood: {}, season: 2, name: "Tea?" });
});

test("polls are found by each of their fields (specification/polls.md §5.1)", () => {
  const b = room();
  const make = (id: string, settings: object): unknown =>
    b.call("ada", "createPoll", { body: { id, name: id, ...settings } });
  make("open", { allow_answers: true });
  make("shut", { is_closed: true, max_votes_allowed: 3 });
  make("masked", {
    voting_visibility: "anonymous",
    allow_user_suggested_options: true,
    max_votes_allowed: 5,
  });
  const find = (filter: object, sort?: object[]): string[] =>
    (b.call("ada", "queryPolls", { body: { filter, sort } }).polls as Poll[]).map(({ id }) => id);
  expect(find({})).toEqual(["masked", "shut", "open"]);
  expect(find({ is_closed: true })).toEqual(["shut"]);
  expect(find({ is_closed: false, allow_answers: true })).toEqual(["open"]);
  expect(find({ allow_user_suggested_options: false })).toEqual(["shut", "open"]);
  expect(find({ voting_visibility: "anonymous" })).toEqual(["masked"]);
  expect(find({ max_votes_allowed: { $gt: 3 } })).toEqual(["masked"]);
  expect(find({ max_votes_allowed: { $ne: 3 } })).toEqual(["masked", "open"]);
  expect(find({ name: { $in: ["open", "shut"] } }, [{ field: "name", direction: 1 }])).toEqual([
    "open",
    "shut",
  ]);
  expect(find({}, [{ field: "max_votes_allowed", direction: 1 }])).toEqual(["shut", "masked", "open"]);
  expect(find({ created_by_id: "bob" })).toEqual([]);
  expect(find({ created_at: { $lt: "2001-01-01T00:00:00Z" } })).toEqual([]);
});
