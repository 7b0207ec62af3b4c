/** A closed poll never changes: votes, answers and their removal are refused, and it cannot be reopened. */
import { expect, test } from "vitest";
import { room } from "./support.ts";

test("a closed poll accepts no vote and no answer, and no vote can be removed", () => {
  const b = room();
  const poll = b.call("ada", "createPoll", {
    body: { name: "Tea?", options: [{ text: "yes" }, { text: "no" }], allow_answers: true },
  }).poll as { id: string; options: { id: string }[] };
  b.send("ada", "room", { id: "m", poll_id: poll.id });
  const path = { message_id: "m", poll_id: poll.id };
  const vote = { body: { vote: { option_id: poll.options[0]!.id } } };
  const cast = b.call("bob", "castPollVote", { path, ...vote }).vote as { id: string };
  b.call("ada", "updatePollPartial", { path: { poll_id: poll.id }, body: { set: { is_closed: true } } });
  expect(b.refusalOf("cyd", "castPollVote", { path, ...vote })).toEqual([4, "poll_id"]);
  expect(b.refusalOf("cyd", "castPollVote", { path, body: { vote: { answer_text: "maybe" } } })).toEqual([
    4,
    "poll_id",
  ]);
  expect(b.refusalOf("bob", "removePollVote", { path: { ...path, vote_id: cast.id } })).toEqual([
    4,
    "poll_id",
  ]);
  expect(b.call("ada", "getPoll", { path: { poll_id: poll.id } }).poll).toMatchObject({
    is_closed: true,
    vote_count: 1,
    answers_count: 0,
  });
});

test("the right to close is enough to close a poll of others, and for nothing else", () => {
  const b = room();
  b.call("ada", "createPoll", { body: { id: "p", name: "Tea?", options: [{ text: "yes" }] } });
  b.send("ada", "room", { id: "m", poll_id: "p" });
  const patch = (set: object) => ({ path: { poll_id: "p" }, body: { set } });
  expect(b.refusalOf("bob", "updatePollPartial", patch({ is_closed: true }))).toEqual([17, undefined]);
  const SERVER = { server: true } as const;
  b.call(SERVER, "updateApp", { body: { grants: { user: ["query-polls", "close-poll"] } } });
  for (const set of [{ name: "x" }, { is_closed: true, name: "x" }, { is_closed: false }])
    expect([set, b.refusalOf("bob", "updatePollPartial", patch(set))]).toEqual([set, [17, undefined]]);
  const closed = b.call("bob", "updatePollPartial", patch({ is_closed: true })).poll;
  expect(closed).toMatchObject({ is_closed: true, name: "Tea?" });
  expect(b.refusalOf("bob", "deletePoll", { path: { poll_id: "p" } })).toEqual([17, undefined]);
});

test("a change of a poll that is closed already is sent as a change, not as closing", () => {
  const b = room();
  b.call("ada", "createPoll", { body: { id: "p", name: "Tea?", options: [{ text: "yes" }] } });
  b.send("ada", "room", { id: "m", poll_id: "p" });
  b.events = [];
  const patch = (set: object) => ({ path: { poll_id: "p" }, body: { set } });
  b.call("ada", "updatePollPartial", patch({ is_closed: true }));
  b.call("ada", "updatePollPartial", patch({ name: "Tea at four?" }));
  expect(b.takeEvents()).toEqual(["W poll.closed", "W poll.updated"]);
});
