/** Pure functions of the state, one by one: reactions and votes, loaded messages, mutes, readers, overlays. */
import { describe, expect, test } from "vitest";
import { deletedForm, holdMessage } from "../../../src/model/client-message.ts";
import type { ClientMessage } from "../../../src/model/state.ts";
import { isActive, isBlockedIn, isChannelMuted } from "../../../src/model/mutes.ts";
import { withPendingChanges } from "../../../src/core/state/pending-changes.ts";
import { ownReactionsAmong, withReaction, addOwnReaction } from "../../../src/core/state/reactions.ts";
import { mergePoll } from "../../../src/model/poll-votes.ts";
import { listedChannels } from "../../../src/model/channels.ts";
import { isUnstored } from "../../../src/core/state/unstored.ts";
import type { OutboxAction } from "../../../src/core/base/outbox-row.ts";
import type { Message, Reaction } from "../../../src/wire/entities/message.ts";
import type { Poll, PollVote } from "../../../src/wire/entities/poll.ts";
import { at, channel, CID, me, msg, subject, user } from "./world.ts";

const reaction = (type: string, by = "ada", seconds = 5, score = 1): Reaction => ({
  type,
  user_id: by,
  message_id: "m1",
  score,
  created_at: at(seconds),
  updated_at: at(seconds),
});
const group = (count: number, sum_scores = count) => ({
  count,
  sum_scores,
  first_reaction_at: at(1),
  last_reaction_at: at(2),
});
const held = (more: Partial<ClientMessage> = {}): ClientMessage => ({
  ...(msg(1) as ClientMessage),
  ...more,
});
const react = (type: string, more: Partial<Extract<OutboxAction, { kind: "react" }>> = {}) =>
  ({ kind: "react", type, unique: false, ...more }) as const;

describe("an unanswered reaction of the current user", () => {
  const mine = [reaction("love", "ada", 3, 3)];
  const message = held({
    reaction_groups: { love: group(2, 5), like: group(1, 2) },
    own_reactions: mine,
    latest_reactions: [...mine, reaction("love", "bob"), reaction("like", "ada-2")],
  });
  const bobs = reaction("love", "bob");
  const otherReaction = reaction("like", "ada-2");
  const applied = (action: Parameters<typeof withReaction>[1], from = message): Partial<ClientMessage> => {
    const { reaction_groups, own_reactions, latest_reactions } = withReaction(from, action, "ada", at(9));
    return { reaction_groups, own_reactions, latest_reactions };
  };
  const newReaction = (type: string, score: number): Reaction => reaction(type, "ada", 9, score);

  test("is counted, and is first in the list, with score 1 by default", () => {
    expect(applied(react("like", { score: 4 }))).toStrictEqual({
      reaction_groups: { love: group(2, 5), like: { ...group(2, 6), last_reaction_at: at(9) } },
      own_reactions: [...mine, newReaction("like", 4)],
      latest_reactions: [newReaction("like", 4), ...mine, bobs, otherReaction],
    });
    expect(applied(react("wow"))).toStrictEqual({
      reaction_groups: {
        love: group(2, 5),
        like: group(1, 2),
        wow: { count: 1, sum_scores: 1, first_reaction_at: at(9), last_reaction_at: at(9) },
      },
      own_reactions: [...mine, newReaction("wow", 1)],
      latest_reactions: [newReaction("wow", 1), ...mine, bobs, otherReaction],
    });
  });
  test("of the same type replaces the earlier one", () => {
    expect(applied(react("love", { score: 2 }))).toStrictEqual({
      reaction_groups: { love: { ...group(2, 4), last_reaction_at: at(9) }, like: group(1, 2) },
      own_reactions: [newReaction("love", 2)],
      latest_reactions: [newReaction("love", 2), bobs, otherReaction],
    });
  });
  test("that is unique replaces the others", () => {
    expect(applied(react("like", { unique: true }))).toMatchObject({
      reaction_groups: { love: { count: 1, sum_scores: 2 }, like: { count: 2, sum_scores: 3 } },
      own_reactions: [newReaction("like", 1)],
    });
  });
  test("that is removed lowers the count, and the last one removes the group", () => {
    expect(applied({ kind: "unreact", type: "love" })).toStrictEqual({
      reaction_groups: { love: group(1, 2), like: group(1, 2) },
      own_reactions: [],
      latest_reactions: [bobs, otherReaction],
    });
    const alone = held({
      reaction_groups: { love: group(1, 3) },
      own_reactions: mine,
      latest_reactions: mine,
    });
    expect(applied({ kind: "unreact", type: "love" }, alone)).toStrictEqual({
      reaction_groups: {},
      own_reactions: [],
      latest_reactions: [],
    });
  });
  test("that is removed but was never added changes nothing else", () => {
    expect(applied({ kind: "unreact", type: "like" })).toStrictEqual({
      reaction_groups: message.reaction_groups,
      own_reactions: mine,
      latest_reactions: message.latest_reactions,
    });
    const minimal = held({ own_reactions: mine, latest_reactions: mine });
    expect(applied({ kind: "unreact", type: "love" }, minimal)).toMatchObject({
      reaction_groups: {},
      own_reactions: [],
    });
  });
  test("keeps ten latest reactions, and does not change the former message", () => {
    const many = Array.from({ length: 10 }, (_, n) => reaction("like", `u${n}`));
    const full = held({ reaction_groups: { like: group(10) }, latest_reactions: many });
    const latest = applied(react("love"), full).latest_reactions!;
    expect(latest.map(({ user_id }) => user_id)).toEqual([
      "ada",
      ...many.slice(0, 9).map((each) => each.user_id),
    ]);
    expect(full).toMatchObject({
      reaction_groups: { like: group(10) },
      own_reactions: [],
      latest_reactions: many,
    });
  });
});

test("R-MSG-9: own reactions come from the latest reactions if those are complete, else the known ones with a group stay", () => {
  const own = [reaction("love"), reaction("gone")];
  const list = (count: number) =>
    Array.from({ length: count }, (_, n) => reaction("like", n === 0 ? "ada" : `u${n}`));
  const ownTypes = (count: number, listed: number, id: string | undefined = "ada"): string[] =>
    ownReactionsAmong(
      held({ reaction_groups: { like: group(count - 1), love: group(1) }, latest_reactions: list(listed) }),
      own,
      id,
    ).map(({ type }) => type);
  expect([ownTypes(3, 3), ownTypes(3, 2), ownTypes(10, 10), ownTypes(11, 11), ownTypes(11, 10)]).toEqual([
    ["like"],
    ["love"],
    ["like"],
    ["love"],
    ["love"],
  ]);
  expect(ownReactionsAmong(held({ latest_reactions: [] }), own, "ada")).toEqual([]);
  expect(
    ownReactionsAmong(
      held({ reaction_groups: { love: group(1) }, latest_reactions: list(1) }),
      own,
      undefined,
    ),
  ).toEqual([own[0]]);
});

test("R-MSG-9: of two versions of an own reaction the newer one stays, of the same time the later one", () => {
  const [love, wow] = [reaction("love", "ada", 5, 1), reaction("wow", "ada", 1)];
  const later = reaction("love", "ada", 5, 2);
  expect(addOwnReaction([wow, love], reaction("love", "ada", 4, 9))).toEqual([wow, love]);
  expect(addOwnReaction([love, wow], later)).toEqual([wow, later]);
  expect(addOwnReaction([wow], love)).toEqual([wow, love]);
});

describe("specification/polls.md §5: own votes when a poll is updated", () => {
  const vote = (id: string, option_id?: string, more: Partial<PollVote> = {}): PollVote =>
    ({ id, poll_id: "p", ...(option_id !== undefined && { option_id }), ...more }) as PollVote;
  const answer = (id: string): PollVote => vote(id, undefined, { is_answer: true, answer_text: "x" });
  const poll = (own: PollVote[] | undefined, options = "abc", more: Partial<Poll> = {}): Poll =>
    ({
      id: "p",
      options: [...options].map((id) => ({ id, text: id })),
      own_votes: own,
      vote_count: 1,
      ...more,
    }) as never;
  const [va, vb] = [vote("1", "a"), vote("2", "b")];
  const mergedVotes = (
    own: PollVote[],
    type: "casted" | "changed" | "removed",
    given: PollVote,
    mine = true,
  ): string[] =>
    mergePoll(poll(own), poll(undefined), { type, vote: given, mine }).own_votes.map(({ id }) => id);

  test.each<[string, string[], string[]]>([
    ["a vote of another user changes no own vote", mergedVotes([va], "casted", vb, false), ["1"]],
    ["a vote for another option is added", mergedVotes([va], "casted", vb), ["1", "2"]],
    ["a vote for the same option replaces it", mergedVotes([va, vb], "casted", vote("3", "a")), ["2", "3"]],
    ["a repeated vote is stored once", mergedVotes([va, vb], "casted", va), ["2", "1"]],
    ["an answer is stored beside votes", mergedVotes([va], "casted", answer("9")), ["1", "9"]],
    ["another answer replaces the first", mergedVotes([va, answer("8")], "casted", answer("9")), ["1", "9"]],
    ["a vote keeps the answer", mergedVotes([answer("9")], "casted", va), ["9", "1"]],
    [
      "a changed vote replaces all votes",
      mergedVotes([va, vb, answer("9")], "changed", vote("3", "c")),
      ["9", "3"],
    ],
    [
      "a changed answer replaces the answer",
      mergedVotes([va, answer("8")], "changed", answer("9")),
      ["1", "9"],
    ],
    ["a removed vote is removed alone", mergedVotes([va, vb], "removed", va), ["2"]],
  ])("%s", (_, got, expected) => {
    expect(got).toEqual(expected);
  });
  test("the known votes stay, else those of the update; the rest is updated; votes of removed options are dropped", () => {
    expect(mergePoll(poll([va]), poll([vb], "abc", { name: "new" }))).toMatchObject({
      name: "new",
      own_votes: [va],
    });
    expect(mergePoll(null, poll([vb])).own_votes).toEqual([vb]);
    expect(mergePoll(undefined, poll(undefined)).own_votes).toEqual([]);
    expect(
      mergePoll(poll([va, vb, answer("9"), vote("4", "z")]), poll([], "bc")).own_votes.map(({ id }) => id),
    ).toEqual(["2", "9", "4"]);
    expect(mergePoll({ id: "p", own_votes: [va] } as never, { id: "p" } as never).own_votes).toEqual([va]);
  });
});

describe("a received message", () => {
  const intern = (each: { id: string }) => ({ ...each, name: "held" }) as never;
  test("is stored with every list, with known users, and without client-only fields", () => {
    const bob = user("bob");
    const raw = {
      ...msg(1, {
        html: "<p>",
        user: bob,
        mentioned_users: [bob, null, "x"] as never,
        thread_participants: [bob, undefined, {}] as never,
        quoted_message: msg(2, { html: "<b>", user: bob }),
        restricted_visibility: ["ada"],
        reaction_counts: { love: 1 },
        reaction_scores: { love: 1 },
        reaction_groups: { love: group(1) },
        latest_reactions: [reaction("love")],
        own_reactions: [reaction("love")],
        attachments: [{ type: "file" }],
      }),
      status: "failed",
      waits: {},
      error: {},
      pendingChange: "edit",
      reminderDue: true,
    };
    const got = holdMessage(raw as never, intern);
    const known = { id: "bob", name: "held" };
    expect(got).toMatchObject({
      user: known,
      mentioned_users: [known],
      thread_participants: [known],
      quoted_message: { id: "m2", user: known },
      restricted_visibility: ["ada"],
      reaction_groups: { love: group(1) },
      latest_reactions: [reaction("love")],
      own_reactions: [reaction("love")],
      attachments: [{ type: "file" }],
    });
    expect(got.mentioned_users).toHaveLength(1);
    expect(got.thread_participants).toHaveLength(1);
    expect(got.quoted_message).not.toHaveProperty("html");
    expect(Object.keys(got).filter((key) => !(key in msg(1)))).toEqual([
      "thread_participants",
      "quoted_message",
      "restricted_visibility",
    ]);
    for (const gone of ["html", "reaction_counts", "reaction_scores"]) expect(got).not.toHaveProperty(gone);
  });
  test("with nothing but an id has every list empty, and all share the same empty lists", () => {
    const minimal = holdMessage({ id: "m1" } as Message, intern);
    expect(minimal).toStrictEqual({
      id: "m1",
      user: { id: "" },
      text: "",
      type: "regular",
      attachments: [],
      mentioned_users: [],
      reaction_groups: {},
      latest_reactions: [],
      own_reactions: [],
    });
    const other = holdMessage(
      { id: "m2", parent_id: "m1", user: null, reaction_groups: {}, attachments: [] } as never,
      intern,
    );
    expect(other.type).toBe("reply");
    expect(other.attachments).toBe(minimal.attachments);
    expect(other.reaction_groups).toBe(minimal.reaction_groups);
    for (const value of ["x", 7, null])
      expect(
        holdMessage({ id: "m", reaction_groups: value, own_reactions: value, user: value } as never, intern),
      ).toMatchObject({
        reaction_groups: {},
        own_reactions: [],
        user: { id: "" },
      });
  });
  test("R-MSG-12: of a deleted author keeps who wrote where and when, and nothing of the content", () => {
    const full = held({
      text: "SECRET",
      attachments: [{ type: "file", title: "SECRET" }],
      mentioned_users: [user("bob")],
      reaction_groups: { love: group(1) },
      latest_reactions: [reaction("love")],
      own_reactions: [reaction("love")],
      quoted_message: held({ text: "SECRET" }),
      i18n: { de_text: "SECRET" },
      parent_id: "p",
      status: "sending",
      custom: "SECRET",
    } as Partial<ClientMessage>);
    const left = deletedForm(full, at(9));
    expect(left).toMatchObject({
      id: full.id,
      user: full.user,
      created_at: full.created_at,
      parent_id: "p",
      status: "sending",
      type: "deleted",
      deleted_at: at(9),
      attachments: [],
      mentioned_users: [],
      reaction_groups: {},
      latest_reactions: [],
      own_reactions: [],
    });
    expect(JSON.stringify(left)).not.toContain("SECRET");
    expect(deletedForm({ ...full, deleted_at: at(3) }, at(9)).deleted_at).toBe(at(3));
  });
});

describe("overlays of pending changes on a message (R-SEND-14)", () => {
  const context = { now: Date.parse(at(50)), me: "ada" } as never;
  const overlaid = (
    actions: OutboxAction[],
    base = held({ text: "a", mentioned_users: [user("bob")] }),
  ): ClientMessage =>
    withPendingChanges(
      base,
      actions.map((action, seq) => ({ seq, action })),
      context,
    );
  test("an edit sets and unsets fields, keeps id and mentioned users, and combines with a reaction", () => {
    const edit = {
      kind: "edit",
      set: { text: "b", id: "other", mentioned_users: ["eve"], a: 1 },
      unset: ["html"],
    } as const;
    const got = overlaid([edit as never, react("love")], held({ text: "a", mentioned_users: [user("bob")] }));
    expect(got).toMatchObject({
      id: "m1",
      text: "b",
      a: 1,
      pendingChange: "edit",
      mentioned_users: [user("bob")],
    });
    expect(got).not.toHaveProperty("html");
    expect(got.own_reactions).toMatchObject([{ type: "love", created_at: "2026-01-01T00:00:50.000000Z" }]);
    expect(overlaid([{ kind: "edit", set: { text: "b" }, unset: [] }]).mentioned_users).toEqual([
      user("bob"),
    ]);
  });
  test("a delete shows as deleted now, a reaction as added; a send and no change leave the message", () => {
    expect(overlaid([{ kind: "delete", hard: false, forMe: false }])).toMatchObject({
      type: "deleted",
      deleted_at: "2026-01-01T00:00:50.000000Z",
      pendingChange: "delete",
      text: "a",
    });
    expect(overlaid([react("love")])).toMatchObject({ pendingChange: "react" });
    const base = held();
    expect(overlaid([], base)).toBe(base);
    expect(overlaid([{ kind: "send", message: { id: "x", text: "b" }, options: {} }], base)).toBe(base);
  });
});

test("R-SEND-11: previews, errors and unrequested system messages are not stored", () => {
  const isStored = (type: string, asked?: string): boolean =>
    !isUnstored({ type } as never, { type: asked } as never);
  expect([isStored("regular"), isStored("reply"), isStored("system", "system")]).toEqual([true, true, true]);
  expect([
    isStored("ephemeral"),
    isStored("error"),
    isStored("system"),
    isStored("ephemeral", "system"),
  ]).toEqual([false, false, false, false]);
});

test("R-MUTE-3: a mute ends exactly at its end, one without an end never; a block applies in channels of two only", () => {
  const now = Date.parse(at(10));
  expect(
    [{}, { expires: null }, { expires: at(11) }, { expires: at(10) }].map((each) => isActive(each, now)),
  ).toEqual([true, true, true, false]);
  const muter = me({ channel_mutes: [{ channel: { cid: CID } }] as never });
  expect([CID, "messaging:other"].map((cid) => isChannelMuted(muter, cid, now))).toEqual([true, false]);
  expect(isChannelMuted(undefined, CID, now)).toBe(false);
  const blocker = me({ blocked_user_ids: ["bob"] });
  const entry = (memberCount: number) => ({ memberCount }) as never;
  expect(isBlockedIn(blocker, entry(2), "bob")).toBe(true);
  expect(isBlockedIn(blocker, entry(3), "bob")).toBe(false);
  expect(isBlockedIn(blocker, entry(2), "eve")).toBe(false);
  expect(isBlockedIn(undefined, entry(2), "bob")).toBe(false);
});

test("R-PIN-1: a channel without messages is as active as its creation; equal ones are ordered by cid", () => {
  const s = subject(null);
  const empty = (cid: string, seconds: number) => {
    const state = channel([], { cid });
    return { ...state, channel: { ...state.channel, created_at: at(seconds) } };
  };
  const states = [empty("messaging:c", 1), empty("messaging:a", 1), empty("messaging:b", 1), empty(CID, 2)];
  s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true });
  expect(listedChannels(s.machine.state()).map(({ cid }) => cid)).toEqual([
    CID,
    "messaging:a",
    "messaging:b",
    "messaging:c",
  ]);
});
