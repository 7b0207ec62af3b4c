/** Contract rows of what messages carry: polls and votes, live locations, uploaded files. */
import { expect } from "vitest";
import type { Case } from "./case.ts";
import { LOCATION, POLL, UPLOADED, VOTE } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const DATE: unknown = expect.stringMatching(/^\d{4}-/);
const URL_FORM: unknown = expect.stringMatching(
  /^http:\/\/127\.0\.0\.1:\d+\/files\/.*[?&]Expires=\d+&.*sig=/,
);
const OPTIONS = [
  { id: "green", text: "Green" },
  { id: "black", text: "Black", colour: "dark" },
];
const VOTES = "POST /messages/{message_id}/polls/{poll_id}/vote";
const UNVOTE = "DELETE /messages/{message_id}/polls/{poll_id}/vote/{vote_id}";
const VOTED = { poll: POLL, vote: VOTE } as const;

/** A poll of ada in the room. */
const poll =
  (settings: Record<string, unknown> = {}) =>
  async (r: Room): Promise<Json> => {
    const made = await r.world.ok("ada", "POST", "/polls", {
      body: { name: "Which tea?", options: OPTIONS, ...settings },
    });
    return { poll: made.poll, message: await r.world.say("ada", r.route, { poll_id: made.poll.id }) };
  };
/** … with a vote of bob. */
const voted =
  (settings?: Record<string, unknown>, option = "green") =>
  async (r: Room): Promise<Json> => {
    const held = await poll(settings)(r);
    const { vote } = await r.world.ok("bob", "POST", `/messages/${held.message}/polls/${held.poll.id}/vote`, {
      body: { vote: { option_id: option } },
    });
    return { ...held, vote };
  };
const vote = (given: Record<string, unknown>) => () => ({ body: { vote: given } });
const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
/** A live location of bob. */
const live =
  (end: number | undefined = 600) =>
  async (r: Room): Promise<Json> => ({
    message: await r.world.say("bob", r.route, {
      shared_location: {
        latitude: 52,
        longitude: 4,
        created_by_device_id: "term-1",
        ...(end ? { end_at: soon(end) } : {}),
      },
    }),
  });
const LU = "PUT /users/live_locations";

export const attachedCases: Case[] = [
  {
    route: "POST /polls",
    name: "makes a poll with its defaults",
    as: "ada",
    ask: () => ({ body: { name: "Which tea?", options: OPTIONS, mood: "thirsty" } }),
    reply: { poll: POLL },
    holds: () => ({
      poll: {
        name: "Which tea?",
        description: "",
        options: OPTIONS,
        voting_visibility: "public",
        enforce_unique_vote: false,
        allow_answers: false,
        allow_user_suggested_options: false,
        vote_count: 0,
        vote_counts_by_option: {},
        latest_votes_by_option: {},
        answers_count: 0,
        latest_answers: [],
        own_votes: [],
        created_by_id: "ada",
        created_by: { id: "ada" },
        mood: "thirsty",
      },
    }),
  },
  {
    route: "POST /polls",
    name: "needs a name",
    as: "ada",
    ask: () => ({ body: {} }),
    code: 4,
    field: "name",
  },
  {
    route: "POST /polls",
    name: "refuses a blank name",
    as: "ada",
    ask: () => ({ body: { name: " " } }),
    code: 4,
    field: "name",
  },
  {
    route: "POST /polls",
    name: "refuses a blank option",
    as: "ada",
    ask: () => ({ body: { name: "x", options: [{ text: "" }] } }),
    code: 4,
    field: "options.0.text",
  },
  {
    route: "POST /polls",
    name: "refuses an option twice",
    as: "ada",
    ask: () => ({ body: { name: "x", options: [{ text: "Tea" }, { text: " tea " }] } }),
    code: 4,
    field: "options.1.text",
  },
  {
    route: "POST /polls",
    name: "refuses 101 options",
    as: "ada",
    ask: () => ({ body: { name: "x", options: Array.from({ length: 101 }, (_, i) => ({ text: `o${i}` })) } }),
    code: 4,
    field: "options",
  },
  {
    route: "POST /polls",
    name: "refuses 11 votes",
    as: "ada",
    ask: () => ({ body: { name: "x", max_votes_allowed: 11 } }),
    code: 4,
    field: "max_votes_allowed",
  },
  {
    route: "POST /polls",
    name: "refuses a maximum of unique votes",
    as: "ada",
    ask: () => ({ body: { name: "x", max_votes_allowed: 2, enforce_unique_vote: true } }),
    code: 4,
    field: "max_votes_allowed",
  },
  {
    route: "POST /polls",
    name: "knows its visibilities",
    as: "ada",
    ask: () => ({ body: { name: "x", voting_visibility: "secret" } }),
    code: 4,
    field: "voting_visibility",
  },
  {
    route: "POST /polls",
    name: "needs a user of a server",
    as: "server",
    ask: () => ({ body: { name: "x" } }),
    code: 4,
    field: "user_id",
  },
  {
    route: "GET /polls/{poll_id}",
    name: "shows it to readers of its channel",
    as: "bob",
    given: voted(),
    reply: { poll: POLL },
    holds: () => ({
      poll: {
        vote_count: 1,
        vote_counts_by_option: { green: 1 },
        own_votes: [{ option_id: "green", user_id: "bob" }],
        latest_votes_by_option: { green: [{ user_id: "bob" }] },
      },
    }),
  },
  {
    route: "GET /polls/{poll_id}",
    name: "hides voters of an anonymous poll",
    as: "ada",
    given: voted({ voting_visibility: "anonymous" }),
    reply: { poll: POLL },
    holds: () => ({
      poll: {
        own_votes: [],
        latest_votes_by_option: { green: [expect.not.objectContaining({ user_id: "bob" })] },
      },
    }),
  },
  { route: "GET /polls/{poll_id}", name: "knows its polls", as: "ada", code: 16 },
  { route: "GET /polls/{poll_id}", name: "is closed to a stranger", as: "dan", given: poll(), code: 17 },
  {
    route: "PATCH /polls/{poll_id}",
    name: "closes",
    as: "ada",
    given: poll(),
    ask: () => ({ body: { set: { is_closed: true } } }),
    reply: { poll: POLL },
    holds: () => ({ poll: { is_closed: true } }),
  },
  {
    route: "PATCH /polls/{poll_id}",
    name: "is the creator's",
    as: "bob",
    given: poll(),
    ask: () => ({ body: { set: { is_closed: true } } }),
    code: 17,
  },
  {
    route: "PATCH /polls/{poll_id}",
    name: "knows its polls",
    as: "ada",
    ask: () => ({ body: { set: { name: "x" } } }),
    code: 16,
  },
  {
    route: "PATCH /polls/{poll_id}",
    name: "keeps what is the provider's",
    as: "ada",
    given: poll(),
    ask: () => ({ body: { set: { vote_count: 9 } } }),
    code: 4,
    field: "vote_count",
  },
  {
    route: "PATCH /polls/{poll_id}",
    name: "refuses a blank name",
    as: "ada",
    given: poll(),
    ask: () => ({ body: { set: { name: "" } } }),
    code: 4,
    field: "set.name",
  },

  {
    route: VOTES,
    name: "votes",
    as: "bob",
    given: poll(),
    ask: vote({ option_id: "black" }),
    reply: VOTED,
    holds: (r) => ({
      vote: { option_id: "black", poll_id: r.extra.poll.id, user_id: "bob" },
      poll: { vote_count: 1, own_votes: [{ option_id: "black" }] },
    }),
  },
  {
    route: VOTES,
    name: "V-4: the same vote again",
    as: "bob",
    given: voted(),
    ask: vote({ option_id: "green" }),
    reply: VOTED,
    holds: (r) => ({ vote: { id: r.extra.vote.id }, poll: { vote_count: 1 } }),
  },
  {
    route: VOTES,
    name: "V-3: a unique vote replaces",
    as: "bob",
    given: voted({ enforce_unique_vote: true }),
    ask: vote({ option_id: "black" }),
    reply: VOTED,
    holds: () => ({ poll: { vote_count: 1, vote_counts_by_option: { black: 1 } } }),
  },
  {
    route: VOTES,
    name: "V-6: answers",
    as: "bob",
    given: poll({ allow_answers: true }),
    ask: vote({ answer_text: "Rooibos" }),
    reply: VOTED,
    holds: () => ({
      vote: { option_id: "", is_answer: true, answer_text: "Rooibos" },
      poll: { vote_count: 0, answers_count: 1, latest_answers: [{ answer_text: "Rooibos" }] },
    }),
  },
  {
    route: VOTES,
    name: "V-1: a poll of another message",
    as: "bob",
    given: async (r) => ({ ...(await poll()(r)), message: r.message }),
    ask: vote({ option_id: "green" }),
    code: 4,
    field: "poll_id",
  },
  {
    route: VOTES,
    name: "V-1: a closed poll",
    as: "bob",
    given: async (r) => {
      const held = await poll()(r);
      await r.world.ok("ada", "PATCH", `/polls/${held.poll.id}`, { body: { set: { is_closed: true } } });
      return held;
    },
    ask: vote({ option_id: "green" }),
    code: 4,
    field: "poll_id",
  },
  {
    route: VOTES,
    name: "V-2: an unknown option",
    as: "bob",
    given: poll(),
    ask: vote({ option_id: "white" }),
    code: 4,
    field: "vote.option_id",
  },
  {
    route: VOTES,
    name: "V-2: neither option nor answer",
    as: "bob",
    given: poll(),
    ask: vote({}),
    code: 4,
    field: "vote.option_id",
  },
  {
    route: VOTES,
    name: "V-2: no answers here",
    as: "bob",
    given: poll(),
    ask: vote({ answer_text: "x" }),
    code: 4,
    field: "vote.answer_text",
  },
  {
    route: VOTES,
    name: "needs a vote",
    as: "bob",
    given: poll(),
    ask: () => ({ body: {} }),
    code: 4,
    field: "vote",
  },
  {
    route: VOTES,
    name: "V-5: too many",
    as: "bob",
    given: voted({ max_votes_allowed: 1 }),
    ask: vote({ option_id: "black" }),
    code: 4,
    field: "vote.option_id",
    says: "Max votes reached",
  },
  {
    route: VOTES,
    name: "an unknown message",
    as: "bob",
    path: () => ({ message_id: "gone" }),
    given: poll(),
    ask: vote({ option_id: "green" }),
    code: 16,
  },
  { route: VOTES, name: "a stranger", as: "dan", given: poll(), ask: vote({ option_id: "green" }), code: 17 },
  {
    route: UNVOTE,
    name: "V-7: takes it back",
    as: "bob",
    given: voted(),
    reply: VOTED,
    holds: () => ({ poll: { vote_count: 0, own_votes: [] } }),
  },
  { route: UNVOTE, name: "V-7: only the voter", as: "ada", given: voted(), code: 17 },
  { route: UNVOTE, name: "V-7: an unknown vote", as: "bob", given: poll(), code: 16 },
  { route: UNVOTE, name: "a stranger", as: "dan", given: voted(), code: 17 },

  {
    route: "GET /users/live_locations",
    name: "lists the caller's",
    as: "bob",
    given: live(),
    reply: { active_live_locations: [{ ...LOCATION, "channel?": "object", "message?": "object" }] },
    holds: (r) => ({
      active_live_locations: expect.arrayContaining([
        expect.objectContaining({
          message_id: r.extra.message,
          channel_cid: r.cid,
          user_id: "bob",
          end_at: DATE,
        }),
      ]) as Json,
    }),
  },
  {
    route: "GET /users/live_locations",
    name: "answers an empty list",
    as: "dan",
    reply: { active_live_locations: [LOCATION] },
    holds: () => ({ active_live_locations: [] }),
  },
  {
    route: "GET /users/live_locations",
    name: "needs a user of a server",
    as: "server",
    code: 4,
    field: "user_id",
  },
  {
    route: LU,
    name: "moves it, flat",
    as: "bob",
    given: live(),
    ask: (r) => ({ body: { message_id: r.extra.message, latitude: 52.5 } }),
    reply: { ...LOCATION, "channel?": "object", "message?": "object" },
    holds: (r) => ({
      message_id: r.extra.message,
      latitude: 52.5,
      longitude: 4,
      created_by_device_id: "term-1",
      end_at: DATE,
    }),
  },
  {
    route: LU,
    name: "LU-4: stops it",
    as: "bob",
    given: live(),
    ask: (r) => ({ body: { message_id: r.extra.message, end_at: soon(-1) } }),
    reply: { ...LOCATION, "channel?": "object", "message?": "object" },
  },
  {
    route: LU,
    name: "LU-1: only the author",
    as: "ada",
    given: live(),
    ask: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 17,
  },
  {
    route: LU,
    name: "LU-1: a message without one",
    as: "ada",
    ask: (r) => ({ body: { message_id: r.message, latitude: 1 } }),
    code: 16,
  },
  {
    route: LU,
    name: "LU-2: a static one",
    as: "bob",
    given: live(0),
    ask: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 4,
    field: "message_id",
  },
  {
    route: LU,
    name: "L-2: out of range",
    as: "bob",
    given: live(),
    ask: (r) => ({ body: { message_id: r.extra.message, longitude: 181 } }),
    code: 4,
    field: "longitude",
  },
  {
    route: LU,
    name: "needs a message id",
    as: "bob",
    ask: () => ({ body: { latitude: 1 } }),
    code: 4,
    field: "message_id",
  },

  ...uploads(),
];

function uploads(): Case[] {
  const form =
    (name: string | undefined, type = "text/plain", content = "tea") =>
    () => {
      const data = new FormData();
      if (name !== undefined) data.append("file", new Blob([content], { type }), name);
      return { form: data };
    };
  const stored =
    (route: (r: Room) => string) =>
    async (r: Room): Promise<Json> =>
      r.world.ok("bob", "POST", route(r), { ...form("tea.png", "image/png")() });
  const rows: Case[] = [];
  for (const kind of ["file", "image"] as const) {
    const inRoom = `/channels/{type}/{id}/${kind}`;
    const free = `/uploads/${kind}`;
    for (const path of [inRoom, free]) {
      const post = `POST ${path}`;
      const gone = `DELETE ${path}`;
      const at = (r: Room): string => (path === inRoom ? `${r.route}/${kind}` : free);
      rows.push(
        {
          route: post,
          name: "stores it under an absolute, signed address",
          as: "bob",
          ask: form("tea.png", "image/png"),
          reply: UPLOADED,
          holds: () => ({ file: URL_FORM }),
        },
        {
          route: post,
          name: "needs a file",
          as: "bob",
          ask: () => {
            const data = new FormData();
            data.append("user", JSON.stringify({ id: "bob" }));
            return { form: data };
          },
          code: 4,
          field: "file",
        },
        { route: post, name: "needs a multipart body", as: "bob", ask: () => ({ body: {} }), code: 4 },
        {
          route: gone,
          name: "UP-6: deletes for the uploader",
          as: "bob",
          given: stored(at),
          ask: (r) => ({ query: { url: r.extra.file } }),
          reply: {},
        },
        {
          route: gone,
          name: "UP-6: deletes for nobody else",
          as: "cyd",
          given: stored(at),
          ask: (r) => ({ query: { url: r.extra.file } }),
          code: 17,
        },
        {
          route: gone,
          name: "UP-6: knows its files",
          as: "bob",
          ask: (r) => ({ query: { url: `${r.world.place.url}/files/none/tea.png` } }),
          code: 16,
        },
        { route: gone, name: "needs an address", as: "bob", code: 4, field: "url" },
      );
      if (path === inRoom)
        rows.push(
          { route: post, name: "UP-1: a stranger", as: "dan", ask: form("tea.png", "image/png"), code: 17 },
          {
            route: post,
            name: "an unknown channel",
            as: "bob",
            path: () => ({ id: "none" }),
            ask: form("tea.png", "image/png"),
            code: 16,
          },
          {
            route: post,
            name: "UP-1: uploads are off",
            as: "bob",
            given: async (r) =>
              r.world.ok("server", "PATCH", r.route, {
                body: { user_id: "ada", set: { config_overrides: { uploads: false } } },
              }),
            ask: form("tea.png", "image/png"),
            code: 19,
          },
        );
      if (kind === "image")
        rows.push({
          route: post,
          name: "UP-3: images only",
          as: "bob",
          ask: form("tea.txt"),
          code: 4,
          field: "file",
        });
    }
  }
  return rows;
}
