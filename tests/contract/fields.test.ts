/** Every documented field of every route with a wrong type, missing, too long, too many, too deep: code 4 that names exactly the field. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "./cases.ts";
import { fill, STATUS, type Case } from "./case.ts";
import { fieldsOf, rowsOf, WRITTEN, writtenOf, type Field } from "./fields.ts";
import { jobsAreOver, watchStored } from "./stored.ts";
import { EmbeddedOnly, hosted, World, type RequestInput, type Json } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const nested = (depth: number): Json => (depth === 0 ? { id: "x" } : { $and: [nested(depth - 1)] });

/** Values that are wrong for a field; `undefined` leaves the field out. */
function wrongValuesOf({
  kind,
  part,
  required,
  most: maximum,
}: Field): (readonly [what: string, value: Json])[] {
  const inQuery = part === "query";
  const found: [string, Json][] = [];
  if (required) found.push(["missing", undefined]);
  if (kind === "text" && !inQuery) found.push(["a number", 7]);
  if (kind === "flag") found.push(["a text", "perhaps"]);
  if (kind === "count" || kind === "limit" || kind === "offset" || kind === "number")
    found.push(["a text", "many"]);
  if (kind === "count") found.push(["a fraction", 0.5]);
  if (kind === "limit") found.push(["zero", 0]);
  if (kind === "offset") found.push(["a negative number", -1]);
  if (kind === "date") found.push(["no date", "2026-02-31T25:61:00Z"]);
  if (kind === "choice") found.push(["none of its values", "nearly"], ["a number", 7]);
  if (kind === "object" || kind === "filter") found.push(["a text", "tea"], ["a list", [{}]]);
  if (kind === "filter") found.push(["an unknown operator", { id: { $near: "x" } }], ["too deep", nested(6)]);
  if (kind === "list" || kind === "texts" || kind === "sort") found.push(["a text", "tea"]);
  if (kind === "texts") found.push(["a list of numbers", [7]]);
  if (kind === "sort")
    found.push(
      ["a list of texts", ["created_at"]],
      ["no direction", [{ field: "created_at", direction: "up" }]],
    );
  if (kind === "custom") found.push(["over 5 KiB", "x".repeat(6000)]);
  if (maximum !== undefined) {
    if (kind === "text") found.push(["too long", "x".repeat(maximum + 1)]);
    if (kind === "texts") found.push(["too many", Array.from({ length: maximum + 1 }, (_, n) => `u${n}`)]);
    if (kind === "list") found.push(["too many", Array.from({ length: maximum + 1 }, () => ({}))]);
    if (kind === "count" || kind === "offset") found.push(["too large", maximum + 1]);
  }
  return found;
}

/** A copy of the request with that value at the field's path; missing objects on the path are created. */
function spoilt(asked: RequestInput, { part, path }: Field, value: Json): RequestInput {
  const copy: Json = { ...asked, body: structuredClone(asked.body), query: structuredClone(asked.query) };
  let at = part === "body" ? (copy.body ??= {}) : (copy.query ??= {});
  if (part === "payload") at = at.payload ??= {};
  for (const key of path.slice(0, -1)) at = at[key] ??= {};
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return copy;
}

/** The route's successful request, which the wrong requests are derived from. */
const baseOf = (route: string): Case => cases.find((row) => row.route === route && row.code === undefined)!;

async function made(
  row: Case,
): Promise<{ asked: RequestInput; send: (asked: RequestInput) => Promise<Json> }> {
  const room = await world.room();
  room.extra = (await row.prepare?.(room)) ?? {};
  const { method, path } = fill(row.route, room, row.path?.(room));
  return { asked: row.input?.(room) ?? {}, send: (asked) => world.call(row.as, method, path, asked) };
}

/** The name that must appear in the error: the field's path, or `custom` of its object for custom data, which is refused as a whole. */
const namedBy = ({ path, kind }: Field): string =>
  (kind === "custom" ? [...path.slice(0, -1), "custom"] : path).join(".");

/** What is wrong with the answer to one wrong field; undefined when it is code 4 and names the field or something in it. */
function fault(answer: Json, at: string): string | undefined {
  const { status, json } = answer;
  if (status !== STATUS[4] || json.code !== 4) return `${status} ${JSON.stringify(json).slice(0, 200)}`;
  const named = Object.keys(json.exception_fields ?? {});
  if (named.length > 0 && named.every((one) => one === at || one.startsWith(`${at}.`))) return undefined;
  return `named ${JSON.stringify(named)}: ${json.message}`;
}

describe("an invalid field is refused with code 4 and its name", () => {
  for (const route of Object.keys(WRITTEN))
    test(route, async ({ skip }) => {
      const faults: string[] = [];
      try {
        const row = baseOf(route);
        if (hosted && row.embeddedOnly) return skip("a choice of the embedded provider");
        let { asked, send } = await made(row);
        if (!hosted) await jobsAreOver(world);
        for (const field of fieldsOf(route))
          for (const [what, value] of wrongValuesOf(field)) {
            const bytes = hosted ? () => 0 : watchStored(world);
            const answer = await send(spoilt(asked, field, value));
            const wrong = fault(answer, namedBy(field)) ?? (bytes() > 0 ? "changed something" : undefined);
            if (wrong) faults.push(`${field.path.join(".")} ${what} → ${wrong}`);
            if (answer.status < 300) ({ asked, send } = await made(row));
          }
        const whole = await send(asked);
        expect(whole.status, `after all the wrong ones: ${JSON.stringify(whole.json)}`).toBeLessThan(300);
      } catch (error) {
        if (!(error instanceof EmbeddedOnly)) throw error;
        skip(error.message);
      }
      expect(faults).toEqual([]);
    });
});

test("every route with a body has documented fields, except those listed here", () => {
  const written = readFileSync(path.join(import.meta.dirname, "routes.txt"), "utf8")
    .trim()
    .split("\n");
  const silent = written.filter((route) => /^(POST|PUT|PATCH) /.test(route) && !WRITTEN[route]);
  expect(silent).toEqual([
    "POST /channels/{type}/{id}/show",
    "POST /channels/{type}/{id}/stop-watching",
    "POST /messages/{id}/commit",
    // Multipart bodies are tested by the rows of cases-attached.ts.
    "POST /channels/{type}/{id}/file",
    "POST /channels/{type}/{id}/image",
    "POST /uploads/file",
    "POST /uploads/image",
    "POST /campaigns/{id}/stop",
  ]);
  expect(Object.keys(WRITTEN).filter((route) => !written.includes(route))).toEqual([]);
  expect(
    Object.keys(WRITTEN)
      .flatMap(fieldsOf)
      .filter((field) => wrongValuesOf(field).length === 0),
  ).toEqual([]);
});

test("every documented field of a body is tested, except those listed here", () => {
  const missing = Object.keys(WRITTEN).flatMap((route) => {
    const rows = new Set(rowsOf(route).map(({ path }) => path.join(".")));
    return writtenOf(route)
      .filter(({ part, path }) => part !== "query" && !rows.has(path.join(".")))
      .map(({ path }) => `${route} ${path.join(".")}`);
  });
  expect(missing).toEqual([
    "POST /messages/{id}/action form_data.image_action",
    "PATCH /threads/{message_id} set.surplus",
    "PATCH /moderation/reports/{id} user_id",
    "POST /check_push user_id",
  ]);
});
