/** Pure functions of the state, one by one: reactions and votes, loaded messages, mutes, readers, overlays. */
import { describe, expect, test } from "vitest";
import { deletedForm, holdMessage } from "../../../src/model/held-message.ts";
import type { HeldMessage } from "../../../src/model/state.ts";
import { isActive, isBlockedIn, isChannelMuted } from "../../../src/model/mutes.ts";
import { withOverlays } from "../../../src/core/state/overlays.ts";
import {
  mergePoll,
  ownReactionsAmong,
  withReaction,
  addOwnReaction,
} from "../../../src/core/state/reactions.ts";
import { listedChannels } from "../../../src/model/channels.ts";
import { isUnstored } from "../../../src/core/state/unstored.ts";
import type { OutboxAction } from "../../../src/core/base/outbox-row.ts";
import type { Message, Reaction } from "../../../src/wire/entities/message.ts";
import type { Poll, PollVote } from "../../../src/wire/entities/poll.ts";
import { at, channel, CID, me, msg, subject, user } from "./world.ts";

const one = (type: string, by = "ada", seconds = 5, score = 1): Reaction => ({
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
const held = (more: Partial<HeldMessage> = {}): HeldMessage => ({ ...(msg(1) as HeldMessage), ...more });
const react = (type: string, more: Partial<Extract<OutboxAction, { kind: "react" }>> = {}) =>
  ({ kind: "react", type, unique: false, ...more }) as const;

describe("a reaction of one's own before it is answered", () => {
  const mine = [one("love", "ada", 3, 3)];
  const message = held({
    reaction_groups: { love: group(2, 5), like: group(1, 2) },
    own_reactions: mine,
    latest_reactions: [...mine, one("love", "bob"), one("like", "ada-2")],
  });
  const bobs = one("love", "bob");
  const others = one("like", "ada-2");
  const after = (action: Parameters<typeof withReaction>[1], from = message): Partial<HeldMessage> => {
    const { reaction_groups, own_reactions, latest_reactions } = withReaction(from, action, "ada", at(9));
    return { reaction_groups, own_reactions, latest_reactions };
  };
  const made = (type: string, score: number): Reaction => one(type, "ada", 9, score);

  test("is one more, first in the list, of the default score without one", () => {
    expect(after(react("like", { score: 4 }))).toStrictEqual({
      reaction_groups: { love: group(2, 5), like: { ...group(2, 6), last_reaction_at: at(9) } },
      own_reactions: [...mine, made("like", 4)],
      latest_reactions: [made("like", 4), ...mine, bobs, others],
    });
    expect(after(react("wow"))).toStrictEqual({
      reaction_groups: {
        love: group(2, 5),
        like: group(1, 2),
        wow: { count: 1, sum_scores: 1, first_reaction_at: at(9), last_reaction_at: at(9) },
      },
      own_reactions: [...mine, made("wow", 1)],
      latest_reactions: [made("wow", 1), ...mine, bobs, others],
    });
  });
  test("of a kind given before takes the place of that one", () => {
    expect(after(react("love", { score: 2 }))).toStrictEqual({
      reaction_groups: { love: { ...group(2, 4), last_reaction_at: at(9) }, like: group(1, 2) },
      own_reactions: [made("love", 2)],
      latest_reactions: [made("love", 2), bobs, others],
    });
  });
  test("that is to be the only one takes the place of the others", () => {
    expect(after(react("like", { unique: true }))).toMatchObject({
      reaction_groups: { love: { count: 1, sum_scores: 2 }, like: { count: 2, sum_scores: 3 } },
      own_reactions: [made("like", 1)],
    });
  });
  test("taken back is one less, and the group goes with its last one", () => {
    expect(after({ kind: "unreact", type: "love" })).toStrictEqual({
      reaction_groups: { love: group(1, 2), like: group(1, 2) },
      own_reactions: [],
      latest_reactions: [bobs, others],
    });
    const alone = held({
      reaction_groups: { love: group(1, 3) },
      own_reactions: mine,
      latest_reactions: mine,
    });
    expect(after({ kind: "unreact", type: "love" }, alone)).toStrictEqual({
      reaction_groups: {},
      own_reactions: [],
      latest_reactions: [],
    });
  });
  test("taken back that was never given, or whose group is gone, takes nothing else", () => {
    expect(after({ kind: "unreact", type: "like" })).toStrictEqual({
      reaction_groups: message.reaction_groups,
      own_reactions: mine,
      latest_reactions: message.latest_reactions,
    });
    const bare = held({ own_reactions: mine, latest_reactions: mine });
    expect(after({ kind: "unreact", type: "love" }, bare)).toMatchObject({
      reaction_groups: {},
      own_reactions: [],
    });
  });
  test("leaves ten in the list of the newest, and the message before as it was", () => {
    const many = Array.from({ length: 10 }, (_, n) => one("like", `u${n}`));
    const full = held({ reaction_groups: { like: group(10) }, latest_reactions: many });
    const latest = after(react("love"), full).latest_reactions!;
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

test("R-MSG-9: own reactions come from the newest list where it holds them all, else those stay whose group is there", () => {
  const own = [one("love"), one("gone")];
  const list = (count: number) =>
    Array.from({ length: count }, (_, n) => one("like", n === 0 ? "ada" : `u${n}`));
  const beside = (count: number, listed: number, id: string | undefined = "ada"): string[] =>
    ownReactionsAmong(
      held({ reaction_groups: { like: group(count - 1), love: group(1) }, latest_reactions: list(listed) }),
      own,
      id,
    ).map(({ type }) => type);
  expect([beside(3, 3), beside(3, 2), beside(10, 10), beside(11, 11), beside(11, 10)]).toEqual([
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

test("R-MSG-9: of two tellings of one own reaction the newer one stays, of one moment the later", () => {
  const [love, wow] = [one("love", "ada", 5, 1), one("wow", "ada", 1)];
  const later = one("love", "ada", 5, 2);
  expect(addOwnReaction([wow, love], one("love", "ada", 4, 9))).toEqual([wow, love]);
  expect(addOwnReaction([love, wow], later)).toEqual([wow, later]);
  expect(addOwnReaction([wow], love)).toEqual([wow, love]);
});

describe("specification/polls.md §5: own votes of a poll that is told anew", () => {
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
  const merged = (
    own: PollVote[],
    type: "casted" | "changed" | "removed",
    given: PollVote,
    mine = true,
  ): string[] =>
    mergePoll(poll(own), poll(undefined), { type, vote: given, mine }).own_votes.map(({ id }) => id);

  test.each<[string, string[], string[]]>([
    ["a vote of others changes none", merged([va], "casted", vb, false), ["1"]],
    ["a vote for another option is added", merged([va], "casted", vb), ["1", "2"]],
    ["a vote for the same option takes its place", merged([va, vb], "casted", vote("3", "a")), ["2", "3"]],
    ["the same vote twice stands once", merged([va, vb], "casted", va), ["2", "1"]],
    ["an answer stands beside votes", merged([va], "casted", answer("9")), ["1", "9"]],
    [
      "another answer takes the place of the first",
      merged([va, answer("8")], "casted", answer("9")),
      ["1", "9"],
    ],
    ["a vote leaves the answer", merged([answer("9")], "casted", va), ["9", "1"]],
    [
      "a changed vote takes the place of all votes",
      merged([va, vb, answer("9")], "changed", vote("3", "c")),
      ["9", "3"],
    ],
    [
      "a changed answer takes the place of the answer",
      merged([va, answer("8")], "changed", answer("9")),
      ["1", "9"],
    ],
    ["a removed one goes alone", merged([va, vb], "removed", va), ["2"]],
  ])("%s", (_, got, wanted) => {
    expect(got).toEqual(wanted);
  });
  test("are those held, else those told; everything else is as told; votes go with their option", () => {
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

describe("a message of the wire", () => {
  const intern = (each: { id: string }) => ({ ...each, name: "held" }) as never;
  test("is held with every list, its users as held, and without what only the client says", () => {
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
        latest_reactions: [one("love")],
        own_reactions: [one("love")],
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
      latest_reactions: [one("love")],
      own_reactions: [one("love")],
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
  test("without anything but its id has every list empty, shared with all others, and nothing besides", () => {
    const bare = holdMessage({ id: "m1" } as Message, intern);
    expect(bare).toStrictEqual({
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
    expect(other.attachments).toBe(bare.attachments);
    expect(other.reaction_groups).toBe(bare.reaction_groups);
    for (const value of ["x", 7, null])
      expect(
        holdMessage({ id: "m", reaction_groups: value, own_reactions: value, user: value } as never, intern),
      ).toMatchObject({
        reaction_groups: {},
        own_reactions: [],
        user: { id: "" },
      });
  });
  test("R-MSG-12: of a deleted author keeps all but that it is there; deleted for good it keeps nothing", () => {
    const full = held({
      attachments: [{ type: "file" }],
      mentioned_users: [user("bob")],
      reaction_groups: { love: group(1) },
      latest_reactions: [one("love")],
      own_reactions: [one("love")],
    });
    expect(deletedForm(full, at(9), false)).toStrictEqual({ ...full, type: "deleted", deleted_at: at(9) });
    expect(deletedForm({ ...full, deleted_at: at(3) }, at(9), true)).toStrictEqual({
      ...full,
      type: "deleted",
      deleted_at: at(3),
      text: "",
      attachments: [],
      mentioned_users: [],
      reaction_groups: {},
      latest_reactions: [],
      own_reactions: [],
    });
  });
});

describe("what is laid over a message (R-SEND-14)", () => {
  const facts = { now: Date.parse(at(50)), me: "ada" } as never;
  const over = (
    actions: OutboxAction[],
    base = held({ text: "a", mentioned_users: [user("bob")] }),
  ): HeldMessage =>
    withOverlays(
      base,
      actions.map((action, seq) => ({ seq, action })),
      facts,
    );
  test("an edit sets and unsets, keeps id and mentioned users, and stands over a reaction", () => {
    const edit = {
      kind: "edit",
      set: { text: "b", id: "other", mentioned_users: ["eve"], a: 1 },
      unset: ["html"],
    } as const;
    const got = over([edit as never, react("love")], held({ text: "a", mentioned_users: [user("bob")] }));
    expect(got).toMatchObject({
      id: "m1",
      text: "b",
      a: 1,
      pendingChange: "edit",
      mentioned_users: [user("bob")],
    });
    expect(got).not.toHaveProperty("html");
    expect(got.own_reactions).toMatchObject([{ type: "love", created_at: "2026-01-01T00:00:50.000000Z" }]);
    expect(over([{ kind: "edit", set: { text: "b" }, unset: [] }]).mentioned_users).toEqual([user("bob")]);
  });
  test("a delete is shown as deleted now, a reaction as one; a send and nothing change nothing", () => {
    expect(over([{ kind: "delete", hard: false, forMe: false }])).toMatchObject({
      type: "deleted",
      deleted_at: "2026-01-01T00:00:50.000000Z",
      pendingChange: "delete",
      text: "a",
    });
    expect(over([react("love")])).toMatchObject({ pendingChange: "react" });
    const base = held();
    expect(over([], base)).toBe(base);
    expect(over([{ kind: "send", message: { id: "x", text: "b" }, options: {} }], base)).toBe(base);
  });
});

test("R-SEND-11: answers that are not kept: previews, errors, and words of the system nobody asked for", () => {
  const kept = (type: string, asked?: string): boolean =>
    !isUnstored({ type } as never, { type: asked } as never);
  expect([kept("regular"), kept("reply"), kept("system", "system")]).toEqual([true, true, true]);
  expect([kept("ephemeral"), kept("error"), kept("system"), kept("ephemeral", "system")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("R-MUTE-3: a mute is over at its very end, one without an end never; a block counts among two alone", () => {
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

test("R-PIN-1: a channel without messages is as active as it is old; of equal ones the cid decides", () => {
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
