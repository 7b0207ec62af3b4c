/** What can be done with the poll of a message, by its menu and the palette. */
import { describe, expect, test } from "vitest";
import { HANDLERS } from "../../../../src/tui/bindings/handlers.ts";
import { choicesOf } from "../../../../src/tui/views/popup/choices.ts";
import { voterRows } from "../../../../src/tui/views/poll/voters.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { topPanel } from "../../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import type { Poll } from "../../../../src/wire/entities/poll.ts";
import { FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { Hands } from "../../../support/hands.ts";

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
async function browsing(held: Poll): Promise<Hands> {
  const m = new Hands(
    new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "x", { poll: held })] })])),
  );
  await m.press("esc");
  return m;
}
const labels = (m: Hands): string[] => choicesOf(topPopup(m.screen), m.model.now, true).map((c) => c.label);
const calls = (m: Hands): unknown[] => m.asked("call").map(([, ...rest]) => rest);
const path = { message_id: "m1", poll_id: "p1" };

describe("the menu of a message offers what its poll allows", () => {
  test.each<[string, Partial<Poll>, string[]]>([
    ["own", {}, ["vote", "add an option", "who voted", "end it"]],
    ["of somebody else", { created_by_id: "ana" }, ["vote", "who voted"]],
    [
      "of somebody else, open to words",
      { created_by_id: "ana", allow_answers: true, allow_user_suggested_options: true },
      ["vote", "add an option", "comment", "who voted"],
    ],
    ["closed", { is_closed: true }, ["who voted"]],
  ])("%s", async (_, more, wanted) => {
    const m = await browsing(poll(more));
    await m.press("m");
    const offered = labels(m).filter((label) => label.startsWith("Poll: "));
    expect(offered.length).toBe(wanted.length);
    for (const [i, words] of wanted.entries()) expect(offered[i]).toContain(words);
  });
});

test("a vote is chosen from the options, and given back by choosing it again", async () => {
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

test("an option and a comment are typed", async () => {
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

test("its author ends it after a question; nobody else can, and that is said", async () => {
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
    ["Only its author may end a poll.", "This poll takes no comments."],
  ]);
});

test("who voted stands in the panel, with how many more there are; an anonymous poll names nobody", async () => {
  const m = await browsing(poll());
  HANDLERS.pollVoters(m.ports);
  expect(topPanel(m.screen)).toEqual({ kind: "votes", cid: GENERAL, id: "m1" });
  const rows = (held: Poll): string => voterRows(held, makeTheme(0), 43).join("\n");
  expect(rows(poll())).toContain("soba · 12 votes\n   ana, bo, 10 more votes");
  expect(rows(poll())).toContain("soup · 0 votes\n   nobody yet");
  const secret = rows(poll({ voting_visibility: "anonymous" }));
  expect(secret).not.toContain("ana");
  expect(secret).toMatch(/the poll is\s+anonymous/);
});
