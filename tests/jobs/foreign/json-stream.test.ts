/** Streams of JSON are cut into the same members wherever their bytes are divided, and what is broken is one problem. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { foreignId } from "../../../src/jobs/foreign/base/ids.ts";
import { jsonParts, lineElements, listElements } from "../../../src/jobs/foreign/base/json-stream.ts";

async function* pieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const members = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5, noNullPrototype: true });

test("the members of entered containers are those of the whole text, for pieces of any length", async () => {
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(2),
      async (head, list, length, indent) => {
        const { messages: _, ...rest } = head;
        const text = JSON.stringify({ ...rest, messages: list }, null, indent);
        const found: [string, string, unknown][] = [];
        for await (const parts of jsonParts(pieces(text, length), { enter: (path) => path === "messages" }))
          for (const part of parts) {
            expect(part).not.toHaveProperty("problem");
            if ("key" in part) found.push([part.path, part.key, part.value]);
          }
        const whole = JSON.parse(text) as typeof rest;
        expect(found.filter(([path]) => path === "messages").map(([, , value]) => value)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
        expect(found.filter(([path]) => path === "").map(([, key, value]) => [key, value])).toEqual(
          Object.entries(whole).filter(([key]) => key !== "messages"),
        );
      },
    ),
  );
});

test.each<[string, string]>([
  ["[1,2", "cut in the middle"],
  ['["a', "cut in the middle"],
  ["[1,", "without its end"],
  ['{"a":1}', "not a list"],
  ["[1:2]", "not valid JSON, or beyond the bounds of an element"],
  ["hello", "neither a list nor an object"],
])("the list %j is said to be %s", async (text, problem) => {
  const found = (await Array.fromAsync(listElements(pieces(text, 3)))).flat();
  expect(found.filter((one) => "problem" in one)).toContainEqual(expect.objectContaining({ problem }));
});

test("lines are read in pieces of any length, and empty ones are none", async () => {
  for (const length of [1, 2, 7, 100]) {
    const found = (await Array.fromAsync(lineElements(pieces('\uFEFF{"a":"é"}\r\n\n[1]\n{', length)))).flat();
    expect(found).toEqual([{ value: { a: "é" } }, { value: [1] }, { problem: expect.any(String) }]);
  }
});

test("ids of different keys are different, valid and the same in every run", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: "grapheme" }),
      fc.string({ minLength: 1, unit: "grapheme" }),
      (one, other) => {
        const [a, b] = [foreignId("x-", one), foreignId("x-", other)];
        expect(a).toMatch(/^[\w-]{1,64}$/);
        expect(foreignId("x-", one)).toBe(a);
        if (one.normalize("NFC") !== other.normalize("NFC")) expect(a).not.toBe(b);
      },
    ),
  );
  expect(
    new Set(["a b", "a_b", "a.b", "a-b", "x".repeat(80), "x".repeat(81)].map((key) => foreignId("", key)))
      .size,
  ).toBe(6);
});
