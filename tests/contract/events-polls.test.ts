/** Poll events reach the watchers of every channel with the poll, have exactly their fields, and name nobody in anonymous polls. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MESSAGE, POLL, USER, VOTE } from "./entities.ts";
import { ENVELOPE, EventRoom, typesOf, type ReceivedEvents } from "./event-room.ts";
import { differences, type Keys } from "./shape.ts";
import type { Json, Room, Caller } from "./world.ts";

let h: EventRoom;
let room: Room;
let poll: Json;
let message: string;
beforeAll(async () => {
  h = await EventRoom.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.newRoom();
});

const ok = (who: Caller, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});

/** Creates a poll of ada in the room. */
async function createPoll(settings: object = {}): Promise<void> {
  const options = [
    { id: "green", text: "Green" },
    { id: "black", text: "Black" },
  ];
  ({ poll } = await ok("ada", "POST", "/polls", { name: "Which tea?", options, ...settings }));
  message = await h.world.say("ada", room.route, { poll_id: poll.id });
  await h.eventsDuring(async () => {});
}
const vote = (who: Caller, what: object): Promise<Json> =>
  ok(who, "POST", `/messages/${message}/polls/${poll.id}/vote`, { vote: what });

const KEYS: Keys = { ...ENVELOPE, poll: POLL, message: MESSAGE, message_id: "text" };
const VOTED: Keys = { ...KEYS, user: USER, poll_vote: VOTE };

/** Checks that both watchers received only this event and nobody else received any; returns the event. */
function expectForWatchers(received: ReceivedEvents, type: string, keys: Keys): Json {
  expect(typesOf(received)).toEqual({ ada: [type], bob: [type] });
  expect(received.ada).toEqual(received.bob);
  const [event] = received.bob;
  expect(differences(event, keys)).toEqual([]);
  expect(event).toMatchObject({
    cid: room.cid,
    message_id: message,
    message: { id: message, poll_id: poll.id },
  });
  expect(event.poll.own_votes).toEqual([]);
  return event;
}

test("a vote sends poll.vote_casted with the voter and the new counters (specification/polls.md §5)", async () => {
  await createPoll();
  const event = expectForWatchers(
    await h.eventsDuring(() => vote("bob", { option_id: "green" })),
    "poll.vote_casted",
    VOTED,
  );
  expect(event).toMatchObject({
    user: { id: "bob" },
    poll_vote: { user_id: "bob", option_id: "green" },
    poll: { vote_count: 1, vote_counts_by_option: { green: 1 }, updated_at: poll.updated_at },
  });
});

test("V-4: the same vote again sends nothing", async () => {
  await createPoll();
  await h.eventsDuring(() => vote("bob", { option_id: "green" }));
  expect(typesOf(await h.eventsDuring(() => vote("bob", { option_id: "green" })))).toEqual({});
});

test("with unique votes every vote sends poll.vote_changed, also the first (specification/polls.md §5)", async () => {
  await createPoll({ enforce_unique_vote: true });
  expectForWatchers(
    await h.eventsDuring(() => vote("bob", { option_id: "green" })),
    "poll.vote_changed",
    VOTED,
  );
  const event = expectForWatchers(
    await h.eventsDuring(() => vote("bob", { option_id: "black" })),
    "poll.vote_changed",
    VOTED,
  );
  expect(event.poll.vote_counts_by_option).toEqual({ black: 1 });
});

test("a first answer sends poll.vote_casted, and one that replaces it poll.vote_changed (specification/polls.md §5)", async () => {
  await createPoll({ allow_answers: true });
  const first = expectForWatchers(
    await h.eventsDuring(() => vote("cyd", { answer_text: "Rooibos" })),
    "poll.vote_casted",
    VOTED,
  );
  expect(first.poll_vote).toMatchObject({ is_answer: true, answer_text: "Rooibos", option_id: "" });
  const next = expectForWatchers(
    await h.eventsDuring(() => vote("cyd", { answer_text: "Mate" })),
    "poll.vote_changed",
    VOTED,
  );
  expect(next.poll).toMatchObject({
    answers_count: 1,
    latest_answers: [{ answer_text: "Mate" }],
    vote_count: 0,
  });
});

test("a removed vote sends poll.vote_removed (specification/polls.md §5)", async () => {
  await createPoll();
  const { vote: cast } = await vote("bob", { option_id: "green" });
  await h.eventsDuring(async () => {});
  const received = await h.eventsDuring(() =>
    ok("bob", "DELETE", `/messages/${message}/polls/${poll.id}/vote/${cast.id}`),
  );
  expect(expectForWatchers(received, "poll.vote_removed", VOTED)).toMatchObject({
    poll_vote: { id: cast.id },
    poll: { vote_count: 0 },
  });
});

test("events of an anonymous poll name no voter (specification/polls.md §2)", async () => {
  await createPoll({ voting_visibility: "anonymous", allow_answers: true });
  const keys: Keys = { ...KEYS, poll_vote: VOTE };
  for (const what of [{ option_id: "green" }, { answer_text: "Rooibos" }]) {
    const event = expectForWatchers(await h.eventsDuring(() => vote("cyd", what)), "poll.vote_casted", keys);
    expect(JSON.stringify(event)).not.toMatch(/"cyd"|CYD/);
  }
});

test("changes of the poll and its options send poll.updated, closing sends poll.closed (specification/polls.md §5)", async () => {
  await createPoll();
  const keys: Keys = { ...KEYS, user: USER };
  const at = `/polls/${poll.id}`;
  const put = { id: poll.id, name: "Which?", options: poll.options };
  expect(
    expectForWatchers(await h.eventsDuring(() => ok("ada", "PUT", "/polls", put)), "poll.updated", keys).poll
      .name,
  ).toBe("Which?");
  expectForWatchers(
    await h.eventsDuring(() => ok("ada", "PATCH", at, { set: { description: "hot" } })),
    "poll.updated",
    keys,
  );
  const added = expectForWatchers(
    await h.eventsDuring(() => ok("ada", "POST", `${at}/options`, { text: "White" })),
    "poll.updated",
    keys,
  );
  expect(added.poll.options).toHaveLength(3);
  expectForWatchers(
    await h.eventsDuring(() => ok("ada", "PUT", `${at}/options`, { id: "black", text: "Dark" })),
    "poll.updated",
    keys,
  );
  await vote("bob", { option_id: "black" });
  await h.eventsDuring(async () => {});
  const gone = expectForWatchers(
    await h.eventsDuring(() => ok("ada", "DELETE", `${at}/options/black`)),
    "poll.updated",
    keys,
  );
  expect(gone.poll).toMatchObject({ vote_count: 0, vote_counts_by_option: {} });
  const closed = expectForWatchers(
    await h.eventsDuring(() => ok("ada", "PATCH", at, { set: { is_closed: true } })),
    "poll.closed",
    keys,
  );
  expect(closed.poll.is_closed).toBe(true);
  expectForWatchers(
    await h.eventsDuring(() => ok("ada", "PATCH", at, { set: { is_closed: false } })),
    "poll.updated",
    keys,
  );
});

test("V-10: poll.deleted contains the poll, and its message does not any more", async () => {
  await createPoll();
  await vote("bob", { option_id: "green" });
  await h.eventsDuring(async () => {});
  const event = expectForWatchers(
    await h.eventsDuring(() => ok("ada", "DELETE", `/polls/${poll.id}`)),
    "poll.deleted",
    {
      ...KEYS,
      user: USER,
    },
  );
  expect(event).toMatchObject({
    user: { id: "ada" },
    poll: { id: poll.id, vote_count: 1 },
    message: { poll: null },
  });
  const read = await ok("bob", "GET", `/messages/${message}`);
  expect(read.message).toMatchObject({ poll_id: poll.id, poll: null });
});

test("V-11: watchers of each channel with the poll get one event with the message of their channel, and none after that message is deleted", async () => {
  await createPoll();
  const here = room;
  const first = message;
  const again = await h.world.say("ada", here.route, { poll_id: poll.id });
  const other = await h.world.room();
  const there = await h.world.say("ada", other.route, { poll_id: poll.id });
  await h.watch("cyd", other);
  await h.eventsDuring(async () => {});
  const received = await h.eventsDuring(() => vote("bob", { option_id: "green" }));
  expect(typesOf(received)).toEqual({
    ada: ["poll.vote_casted"],
    bob: ["poll.vote_casted"],
    cyd: ["poll.vote_casted"],
  });
  expect(received.bob[0]).toMatchObject({ cid: here.cid, message_id: first });
  expect(received.cyd[0]).toMatchObject({ cid: other.cid, message_id: there });
  message = again;
  const second = await h.eventsDuring(() => vote("bob", { option_id: "black" }));
  expect(second.bob.map((event) => event.message_id)).toEqual([again]);
  expect(second.cyd[0].poll.vote_count).toBe(2);
  await ok("ada", "DELETE", `/messages/${there}`);
  await h.eventsDuring(async () => {});
  expect(
    typesOf(await h.eventsDuring(() => ok("ada", "PATCH", `/polls/${poll.id}`, { set: { name: "x" } }))),
  ).toEqual({
    ada: ["poll.updated"],
    bob: ["poll.updated"],
  });
});
