/** Almost valid requests for every route: its successful request with one value, key or path segment changed. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CODES } from "../../src/wire/errors.ts";
import { cases } from "./cases.ts";
import { drawnSeed, runs } from "../support/proof.ts";
import { TEST_PATIENCE } from "../support/patience.ts";
import { fill, type Case } from "./case.ts";
import { jobsAreOver, watchStored } from "./stored.ts";
import { hosted, World, type RequestInput, type Json } from "./world.ts";

/** Values of every wrong kind: type, size, depth, sign, script, prototype names, other people's ids. */
const WRONG_VALUES: readonly (readonly [name: string, make: () => Json])[] = [
  ["null", () => null],
  ["an empty text", () => ""],
  ["blanks", () => " \t\n"],
  ["a text", () => "near"],
  ["a long text", () => "x".repeat(6000)],
  ["control characters", () => "\u0000\u001b[2J\u202e"],
  ["half a surrogate pair", () => "\ud83d"],
  ["a number", () => 7],
  ["a negative number", () => -1],
  ["a fraction", () => 0.5],
  ["a huge number", () => 1e308],
  ["true", () => true],
  ["an empty list", () => []],
  ["a list of nothings", () => [null, [], {}]],
  ["a long list", () => Array.from({ length: 300 }, (_, n) => `u${n}`)],
  ["an empty object", () => ({})],
  ["an unknown operator", () => ({ $near: 1 })],
  ["names of the prototype", () => JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":2}')],
  ["deep nesting", () => JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`)],
  ["somebody unknown", () => "nobody-at-all"],
  ["a date that is none", () => "2026-02-31T25:61:00Z"],
  ["SQL", () => "'; DROP TABLE users; --"],
];

/** PARLEY_NEAR_RUNS sets the requests per route (up to 20: an app has room for 25 push providers), PARLEY_NEAR_SEED the seed. */
const RUNS = Number(process.env.PARLEY_NEAR_RUNS ?? runs(12, 1));
const SEED = Number(process.env.PARLEY_NEAR_SEED ?? drawnSeed("near valid"));

type Path = (string | number)[];

/** The path of every value in a JSON value, except the value itself. */
function places(value: Json, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key];
    return [path, ...places(inner, path)];
  });
}

/** A copy with another value at the path; `undefined` removes the key. */
function changed(value: Json, path: Path, put: Json): Json {
  const copy = structuredClone(value);
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key];
  const last = path.at(-1)!;
  if (put !== undefined) at[last] = put;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return copy;
}

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Sends one spoilt request of a success case and checks the answer; failures report what was changed. */
async function spoil(row: Case, where: number, what: number): Promise<void> {
  const room = await world.room();
  room.extra = (await row.prepare?.(room)) ?? {};
  const asked: RequestInput = { ...row.input?.(room) };
  const own = { ...row.path?.(room) };
  const all = [
    ...places(asked.body).map((path) => ["body", path] as const),
    ...places(asked.query).map((path) => ["query", path] as const),
    ...(row.route.match(/(?<=\{)\w+(?=\})/g) ?? []).map((name) => ["path", [name]] as const),
    [/^(GET|DELETE) /.test(row.route) ? "query" : "body", ["surprise"]] as const,
  ];
  const [part, path] = all[where % all.length]!;
  const choice = what % (WRONG_VALUES.length + 1);
  const [name, make] = WRONG_VALUES[choice] ?? ["nothing at all", () => undefined];
  let put = make();
  const before = fill(row.route, room, own);
  let target = before;
  if (part === "path") {
    put = typeof put === "string" && put !== "" ? put : "near";
    target = fill(row.route, room, { ...own, [path[0]!]: put.isWellFormed() ? put : "near" });
  } else if (asked.form === undefined) asked[part] = changed(asked[part] ?? {}, [...path], put);
  await jobsAreOver(world);
  const changes = watchStored(world);
  const answer = await world.call(row.as, before.method, target.path, asked);
  const told = `${before.method} ${target.path} with ${name} at ${part} ${path.join(".")}: ${JSON.stringify(answer.json)}`;
  const bytes = changes();
  expect(answer.status, told).toBeLessThan(500);
  if (answer.status < 400) {
    // A suspended app would refuse every following request.
    if (row.route === "PATCH /app") await world.call(row.as, "PATCH", "/app", { body: { suspended: false } });
    return;
  }
  expect(Object.keys(CODES), told).toContain(String(answer.json.code));
  expect(answer.json.message, told).toMatch(/^\w+ failed with error: "[^]+"$/);
  expect(bytes, `${told} changed something`).toBe(0);
}

describe.skipIf(hosted)("an almost valid request gets an answer, or a 4xx that changed nothing", () => {
  const rows = cases.filter((row) => row.code === undefined && row.as !== "nobody" && row.as !== "forger");
  for (const route of new Set(rows.map((row) => row.route)))
    test(
      route,
      async () => {
        const own = rows.filter((row) => row.route === route);
        // An app has room for 25 push providers and few other objects: a long run starts a new provider for each route.
        if (RUNS > 6) {
          await world.stop();
          world = await World.start();
        }
        await fc.assert(
          fc.asyncProperty(fc.nat(own.length - 1), fc.nat(500), fc.nat(500), (which, where, what) =>
            spoil(own[which]!, where, what),
          ),
          { numRuns: RUNS, seed: SEED, endOnFailure: true },
        );
      },
      Math.max(TEST_PATIENCE, 2_000 * RUNS),
    );
});
