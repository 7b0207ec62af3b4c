/** Malformed answers to every call become errors with a message, never a crash, a loop or high memory use. */
import { expect, test } from "vitest";
import { isExcessive, parseBounded } from "../../../src/wire/bounded-json.ts";
import { decodeReply } from "../../../src/core/http/decode.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../../src/wire/endpoints/index.ts";
import { isPromised, rowsOf, sample } from "../../support/wrong-values.ts";

const names = Object.keys(endpoints) as EndpointName[];
const answerRows = (name: EndpointName) => rowsOf((endpoints[name] as EndpointRow).answer?.() ?? {});
const validReply = (name: EndpointName, bare = false): Record<string, unknown> =>
  Object.fromEntries(answerRows(name).map(([key, field]) => [key, sample(field, 0, bare)]));

/** The result of a call that is answered with this text and status 200. */
function outcomeOf(name: EndpointName, text: string): string {
  try {
    decodeReply(name, { status: 200, headers: {}, text }, "r1");
    return "taken";
  } catch (error) {
    const { name: kind, code, message } = error as Error & { code?: string };
    expect([kind, code]).toEqual(["TransportError", "ERR_BAD_RESPONSE"]);
    expect(message).not.toMatch(/undefined|null|is not a function|Cannot read/);
    return message;
  }
}

test("a correct answer is accepted, also with unknown keys", () => {
  for (const name of names)
    expect([name, outcomeOf(name, JSON.stringify({ ...validReply(name), more: { of: "it" } }))]).toEqual([
      name,
      "taken",
    ]);
});
test.each(["[]", "null", '"text"', "1", "", "<html>", "{", '{"a":'])(
  "%s is an invalid answer to every call",
  (text) => {
    for (const name of names) expect([name, outcomeOf(name, text)]).not.toEqual([name, "taken"]);
  },
);
test("{} is refused where keys are required", () => {
  const promised = names.filter((name) => answerRows(name).some(([, field]) => isPromised(field)));
  expect(promised.length).toBeGreaterThan(90);
  for (const name of promised)
    expect([name, outcomeOf(name, "{}")]).toEqual([name, expect.stringMatching(/ is missing$/)]);
});
test("null in place of a required list is an empty list (specification/wire.md §5)", () => {
  let tried = 0;
  for (const name of names)
    for (const [key, field] of answerRows(name)) {
      if (field.kind !== "list" || !isPromised(field)) continue;
      tried++;
      const text = JSON.stringify({ ...validReply(name, true), [key]: null });
      expect(decodeReply(name, { status: 200, headers: {}, text }, "r")).toMatchObject({ [key]: [] });
    }
  expect(tried).toBeGreaterThan(25);
});
test("a key of the wrong kind is refused by its name, at the top and in every entity", () => {
  let tried = 0;
  for (const name of names)
    for (const [key, field] of answerRows(name))
      for (const wrong of [5, "x", [], {}, true, [5], [[]]]) {
        const right = JSON.stringify(sample(field, 0, true));
        const same =
          typeof wrong === typeof JSON.parse(right) &&
          Array.isArray(wrong) === Array.isArray(JSON.parse(right));
        if (same && !(field.item?.kind === "object" && Array.isArray(wrong) && wrong.length > 0)) continue;
        tried++;
        expect([
          name,
          key,
          outcomeOf(name, JSON.stringify({ ...validReply(name, true), [key]: wrong })),
        ]).toEqual([name, key, expect.stringContaining(key)]);
      }
  expect(tried).toBeGreaterThan(500);
});
test("an entity without its id is refused, and missing lists are empty", () => {
  const state = validReply("queryChannels") as { channels: Record<string, unknown>[] };
  delete state.channels[0]!.messages;
  const read = decodeReply("queryChannels", { status: 200, headers: {}, text: JSON.stringify(state) }, "r");
  expect(read).toMatchObject({ channels: [{ messages: [] }] });
  delete state.channels[0]!.channel;
  expect(outcomeOf("queryChannels", JSON.stringify(state))).toContain("channels[0].channel is missing");
});
test("deep or oversized JSON is refused before parsing", () => {
  for (const text of [
    "[".repeat(6_000_000),
    `{"a":${"[".repeat(200)}`,
    '{"a":'.repeat(100_000),
    `[${"[],".repeat(2_000_000)}0]`,
  ]) {
    const before = process.memoryUsage().rss;
    expect(parseBounded(text)).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  }
});
test("brackets inside strings do not count as depth", () => {
  const value = { a: `${"[".repeat(500)}\\"${"{".repeat(500)}`, b: '\\\\"' };
  expect(isExcessive(JSON.stringify(value))).toBe(false);
  expect(parseBounded(JSON.stringify(value))).toEqual(value);
});
