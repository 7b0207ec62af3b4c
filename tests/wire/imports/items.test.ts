/** Splitting import files into items: the result is the same wherever a chunk of the file ends (specification/admin.md §10). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitItems, itemForm, type ItemForm } from "../../../src/wire/imports/items.ts";

/** Reads the bytes like a job: each chunk starts where the last complete item ended, and is larger when no item fits. */
function readIn(bytes: Uint8Array, form: ItemForm, piece: number): string[] {
  const items: string[] = [];
  for (let at = 0, length = piece; ;) {
    const part = bytes.subarray(at, at + length);
    const last = at + part.length >= bytes.length;
    const cut = splitItems(part, form, { isFirst: at === 0, last });
    items.push(...cut.items);
    at += cut.consumed;
    if (last && cut.consumed === part.length) return items;
    if (last) return items;
    length = cut.consumed === 0 ? length * 2 : piece;
  }
}

const values = fc.array(
  fc.dictionary(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.oneof(fc.jsonValue(), fc.constant('"]},{[\\')),
  ),
  { maxLength: 12 },
);

test.each(["lines", "array"] as const)(
  "a file of the form %s is split into the same items with every chunk size",
  (form) => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 400 }), fc.boolean(), (list, piece, pretty) => {
        const text =
          form === "array"
            ? JSON.stringify(list, null, pretty ? 2 : 0)
            : list.map((one) => JSON.stringify(one)).join(pretty ? "\r\n\n" : "\n");
        const bytes = new TextEncoder().encode(text);
        const items = readIn(bytes, form, piece);
        expect(items.map((item) => JSON.parse(item) as unknown)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 300, seed: 7 },
    );
  },
);

describe("the form of a file", () => {
  const of = (text: string): ItemForm | undefined => itemForm(new TextEncoder().encode(text));
  test("is recognised by its first character after blanks and a byte order mark", () => {
    expect([of("\uFEFF \n[{}]"), of('{"type":1}'), of(" \n\t"), of("")]).toEqual([
      "array",
      "lines",
      undefined,
      undefined,
    ]);
  });

  test("a list among the items is an item, and two arrays one after the other are one", () => {
    const of = (text: string, piece: number): string[] =>
      readIn(new TextEncoder().encode(text), "array", piece);
    for (const piece of [2, 3, 100])
      expect(of('[[1,[2]],{"a":[]}, [ ] ]', piece)).toEqual(["[1,[2]]", '{"a":[]}', "[ ]"]);
    expect(of('[{"a":1}]\n[{"b":2}]', 100)).toEqual(['{"a":1}', '{"b":2}']);
    expect(of("[[[]]]", 100)).toEqual(["[[]]"]);
    expect(of("[]", 100)).toEqual([]);
  });

  test("an incomplete item at the end of the file is an item too", () => {
    const bytes = new TextEncoder().encode('[{"a":1},{"b":');
    expect(splitItems(bytes, "array", { isFirst: true, last: true }).items).toEqual(['{"a":1}', '{"b":']);
    expect(splitItems(bytes, "array", { isFirst: true, last: false })).toEqual({
      items: ['{"a":1}'],
      consumed: 9,
    });
  });
});
