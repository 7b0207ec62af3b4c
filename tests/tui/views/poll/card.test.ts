/** The actions on a message's poll, from its menu and the palette. */
import { describe, expect, test } from "vitest";
import { HANDLERS } from "../../../../src/tui/bindings/handlers.ts";
import { choicesOf, refreshPicker } from "../../../../src/tui/screen/choices.ts";
import { votes, votesPanel } from "../../../../src/tui/views/poll/voters.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { topPanel } from "../../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import type { Poll } from "../../../../src/wire/entities/poll.ts";
import {
  CAPABLE,
  FakeCore,
  channel,
  message,
  messageSet,
  stateOf,
  user,
} from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const vote = (id: string, option_id: string, who: string) =>
  ({ id, option_id, poll_id: "p1", user: user(who), created_at: "", updated_at: "" }) as const;
const poll = (more: Partial<Poll> = {}): Poll => ({
  id: "p1",
  name: "Lunch?",
  options: [
    { id: "o1", text: "soba" },
    { id: "o2", text: "soup" },
  ],
  created_by_id: "me",
  created_at: "",
  updated_at: "",
  vote_count: 2,
  vote_counts_by_option: { o1: 12 },
  latest_votes_by_option: { o1: [vote("v1", "o1", "ana"), vote("v2", "o1", "bo")] },
  own_votes: [],
  ...more,
});
async function browsing(held: Poll, capabilities = [...CAPABLE, "cast-poll-vote"]): Promise<ScreenDriver> {
  const general = channel("general", { messages: [message("m1", "ana", "x", { poll: held })] });
  const m = new ScreenDriver(
    new FakeCore(
      stateOf([{ ...general, channel: { ...general.channel, own_capabilities: capabilities as never } }]),
    ),
  );
  await m.press("esc");
  return m;
}
const labels = (m: ScreenDriver): string[] => choicesOf(topPopup(m.screen), m.model).map((c) => c.label);
const calls = (m: ScreenDriver): unknown[] => m.asked("call").map(([, ...rest]) => rest);
const path = { message_id: "m1", poll_id: "p1" };

test("a user who may not vote is told so, and is offered neither voting nor commenting", async () => {
  const m = await browsing(poll({ allow_answers: true }), [...CAPABLE]);
  HANDLERS.pollVote(m.ports);
  HANDLERS.pollComment(m.ports);
  const notice = "This channel does not allow that (cast-poll-vote).";
  expect(m.told()).toEqual([notice, notice]);
  expect(topPopup(m.screen)).toBeUndefined();
  await m.press("m");
  expect(labels(m).filter((label) => /vote$|comment/.test(label))).toEqual([]);
});

describe("the menu of a message offers for a poll that is", () => {
  test.each<[string, Partial<Poll>, string[]]>([
    ["own", {}, ["vote", "add an option", "who voted", "end it"]],
    ["of somebody else", { created_by_id: "ana" }, ["vote", "who voted"]],
    [
      "of somebody else, open to words",
      { created_by_id: "ana", allow_answers: true, allow_user_suggested_options: true },
      ["vote", "add an option", "comment", "who voted"],
    ],
    ["closed", { is_closed: true }, ["who voted"]],
  ])("%s", async (_, more, expected) => {
    const m = await browsing(poll(more));
    await m.press("m");
    const offered = labels(m).filter((label) => label.startsWith("Poll: "));
    expect(offered.length).toBe(expected.length);
    for (const [i, words] of expected.entries()) expect(offered[i]).toContain(words);
  });
});

test("a vote is chosen from the options, and removed by choosing it again", async () => {
  const m = await browsing(poll());
  HANDLERS.pollVote(m.ports);
  expect(labels(m)).toEqual(["soba", "soup"]);
  await m.press("down", "enter");
  const voted = await browsing(poll({ own_votes: [vote("v9", "o2", "me")] }));
  HANDLERS.pollVote(voted.ports);
  await voted.press("down", "enter");
  expect([...calls(m), ...calls(voted)]).toEqual([
    ["castPollVote", { path, body: { vote: { option_id: "o2" } } }],
    ["removePollVote", { path: { ...path, vote_id: "v9" } }],
  ]);
});

test("an option and a comment can be typed", async () => {
  const m = await browsing(poll({ allow_answers: true }));
  HANDLERS.pollOption(m.ports);
  await m.type("salad\r");
  HANDLERS.pollComment(m.ports);
  await m.type("not hungry\r");
  expect(calls(m)).toEqual([
    ["createPollOption", { path: { poll_id: "p1" }, body: { text: "salad" } }],
    ["castPollVote", { path, body: { vote: { answer_text: "not hungry" } } }],
  ]);
});

test("its author can end it after a confirmation, and others are told that they cannot", async () => {
  const m = await browsing(poll());
  HANDLERS.pollEnd(m.ports);
  await m.press("y");
  expect(calls(m)).toEqual([
    ["updatePollPartial", { path: { poll_id: "p1" }, body: { set: { is_closed: true } } }],
  ]);
  const other = await browsing(poll({ created_by_id: "ana" }));
  HANDLERS.pollEnd(other.ports);
  HANDLERS.pollComment(other.ports);
  expect([calls(other), other.told()]).toEqual([
    [],
    ["Only the author can end a poll.", "This poll does not allow comments."],
  ]);
});

test("the panel lists voters and how many more there are; an anonymous poll names nobody", async () => {
  const m = await browsing(poll());
  HANDLERS.pollVoters(m.ports);
  expect(topPanel(m.screen)).toMatchObject({ name: "votes", cid: GENERAL, key: "m1" });
  const rows = (held: Poll): string => {
    const entry = channel("general", { messages: [message("m1", "ana", "", { poll: held })] });
    const about = { entry, state: stateOf([entry]), panel: votesPanel(GENERAL, "m1") };
    return votes.rows({ ...about, width: 43, context: { theme: makeTheme(0) } as never }).join("\n");
  };
  expect(rows(poll())).toContain("soba · 12 votes\n   ana, bo, 10 more votes");
  expect(rows(poll())).toContain("soup · 0 votes\n   nobody yet");
  const options = [{ id: "o1", text: "soba, and of that very much until the line is full" }];
  expect(rows(poll({ options } as never))).toContain("… · 12 votes\n");
  const secret = rows(poll({ voting_visibility: "anonymous" }));
  expect(secret).not.toContain("ana");
  expect(secret).toMatch(/poll is\s+anonymous/);
  const latest_answers = [{ ...vote("v3", "o1", "cy"), is_answer: true, answer_text: "neither" }];
  expect(rows(poll({ latest_answers } as never))).toMatch(/neither.*cy/);
  const secretAnswer = rows(poll({ latest_answers, voting_visibility: "anonymous" } as never));
  expect(secretAnswer).toContain("neither");
  expect(secretAnswer).not.toContain("cy");
});

/** Opens the list of options; the returned function changes the poll, or removes its message, while the list is open. */
function voting(m: ScreenDriver): (more: Partial<Poll> | undefined) => Promise<void> {
  HANDLERS.pollVote(m.ports);
  return async (more) => {
    await became(m, more);
    refreshPicker(m.ports);
  };
}

function became(m: ScreenDriver, more: Partial<Poll> | undefined): Promise<void> {
  m.core.changeChannel(GENERAL, (entry) => ({
    ...entry,
    sets: [messageSet(more ? [message("m1", "ana", "x", { poll: poll(more) })] : [])],
  }));
  return m.settle();
}

test("with all votes used, another vote is refused with an explanation; a single-answer poll changes the vote", async () => {
  const mine = { own_votes: [vote("v9", "o2", "me")] };
  const full = await browsing(poll({ ...mine, max_votes_allowed: 1 }));
  HANDLERS.pollVote(full.ports);
  await full.press("enter");
  const notice = "You have used your only vote: vote for that option again to take it back.";
  expect([calls(full), full.told()]).toEqual([[], [notice]]);
  const one = await browsing(poll({ ...mine, max_votes_allowed: 1, enforce_unique_vote: true }));
  HANDLERS.pollVote(one.ports);
  await one.press("enter");
  expect(calls(one)).toEqual([["castPollVote", { path, body: { vote: { option_id: "o1" } } }]]);
});

test("one's own comments use up no votes, whether the poll takes one vote, several or any number", async () => {
  const comments = ["c1", "c2"].map((id) => ({
    ...vote(id, "o1", "me"),
    option_id: undefined,
    answer_text: id,
  }));
  for (const max_votes_allowed of [1, 2, undefined]) {
    const m = await browsing(
      poll({
        allow_answers: true,
        own_votes: comments,
        ...(max_votes_allowed && { max_votes_allowed }),
      } as never),
    );
    HANDLERS.pollVote(m.ports);
    await m.press("enter");
    expect([calls(m), m.told()]).toEqual([
      [["castPollVote", { path, body: { vote: { option_id: "o1" } } }]],
      [],
    ]);
  }
});

test("the list of options follows the poll, and the cursor its option", async () => {
  const m = await browsing(poll());
  const changes = voting(m);
  await m.press("down");
  const [soba, soup] = poll().options;
  await changes({ options: [{ id: "o3", text: "salad" }, soba!, soup!] });
  expect(labels(m)).toEqual(["salad", "soba", "soup"]);
  await m.press("enter");
  expect(calls(m)).toEqual([["castPollVote", { path, body: { vote: { option_id: "o2" } } }]]);
});

test.each([
  ["closed", { is_closed: true }, "The poll is closed."],
  ["gone", undefined, "The poll is gone: its message was deleted."],
])("the list closes with the reason when its poll is %s", async (_, more, why) => {
  const m = await browsing(poll());
  await voting(m)(more);
  expect([topPopup(m.screen), m.told(), calls(m)]).toEqual([undefined, [why], []]);
});

test("a comment that is late or refused can be recalled in the box", async () => {
  const m = await browsing(poll({ allow_answers: true }));
  HANDLERS.pollComment(m.ports);
  await m.type("not hungry");
  await became(m, { allow_answers: true, is_closed: true });
  await m.press("enter");
  expect([m.told(), calls(m)]).toEqual([["The poll is closed."], []]);
  await m.press("i", "C-up");
  expect(m.text()).toBe("not hungry");
  const refused = await browsing(poll({ allow_answers: true }));
  refused.core.answers.set("castPollVote", () => Promise.reject(new Error("No")));
  HANDLERS.pollComment(refused.ports);
  await refused.type("not thirsty\r");
  await refused.press("i", "C-up");
  expect([refused.told(), refused.text()]).toEqual([["No"], "not thirsty"]);
});
