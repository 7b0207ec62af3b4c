/** Unknown keys of a body are found at any depth; open objects accept any key. */
import { expect, test } from "vitest";
import { custom, flag, list, map, object, text } from "../../src/wire/entities/fields.ts";
import { keysAt, strayKeys } from "../../src/wire/stray-keys.ts";

const shape = {
  name: text(),
  parts: list(object({ id: text() })),
  by_id: map(object({ on: flag() })),
  open: object({ id: text(), "*": custom(100) }),
  free: map(text()),
};

test("unknown keys are reported with their paths", () => {
  const body = {
    name: "x",
    nmae: "y",
    parts: [{ id: "a" }, { id: "b", di: 1 }],
    by_id: { a: { on: true, off: false } },
    open: { anything: 1 },
    free: { a: "b" },
    toString: 1,
  };
  expect(strayKeys(shape, body)).toEqual(["nmae", "parts.1.di", "by_id.a.off", "toString"]);
});

test("the suggestions for an unknown key are the keys of the same object", () => {
  expect([
    keysAt(shape, []),
    keysAt(shape, ["parts", "1"]),
    keysAt(shape, ["by_id", "a"]),
    keysAt(shape, ["name"]),
  ]).toEqual([["name", "parts", "by_id", "open", "free"], ["id"], ["on"], []]);
});
