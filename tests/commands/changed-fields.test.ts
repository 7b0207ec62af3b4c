/** The rule of `set --file`: of what a file gives only the fields that differ are sent. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { changedFields, isNoChange } from "../../src/commands/base/bulk/changed-fields.ts";
import { fromCells } from "../../src/commands/base/bulk/given-records.ts";

const FORM = { ids: ["id"], texts: ["name"], lists: ["teams"] };
const any = (): boolean => true;
const ofCells = (now: object, cells: Record<string, string>) =>
  changedFields(now, { fields: fromCells(cells, FORM), cells }, any);

test("of several fields only those that differ are in the change", () => {
  const now = { a: 1, b: { c: [1, 2] }, d: "x" };
  expect(changedFields(now, { fields: { a: 1, b: { c: [1, 2] }, d: "y", e: true } }, any)).toEqual({
    set: { d: "y", e: true },
  });
});

test("an object with its keys in another order is the same", () => {
  expect(changedFields({ a: { x: 1, y: 2 } }, { fields: { a: { y: 2, x: 1 } } }, any)).toEqual({});
});

test("an empty cell and null leave a field as it is, and nothing is no change of an empty one", () => {
  expect(ofCells({ name: "Ana", desk: 4 }, { name: "", desk: "" })).toEqual({});
  expect(changedFields({ name: "Ana" }, { fields: { name: null } }, any)).toEqual({});
  expect(changedFields({ teams: [] }, { fields: { teams: "", language: "" } }, any)).toEqual({});
  expect(changedFields({ name: "Ana" }, { fields: { name: "" } }, any)).toEqual({ set: { name: "" } });
});

test("fields that cannot be set are left alone, also as a path, unless a person names them", () => {
  const isSettable = (name: string): boolean => name !== "online";
  const given = { fields: { online: true, "online.since": 3, desk: 4 } };
  expect(changedFields({}, given, isSettable)).toEqual({ set: { desk: 4 } });
  expect(changedFields({}, { fields: {} }, isSettable, { set: { online: true } })).toEqual({
    set: { online: true },
  });
});

test("a path is compared with what is at its end", () => {
  const now = { address: { floor: 4, city: "Oslo" } };
  expect(ofCells(now, { "address.floor": "4", "address.city": "Rome" })).toEqual({
    set: { "address.city": "Rome" },
  });
});

test("what a person names for all wins over the file, and is sent to those who differ in it", () => {
  const asked = { set: { desk: 4 }, unset: ["status"] };
  const given = { fields: { desk: 7, status: "out" } };
  expect(changedFields({ desk: 4, status: "in" }, given, any, asked)).toEqual({ unset: ["status"] });
  expect(changedFields({ desk: 7 }, given, any, asked)).toEqual({ set: { desk: 4 } });
  expect(isNoChange(changedFields({ desk: 4 }, given, any, asked))).toBe(true);
});

test("a text that looks like a number, a flag or JSON is the same when it is printed in a cell", () => {
  const now = { number: "7", flag: "true", json: "[1]", zero: "007", count: 7, on: true };
  const cells = Object.fromEntries(Object.entries(now).map(([name, value]) => [name, String(value)]));
  expect(ofCells(now, cells)).toEqual({});
  expect(ofCells(now, { ...cells, count: "8" })).toEqual({ set: { count: 8 } });
});

test("any object of fields given as it is changes nothing, as JSON and in cells", () => {
  const name = fc.stringMatching(/^[a-z]{1,6}$/);
  const fields = fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(fields, (now) => {
      expect(changedFields(now, { fields: structuredClone(now) }, any)).toEqual({});
      const simple = Object.entries(now).filter(([, value]) => typeof value !== "object");
      expect(ofCells(now, Object.fromEntries(simple.map(([key, value]) => [key, String(value)])))).toEqual(
        {},
      );
    }),
  );
});

test.each(["red blue", "red, blue", "red;blue", "red|blue", " red ,; blue | ", '["red","blue"]'])(
  "the words of a list may stand in its cell in many ways: '%s'",
  (cell) => {
    expect(fromCells({ id: "1", teams: cell, name: cell }, FORM)).toEqual({
      id: "1",
      teams: ["red", "blue"],
      name: cell,
    });
  },
);
