/** Requests as clients in languages with typed fields send them: every field that nobody set is there, empty; the answer is the one without it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodies, type Described } from "../../src/wire/bodies.ts";
import { acting } from "../../src/wire/bodies/frame.ts";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints.ts";
import type { Field, Shape } from "../../src/wire/fields.ts";
import { cases } from "./cases.ts";
import { fill, type Case } from "./case.ts";
import { jobsAreOver } from "./stored.ts";
import { hosted, World, type Answer, type Asked, type Json } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** An app in which nothing was done yet: some answers tell what earlier requests left. */
async function anew<T>(ask: () => Promise<T>): Promise<T> {
  await world.stop();
  world = await World.start();
  return ask();
}

/** What stands for a field that nobody set; undefined where nothing does. */
type Empty = (field: Field) => Json;
const ECHO = { id: "x", nested: [1] };
const EMPTIES: Record<string, Empty> = {
  'as ""': ({ kind, blanks, idAlone }) =>
    !blanks && (idAlone || kind === "time" || kind === "id" || kind === "choice") ? "" : undefined,
  "as null": ({ nulls }) => (nulls ? undefined : null),
  "in the year 1": ({ kind }) => (kind === "time" ? "0001-01-01T00:00:00Z" : undefined),
  "sent back as it was told": ({ kind }) => (kind === "ignored" ? ECHO : undefined),
};

/** The object with every row that it lacks written as `empty` says; objects in it too. */
function filled(shape: Shape, given: Json, empty: Empty): Json {
  const body: Json = { ...given };
  for (const [key, field] of Object.entries(shape)) {
    if (key === "*" || field === acting.user || field === acting.user_id) continue;
    const there = body[key] != null && field.kind !== "ignored";
    if (there && field.shape) body[key] = filled(field.shape, body[key], empty);
    else if (there && field.of?.shape && typeof body[key] === "object")
      body[key] = each(body[key], (one) => filled(field.of!.shape!, one, empty));
    else if (!there && !field.needed) {
      const value = empty(field);
      if (value !== undefined) body[key] = value;
    }
  }
  return body;
}

const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const each = (value: Json, change: (one: Json) => Json): Json =>
  Array.isArray(value)
    ? value.map((one) => (isObject(one) ? change(one) : one))
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isObject(one) ? change(one) : one]));

const rowOf = (name: string): EndpointRow => endpoints[name as Described];
const routeOf = (name: string): string => `${rowOf(name).method} ${rowOf(name).path}`;
const successOf = (name: string): Case =>
  cases.find((row) => row.route === routeOf(name) && row.code === undefined)!;

/** An answer without what is another in every room: times, made ids, names of rooms. */
const still = (answer: Answer): string =>
  `${answer.status} ${JSON.stringify({ ...answer.json, duration: "" })}`
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "an id")
    .replace(/"(next|prev)":"[^"]+"/g, '"$1"')
    .replace(/room-[\w-]*?\d+/g, "a room")
    .replace(/!members-[\w-]+/g, "a room")
    .replace(/([?&](?:sig|signature|expires|Expires|exp)=)[^"&]+/g, "$1")
    .replace(/\b1[5-9]\d{8,14}\b/g, "a time");

/** The answer to a success of the contract, made anew in a room of its own. */
async function answerTo(row: Case, change: (asked: Asked) => Asked): Promise<Answer> {
  const room = await world.room();
  room.extra = (await row.given?.(room)) ?? {};
  const { method, path } = fill(row.route, room, row.path?.(room));
  if (!hosted) await jobsAreOver(world);
  return world.call(row.as, method, path, change(row.ask?.(room) ?? {}));
}

const payload = (name: string): boolean => rowOf(name).payload === true;
const withBody = (name: string, asked: Asked, body: (given: Json) => Json): Asked =>
  payload(name)
    ? { ...asked, query: { ...asked.query, payload: body(asked.query?.payload ?? {}) } }
    : { ...asked, body: body(asked.body ?? {}) };

describe.skipIf(hosted)("a field that nobody set changes nothing, however a client writes that", () => {
  for (const [name, shape] of Object.entries(bodies as Record<string, Shape>))
    test(`${routeOf(name)}: ${name}`, async () => {
      const row = successOf(name);
      const ask = async (change: (asked: Asked) => Asked): Promise<string> =>
        still(await answerTo(row, change));
      const same = (asked: Asked): Asked => asked;
      const plain = await ask(same);
      const wants = async (how: string, change: (asked: Asked) => Asked): Promise<void> => {
        if ((await ask(change)) === plain) return;
        expect(await anew(() => ask(change)), how).toBe(await anew(() => ask(same)));
      };
      for (const [how, empty] of Object.entries(EMPTIES)) {
        const sent = (asked: Asked): Asked => withBody(name, asked, (given) => filled(shape, given, empty));
        if (JSON.stringify(sent({})) !== JSON.stringify(withBody(name, {}, same))) await wants(how, sent);
      }
      if (shape.user_id === acting.user_id)
        await wants("an acting user without a name", (asked) => withoutName(name, asked));
    });
});

/** An acting user that is empty in one place is looked for in the next. */
function withoutName(name: string, asked: Asked): Asked {
  const filledIn = withBody(name, asked, (given) => ({
    ...given,
    user: given.user ?? { id: "" },
    user_id: given.user_id ?? "",
  }));
  return { ...filledIn, query: { user_id: "", ...filledIn.query } };
}

/** Where a server may name who acts; in the other places stands nobody. */
const PLACES: Record<string, (id: string) => { query: Json; user: Json; user_id: Json }> = {
  "the query": (id) => ({ query: id, user: { id: "" }, user_id: "" }),
  user: (id) => ({ query: "", user: { id }, user_id: "" }),
  user_id: (id) => ({ query: "", user: {}, user_id: id }),
};

describe.skipIf(hosted)("the acting user of a server is the first who is named, wherever that is", () => {
  const acted = Object.entries(bodies as Record<string, Shape>).filter(
    ([name, shape]) => shape.user_id === acting.user_id && /^(ada|bob|cyd|dan|mod)$/.test(successOf(name).as),
  );
  test.each(acted.map(([name]) => [routeOf(name), name] as const))("%s: %s", async (_, name) => {
    const row = successOf(name);
    const named = (place: string) => async (): Promise<string> => {
      const { query, user, user_id } = PLACES[place]!(row.as);
      const ask = (asked: Asked): Asked => {
        const body = withBody(name, asked, (given) => ({ ...given, user, user_id }));
        return { ...body, query: { ...body.query, user_id: query } };
      };
      return still(await answerTo({ ...row, as: "server" }, ask));
    };
    const first = await named("the query")();
    for (const place of ["user", "user_id"])
      if ((await named(place)()) !== first)
        expect(await anew(named(place)), place).toBe(await anew(named("the query")));
  });
});
