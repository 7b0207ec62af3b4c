/** Clients in languages with typed fields send unset fields empty ("", null, 0): the answer is the same as without the field. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodies, type BodyName } from "../../src/wire/bodies/index.ts";
import { acting } from "../../src/wire/bodies/frame.ts";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import type { Field, Shape } from "../../src/wire/entities/fields.ts";
import { cases } from "./cases.ts";
import { fill, type Case } from "./case.ts";
import { jobsAreOver } from "./stored.ts";
import { hosted, World, type Answer, type RequestInput, type Json, type Room } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Asks a fresh provider: some answers depend on what earlier requests left behind. */
async function onFreshProvider<T>(ask: () => Promise<T>): Promise<T> {
  await world.stop();
  world = await World.start();
  return ask();
}

/** The value a typed client sends for an unset field; undefined where there is none. */
type Empty = (field: Field) => Json;
const ECHO = { id: "x", nested: [1] };
const EMPTY_VALUES: Record<string, Empty> = {
  'as ""': ({ kind, blanks, allowsId }) =>
    !blanks && (allowsId || kind === "time" || kind === "id" || kind === "choice") ? "" : undefined,
  "as null": ({ nulls }) => (nulls ? undefined : null),
  "in the year 1": ({ kind }) => (kind === "time" ? "0001-01-01T00:00:00Z" : undefined),
  "sent back as it was told": ({ kind }) => (kind === "ignored" ? ECHO : undefined),
};

const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Place {
  /** Path of the field, such as `message.mentioned_users[].id`. */
  at: string;
  field: Field;
  holder: Json;
  key: string;
}

/** Every field of the shape with its place in this body, inside the lists and objects that the body has. */
function placesIn(shape: Shape, body: Json, at = ""): Place[] {
  return Object.entries(shape).flatMap(([key, field]): Place[] => {
    if (key === "*" || field === acting.user || field === acting.user_id) return [];
    const own: Place = { at: at + key, field, holder: body, key };
    const value = body[key];
    if (field.kind === "ignored" || typeof value !== "object" || value === null) return [own];
    if (field.shape) return [own, ...placesIn(field.shape, value, `${at}${key}.`)];
    const rows = field.item?.shape;
    if (!rows) return [own];
    const entries = Object.values(value).filter(isObject);
    return [own, ...entries.flatMap((one) => placesIn(rows, one, `${at}${key}[].`))];
  });
}

const isPresent = ({ field, holder, key }: Place): boolean => field.kind !== "ignored" && holder[key] != null;

/** A copy of the body in which every missing field has the value that `empty` gives, in nested objects too. */
function filled(shape: Shape, given: Json, empty: Empty): Json {
  const body = structuredClone(given);
  for (const place of placesIn(shape, body)) {
    const value = isPresent(place) || place.field.required ? undefined : empty(place.field);
    if (value !== undefined) place.holder[place.key] = structuredClone(value);
  }
  return body;
}

/** A copy of the body with one optional field set to `value`, or removed where `value` is undefined. */
function changedAt(shape: Shape, given: Json, at: string, value: Json): Json {
  const body = structuredClone(given);
  for (const place of placesIn(shape, body))
    if (place.at === at && isPresent(place)) {
      if (value === undefined) delete place.holder[place.key];
      else place.holder[place.key] = value;
    }
  return body;
}

const rowOf = (name: string): EndpointRow => endpoints[name as BodyName];
const routeOf = (name: string): string => `${rowOf(name).method} ${rowOf(name).path}`;
const successOf = (name: string): Case =>
  cases.find((row) => row.route === routeOf(name) && row.code === undefined)!;

/** The answer as text, without what differs from room to room: times, generated ids, names of rooms. */
const comparable = (answer: Answer): string =>
  `${answer.status} ${JSON.stringify({ ...answer.json, duration: "" })}`
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "an id")
    .replace(/"(next|prev)":"[^"]+"/g, '"$1"')
    .replace(/room-[\w-]*?\d+/g, "a room")
    .replace(/!members-[\w-]+/g, "a room")
    .replace(/"access_token":"[^"]+"/g, '"access_token":"a token"')
    .replace(/([?&](?:sig|signature|expires|Expires|exp)=)[^"&]+/g, "$1")
    .replace(/\b1[5-9]\d{8,14}\b/g, "a time");

/** Sends the route's successful request, changed by `change`, in a new room. */
async function answerTo(row: Case, change: (asked: RequestInput) => RequestInput): Promise<Answer> {
  const room = await world.room();
  room.extra = (await row.prepare?.(room)) ?? {};
  const { method, path } = fill(row.route, room, row.path?.(room));
  if (!hosted) await jobsAreOver(world);
  return world.call(row.as, method, path, change(row.input?.(room) ?? {}));
}

type Change = (asked: RequestInput) => RequestInput;

const payload = (name: string): boolean => rowOf(name).payload === true;
const withBody = (name: string, asked: RequestInput, body: (given: Json) => Json): RequestInput =>
  payload(name)
    ? { ...asked, query: { ...asked.query, payload: body(asked.query?.payload ?? {}) } }
    : { ...asked, body: body(asked.body ?? {}) };

const same = (given: Json): Json => given;
const LOCATION = {
  latitude: 1.5,
  longitude: 2.5,
  created_by_device_id: "phone",
  end_at: "2091-01-01T00:00:00Z",
};
const MENTIONING = { text: "clean", mentioned_users: [{ id: "bob" }] };
const people = (...ids: string[]): Json => ids.map((id) => ({ user_id: id }));
const inMessage =
  (more: Json) =>
  (given: Json): Json => ({ ...given, message: { ...given.message, ...more } });
const and =
  (more: Json) =>
  (given: Json): Json => ({ ...given, ...more });
const ofEach =
  (more: Json) =>
  (given: Json): Json => ({
    ...given,
    users: Object.fromEntries(
      Object.entries(given.users as Json).map(([id, user]) => [id, { ...(user as Json), ...more }]),
    ),
  });
const PRIVACY = { privacy_settings: { typing_indicators: { enabled: true } } };
const members_template = people("bob");

/** Further requests of a route, for nested fields that its first successful request does not have. */
const FURTHER_REQUESTS: Record<string, ((given: Json) => Json)[]> = {
  sendMessage: [inMessage(MENTIONING), inMessage({ shared_location: LOCATION })],
  updateMessage: [inMessage(MENTIONING)],
  saveDraft: [inMessage(MENTIONING)],
  truncateChannel: [inMessage(MENTIONING), inMessage({ shared_location: LOCATION })],
  updateChannel: [
    and({
      user_id: "ada",
      data: { name: "Tea", members: people("bob"), invites: people("bob"), created_by: { id: "ada" } },
    }),
    and({ user_id: "ada", message: { ...MENTIONING, shared_location: LOCATION } }),
    and({ add_members: people("dan"), invites: people("mod"), assign_roles: people("bob") }),
  ],
  queryChannel: [
    and({ data: { members: people("bob"), invites: people("cyd"), created_by: { id: "ada" } } }),
    and({ messages: {}, members: {}, watchers: {} }),
  ],
  queryDistinctChannel: [
    and({ data: { members: people("ada", "bob"), invites: people("cyd"), created_by: { id: "ada" } } }),
    and({ messages: {}, members: {}, watchers: {} }),
  ],
  queryMembers: [and({ members: people("bob") })],
  batchChannels: [
    and({ members: people("bob") }),
    and({ operation: "updateData", data: { custom: { tea: 1 } } }),
    and({
      operation: "updateData",
      data: { config_overrides: { replies: true }, custom: { config_overrides: { replies: true } } },
    }),
  ],
  updateChannelPartial: [and({ set: { config_overrides: { max_message_length: 77 } } })],
  updateMessagePartial: [and({ set: { mentioned_users: [{ id: "bob" }] } })],
  updateMessageEphemeral: [and({ set: { mentioned_users: [{ id: "bob" }] } })],
  updatePollPartial: [and({ set: { options: [{ text: "Green" }] } })],
  updateUsersPartial: [({ users }) => ({ users: [{ ...users[0], set: PRIVACY }] })],
  ban: [and({ banned_by: { id: "ada" } })],
  upsertUsers: [ofEach(PRIVACY)],
  createGuest: [(given) => ({ user: { ...given.user, ...PRIVACY } })],
  createCampaign: [and({ channel_template: { type: "messaging", members_template } })],
  updateCampaign: [and({ channel_template: { type: "messaging", members_template } })],
  createChannelType: [and({ automod_thresholds: { explicit: {}, spam: {}, toxic: {} } })],
  updateChannelType: [and({ automod_thresholds: { explicit: {}, spam: {}, toxic: {} } })],
  updateApp: [
    and({
      file_upload_config: {},
      image_upload_config: {},
      event_hooks: [{ hook_type: "webhook", webhook_url: "https://tea.example/" }],
      async_moderation_config: { callback: {} },
      push_config: {},
    }),
  ],
};

/** Routes whose further requests are sent by a server, because users may not set all of the fields. */
const BY_SERVER = new Set(["updateChannel", "updateChannelPartial"]);

/** Paths of the optional fields that have an empty value, nested ones included. */
function emptyable(shape: Shape, at = ""): string[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    if (key === "*" || field === acting.user || field === acting.user_id) return [];
    const own = !field.required && Object.values(EMPTY_VALUES).some((empty) => empty(field) !== undefined);
    return [
      ...(own ? [at + key] : []),
      ...(field.shape ? emptyable(field.shape, `${at}${key}.`) : []),
      ...(field.item?.shape ? emptyable(field.item.shape, `${at}${key}[].`) : []),
    ];
  });
}

describe.skipIf(hosted)("a field with the empty value of a typed client changes nothing", () => {
  for (const [name, shape] of Object.entries(bodies as Record<string, Shape>))
    test(`${routeOf(name)}: ${name}`, async () => {
      let row = successOf(name);
      const sent = new Set<string>();
      const ask = async (change: Change): Promise<string> => comparable(await answerTo(row, change));
      const expectSameAnswer = async (how: string, one: Change, other: Change): Promise<void> => {
        if ((await ask(one)) === (await ask(other))) return;
        expect(await onFreshProvider(() => ask(one)), how).toBe(await onFreshProvider(() => ask(other)));
      };
      for (const [n, base] of [same, ...(FURTHER_REQUESTS[name] ?? [])].entries()) {
        if (n > 0 && BY_SERVER.has(name)) row = { ...row, as: "server" };
        let given: Json = {};
        const plain: Change = (asked) => withBody(name, asked, (body) => (given = base(body)));
        expect(await ask(plain)).toMatch(/^20\d /);
        const allPlaces = placesIn(shape, given);
        for (const [how, empty] of Object.entries(EMPTY_VALUES)) {
          const missing = allPlaces.filter(
            (place) => !isPresent(place) && !place.field.required && empty(place.field) !== undefined,
          );
          for (const { at } of missing) sent.add(at);
          if (missing.length > 0)
            await expectSameAnswer(
              how,
              (asked) => withBody(name, asked, (body) => filled(shape, base(body), empty)),
              plain,
            );
          const given = new Map(allPlaces.filter(isPresent).map(({ at, field }) => [at, field]));
          for (const [at, field] of given) {
            const value = field.required || field.kind === "ignored" ? undefined : empty(field);
            if (value === undefined) continue;
            sent.add(at);
            const put =
              (to: Json): Change =>
              (asked) =>
                withBody(name, asked, (body) => changedAt(shape, base(body), at, to));
            await expectSameAnswer(`${at} ${how}`, put(value), put(undefined));
          }
        }
      }
      for (const as of new Set([successOf(name).as, "server"] as const)) {
        row = { ...successOf(name), as };
        await expectSameAnswer(
          `${as}, an acting user without a name`,
          (asked) => withoutName(name, asked),
          same,
        );
      }
      expect(emptyable(shape).filter((at) => !sent.has(at))).toEqual([]);
    });
});

/** Adds empty actor fields (`user`, `user_id`) to the query, the body and the objects in the body. */
function withoutName(name: string, asked: RequestInput): RequestInput {
  const filledIn = withBody(name, asked, (given) => unnamed(bodies[name as BodyName], given));
  return { ...filledIn, query: { user_id: "", ...filledIn.query } };
}

function unnamed(shape: Shape, given: Json): Json {
  const body: Json = { ...given };
  for (const [key, field] of Object.entries(shape))
    if (field === acting.user_id) body[key] ??= "";
    else if (field === acting.user) body[key] ??= { id: "" };
    else if (field.shape && isObject(body[key])) body[key] = unnamed(field.shape, body[key]);
  return body;
}

const NOBODY = { user: { id: "" }, user_id: "" };
/** Objects in a body that may name their author. */
const WRITTEN = ["message", "reaction", "event"];
type Named = (id: string, given: Json) => { query: Json; body: Json };
const inWritten =
  (name: (id: string) => Json): Named =>
  (id, given) => ({
    query: "",
    body: {
      ...NOBODY,
      ...Object.fromEntries(
        WRITTEN.filter((key) => given[key]).map((key) => [key, { ...given[key], ...name(id) }]),
      ),
    },
  });
/** Each place where a server may name the acting user; the other places are filled in empty. */
const PLACES: Record<string, Named> = {
  "the query": (id) => ({ query: id, body: NOBODY }),
  user: (id) => ({ query: "", body: { user: { id }, user_id: "" } }),
  user_id: (id) => ({ query: "", body: { user: {}, user_id: id } }),
  "user of what is written": inWritten((id) => ({ user: { id }, user_id: "" })),
  "user_id of what is written": inWritten((id) => ({ user: { id: "" }, user_id: id })),
};
/** Requests that name two users: the first one acts. */
const FIRST: Record<string, Named> = {
  "the query before the body": (id) => ({ query: id, body: { user: { id: "mod" }, user_id: "mod" } }),
  "user before user_id": (id) => ({ query: "", body: { user: { id }, user_id: "mod" } }),
};

describe.skipIf(hosted)("the acting user of a server is the first named one, in whichever place", () => {
  const acted = Object.entries(bodies as Record<string, Shape>).filter(
    ([name, shape]) => shape.user_id === acting.user_id && /^(ada|bob|cyd|dan|mod)$/.test(successOf(name).as),
  );
  const drawn = acted.map(([name]) => [routeOf(name), name] as const);
  test.each(drawn)("%s: %s", async (_, name) => {
    const row = successOf(name);
    const rows: Shape = bodies[name as BodyName];
    const as = (named: Named) => async (): Promise<string> => {
      const ask = (asked: RequestInput): RequestInput => {
        let query: Json = "";
        const whole = withBody(name, asked, (given) => {
          const place = named(row.as, given);
          query = place.query;
          return { ...given, ...place.body };
        });
        return { ...whole, query: { ...whole.query, user_id: query } };
      };
      return comparable(await answerTo({ ...row, as: "server" }, ask));
    };
    const written = WRITTEN.some((key) => rows[key]?.required);
    const others = Object.entries({ ...PLACES, ...FIRST }).filter(
      ([place]) => written || !place.endsWith("what is written"),
    );
    const first = await as(PLACES["the query"]!)();
    for (const [place, named] of others)
      if ((await as(named)()) !== first)
        expect(await onFreshProvider(as(named)), place).toBe(await onFreshProvider(as(PLACES["the query"]!)));
  });
});

test.skipIf(hosted)("the creator that a server names is found beside an empty created_by", async () => {
  for (const data of [
    { created_by: { id: "" }, created_by_id: "ada" },
    { created_by: { id: "ada" }, created_by_id: "" },
  ]) {
    const { id } = await world.room();
    const made = await world.call("server", "POST", `/channels/messaging/${id}-made/query`, {
      body: { data },
    });
    expect(made.json.channel?.created_by.id, JSON.stringify(made.json)).toBe("ada");
  }
});

interface Parts {
  method: "PATCH" | "PUT";
  route: string;
  body?: (set: Json) => Json;
  /** Picks the changed object out of the answer. */
  changedObject: (answer: Json) => Json;
  initial: Json;
  empty: Json;
}

/** For each object with partial updates: fields it has before the update (`initial`), and the same fields empty (`empty`). */
const PARTIAL_UPDATES: Record<string, (room: Room) => Promise<Parts>> = {
  channel: async ({ route }) => ({
    method: "PATCH",
    route,
    changedObject: ({ channel }) => channel,
    initial: { team: "red", auto_translation_language: "de", cooldown: 7 },
    empty: { team: "", auto_translation_language: "", cooldown: "" },
  }),
  "the configuration of a channel": async ({ route }) => ({
    method: "PATCH",
    route,
    changedObject: ({ channel }) => channel.config,
    initial: { config_overrides: { max_message_length: 77, push_level: "none" } },
    empty: { "config_overrides.max_message_length": "", "config_overrides.push_level": "" },
  }),
  message: async ({ world: own, route, message }) => ({
    method: "PUT",
    route: `/messages/${message}`,
    body: (set) => ({ set, user_id: "ada" }),
    changedObject: (answer) => answer.message,
    initial: {
      quoted_message_id: await own.say("bob", route, { text: "coffee" }),
      pinned: true,
      pin_expires: "2091-01-01T00:00:00.000000Z",
    },
    empty: { quoted_message_id: "", poll_id: "", pin_expires: "0001-01-01T00:00:00Z" },
  }),
  member: async ({ route }) => ({
    method: "PATCH",
    route: `${route}/member/bob`,
    changedObject: (answer) => answer.channel_member,
    initial: { channel_role: "channel_moderator" },
    empty: { channel_role: "" },
  }),
  user: async ({ id, world: own }) => {
    await own.ok("server", "POST", "/users", { body: { users: { [id]: { id } } } });
    return {
      method: "PATCH",
      route: "/users",
      body: (set) => ({ users: [{ id, set }] }),
      changedObject: ({ users }) => users[id],
      initial: {
        role: "moderator",
        teams: ["red", "blue"],
        teams_role: { red: "admin" },
        revoke_tokens_issued_before: "2021-01-01T00:00:00.000000Z",
      },
      empty: {
        role: "",
        "teams_role.red": "",
        revoke_tokens_issued_before: "0001-01-01T00:00:00Z",
      },
    };
  },
  poll: async ({ id, world: own }) => {
    await own.ok("ada", "POST", "/polls", { body: { id, name: "Tea?" } });
    return {
      method: "PATCH",
      route: `/polls/${id}`,
      body: (set) => ({ set, user_id: "ada" }),
      changedObject: (answer) => answer.poll,
      initial: { voting_visibility: "anonymous", max_votes_allowed: 3 },
      empty: { voting_visibility: "", max_votes_allowed: "" },
    };
  },
};

describe.skipIf(hosted)(
  "a partial update with empty typed fields leaves them unchanged, and null removes them",
  () => {
    test.each(Object.entries(PARTIAL_UPDATES))("%s", async (_, made) => {
      const { method, route, body, changedObject, initial, empty } = await made(await world.room());
      const set = async (values: Json): Promise<Json> =>
        changedObject(await world.ok("server", method, route, { body: body?.(values) ?? { set: values } }));
      const comparableEntity = ({ mood: _mood, updated_at: _at, ...entity }: Json): Json => entity;
      const before = await set(initial);
      expect(comparableEntity(await set({ ...empty, mood: "calm" }))).toEqual(comparableEntity(before));
      const removed = Object.fromEntries(Object.keys(initial).map((key) => [key, null]));
      if (!initial.role && !initial.channel_role)
        expect(comparableEntity(await set(removed))).not.toEqual(comparableEntity(before));
    });
  },
);
