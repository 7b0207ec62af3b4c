/** Filters may nest at most five levels, whichever operators they use; the refusal names the place. */
import { expect, test } from "vitest";
import { room } from "./support.ts";

type Json = Record<string, unknown>;

/** A filter with that many levels; only the deepest names a field. */
const nested = (levels: number, operators: readonly string[]): Json =>
  levels === 1 ? { id: "ada" } : { [operators[levels % operators.length]!]: [nested(levels - 1, operators)] };

test.each([[["$and"]], [["$or"]], [["$nor"]], [["$and", "$or"]], [["$nor", "$and", "$or"]]])(
  "%j: five levels are accepted, six are refused",
  (operators) => {
    const b = room();
    const request = (levels: number) => ({ body: { filter_conditions: nested(levels, operators) } });
    expect(() => b.call("ada", "queryUsers", request(5))).not.toThrow();
    const [code, field] = b.refusalOf("ada", "queryUsers", request(6));
    expect(code).toBe(4);
    expect(field).toMatch(/^filter_conditions(\.\$(and|or|nor)\.0){5}$/);
  },
);

test("a branch that is too deep is found beside another one", () => {
  const b = room();
  const filter = { $or: [{ id: "ada" }, nested(5, ["$and"])] };
  expect(b.refusalOf("ada", "queryUsers", { body: { filter_conditions: filter } })[0]).toBe(4);
});
