/** Poll events reach the watchers of every channel with the poll, have exactly their fields, and name nobody in anonymous polls. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MESSAGE, POLL, USER, VOTE } from "./entities.ts";
import { ENVELOPE, Hearing, namesOf, type Heard } from "./hearing.ts";
import { differences, type Keys } from "./shape.ts";
import type { Json, Room, Who } from "./world.ts";

let h: Hearing;
let room: Room;
let poll: Json;
let message: string;
beforeAll(async () => {
  h = await Hearing.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.enter();
});

const ok = (who: Who, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});

/** Creates a poll of ada in the room. */
async function ask(settings: object = {}): Promise<void> {
  const options = [
    { id: "green", text: "Green" },
    { id: "black", text: "Black" },
  ];
  ({ poll } = await ok("ada", "POST", "/polls", { name: "Which tea?", options, ...settings }));
  message = await h.world.say("ada", room.route, { poll_id: poll.id });
  await h.hear(async () => {});
}
const vote = (who: Who, what: object): Promise<Json> =>
  ok(who, "POST", `/messages/${message}/polls/${poll.id}/vote`, { vote: what });

const KEYS: Keys = { ...ENVELOPE, poll: POLL, message: MESSAGE, message_id: "text" };
const VOTED: Keys = { ...KEYS, user: USER, poll_vote: VOTE };

/** Checks that both watchers received only this event and nobody else received any; returns the event. */
function only(heard: Heard, type: string, keys: Keys): Json {
  expect(namesOf(heard)).toEqual({ ada: [type], bob: [type] });
  expect(heard.ada).toEqual(heard.bob);
  const [event] = heard.bob;
  expect(differences(event, keys)).toEqual([]);
  expect(event).toMatchObject({
    cid: room.cid,
    message_id: message,
    message: { id: message, poll_id: poll.id },
  });
  expect(event.poll.own_votes).toEqual([]);
  return event;
}

test("a vote is poll.vote_casted, with the voter and the counters after it (specification/polls.md §5)", async () => {
  await ask();
  const event = only(await h.hear(() => vote("bob", { option_id: "green" })), "poll.vote_casted", VOTED);
  expect(event).toMatchObject({
    user: { id: "bob" },
    poll_vote: { user_id: "bob", option_id: "green" },
    poll: { vote_count: 1, vote_counts_by_option: { green: 1 }, updated_at: poll.updated_at },
  });
});

test("V-4: the same vote again tells nobody", async () => {
  await ask();
  await h.hear(() => vote("bob", { option_id: "green" }));
  expect(namesOf(await h.hear(() => vote("bob", { option_id: "green" })))).toEqual({});
});

test("with unique votes each is poll.vote_changed, the first one included (specification/polls.md §5)", async () => {
  await ask({ enforce_unique_vote: true });
  only(await h.hear(() => vote("bob", { option_id: "green" })), "poll.vote_changed", VOTED);
  const event = only(await h.hear(() => vote("bob", { option_id: "black" })), "poll.vote_changed", VOTED);
  expect(event.poll.vote_counts_by_option).toEqual({ black: 1 });
});

test("a first answer is casted, one that replaces it changed (specification/polls.md §5)", async () => {
  await ask({ allow_answers: true });
  const first = only(await h.hear(() => vote("cyd", { answer_text: "Rooibos" })), "poll.vote_casted", VOTED);
  expect(first.poll_vote).toMatchObject({ is_answer: true, answer_text: "Rooibos", option_id: "" });
  const next = only(await h.hear(() => vote("cyd", { answer_text: "Mate" })), "poll.vote_changed", VOTED);
  expect(next.poll).toMatchObject({
    answers_count: 1,
    latest_answers: [{ answer_text: "Mate" }],
    vote_count: 0,
  });
});

test("a vote taken back is poll.vote_removed (specification/polls.md §5)", async () => {
  await ask();
  const { vote: cast } = await vote("bob", { option_id: "green" });
  await h.hear(async () => {});
  const heard = await h.hear(() =>
    ok("bob", "DELETE", `/messages/${message}/polls/${poll.id}/vote/${cast.id}`),
  );
  expect(only(heard, "poll.vote_removed", VOTED)).toMatchObject({
    poll_vote: { id: cast.id },
    poll: { vote_count: 0 },
  });
});

test("an anonymous poll's events name no voter at all, its creator's included (specification/polls.md §2)", async () => {
  await ask({ voting_visibility: "anonymous", allow_answers: true });
  const keys: Keys = { ...KEYS, poll_vote: VOTE };
  for (const what of [{ option_id: "green" }, { answer_text: "Rooibos" }]) {
    const event = only(await h.hear(() => vote("cyd", what)), "poll.vote_casted", keys);
    expect(JSON.stringify(event)).not.toMatch(/"cyd"|CYD/);
  }
});

test("changes and options are poll.updated, closing is poll.closed (specification/polls.md §5)", async () => {
  await ask();
  const keys: Keys = { ...KEYS, user: USER };
  const at = `/polls/${poll.id}`;
  const put = { id: poll.id, name: "Which?", options: poll.options };
  expect(only(await h.hear(() => ok("ada", "PUT", "/polls", put)), "poll.updated", keys).poll.name).toBe(
    "Which?",
  );
  only(await h.hear(() => ok("ada", "PATCH", at, { set: { description: "hot" } })), "poll.updated", keys);
  const added = only(
    await h.hear(() => ok("ada", "POST", `${at}/options`, { text: "White" })),
    "poll.updated",
    keys,
  );
  expect(added.poll.options).toHaveLength(3);
  only(
    await h.hear(() => ok("ada", "PUT", `${at}/options`, { id: "black", text: "Dark" })),
    "poll.updated",
    keys,
  );
  await vote("bob", { option_id: "black" });
  await h.hear(async () => {});
  const gone = only(await h.hear(() => ok("ada", "DELETE", `${at}/options/black`)), "poll.updated", keys);
  expect(gone.poll).toMatchObject({ vote_count: 0, vote_counts_by_option: {} });
  const closed = only(
    await h.hear(() => ok("ada", "PATCH", at, { set: { is_closed: true } })),
    "poll.closed",
    keys,
  );
  expect(closed.poll.is_closed).toBe(true);
  only(await h.hear(() => ok("ada", "PATCH", at, { set: { is_closed: false } })), "poll.updated", keys);
});

test("V-10: poll.deleted shows the poll for the last time; its message shows none", async () => {
  await ask();
  await vote("bob", { option_id: "green" });
  await h.hear(async () => {});
  const event = only(await h.hear(() => ok("ada", "DELETE", `/polls/${poll.id}`)), "poll.deleted", {
    ...KEYS,
    user: USER,
  });
  expect(event).toMatchObject({
    user: { id: "ada" },
    poll: { id: poll.id, vote_count: 1 },
    message: { poll: null },
  });
  const read = await ok("bob", "GET", `/messages/${message}`);
  expect(read.message).toMatchObject({ poll_id: poll.id, poll: null });
});

test("V-11: watchers of every channel with the poll hear once, with the message of their channel; a closed one tells none", async () => {
  await ask();
  const here = room;
  const first = message;
  const again = await h.world.say("ada", here.route, { poll_id: poll.id });
  const other = await h.world.room();
  const there = await h.world.say("ada", other.route, { poll_id: poll.id });
  await h.watch("cyd", other);
  await h.hear(async () => {});
  const heard = await h.hear(() => vote("bob", { option_id: "green" }));
  expect(namesOf(heard)).toEqual({
    ada: ["poll.vote_casted"],
    bob: ["poll.vote_casted"],
    cyd: ["poll.vote_casted"],
  });
  expect(heard.bob[0]).toMatchObject({ cid: here.cid, message_id: first });
  expect(heard.cyd[0]).toMatchObject({ cid: other.cid, message_id: there });
  message = again;
  const second = await h.hear(() => vote("bob", { option_id: "black" }));
  expect(second.bob.map((event) => event.message_id)).toEqual([again]);
  expect(second.cyd[0].poll.vote_count).toBe(2);
  await ok("ada", "DELETE", `/messages/${there}`);
  await h.hear(async () => {});
  expect(
    namesOf(await h.hear(() => ok("ada", "PATCH", `/polls/${poll.id}`, { set: { name: "x" } }))),
  ).toEqual({
    ada: ["poll.updated"],
    bob: ["poll.updated"],
  });
});
