/** Every field of every body, one by one: values that count as absent are removed, `[]` is an object where one is meant, and nothing else changes. */
import { describe, expect, test } from "vitest";
import { normalizeBody } from "../../src/wire/absent.ts";
import { bodies } from "../../src/wire/bodies/index.ts";
import type { Field, Shape } from "../../src/wire/entities/fields.ts";

const ZERO = "0001-01-01T00:00:00Z";
/** Kinds for which `""` and the year 1 mean "not set". */
const OBJECTS = new Set<Field["kind"]>(["object", "map", "filter"]);
const BLANK_IS_NONE = new Set<Field["kind"]>(["id", "choice", "whole", "time"]);

interface Place {
  name: string;
  field: Field;
  /** A body with this value in the field, and what remains of the field afterwards. */
  leaves(value: unknown): unknown;
}

/** Every field of a shape and of its nested shapes. */
function placesOf(
  root: Shape,
  shape: Shape,
  wrap: (inner: object) => object,
  look: (body: never) => object,
  at: string,
): Place[] {
  return Object.entries(shape).flatMap(([key, field]): Place[] => {
    if (key === "*") return [];
    const name = at + key;
    const own: Place = {
      name,
      field,
      leaves(value) {
        const body = wrap({ [key]: value, kept: null });
        normalizeBody(root, body as Record<string, unknown>);
        const left = look(body as never) as Record<string, unknown>;
        expect(left).toHaveProperty("kept", null);
        return Object.hasOwn(left, key) ? left[key] : "absent";
      },
    };
    const inside = (inner: Shape, put: (one: object) => unknown, get: (value: never) => object): Place[] =>
      placesOf(
        root,
        inner,
        (one) => wrap({ [key]: put(one) }),
        (body) => get((look(body) as Record<string, unknown>)[key] as never),
        `${name}.`,
      );
    const { shape: inner, item: of } = field;
    if (inner)
      return [
        own,
        ...inside(
          inner,
          (one) => one,
          (one) => one,
        ),
      ];
    if (of?.shape && field.kind === "list")
      return [
        own,
        ...inside(
          of.shape,
          (one) => [one],
          (list: object[]) => list[0]!,
        ),
      ];
    if (of?.shape)
      return [
        own,
        ...inside(
          of.shape,
          (one) => ({ a: one }),
          (map: { a: object }) => map.a,
        ),
      ];
    return [own];
  });
}

describe('values that mean "absent" are removed, an empty list is an object where one is meant, and all others stay', () => {
  for (const [name, shape] of Object.entries(bodies as Record<string, Shape>))
    test(name, () => {
      const places = placesOf(
        shape,
        shape,
        (one) => one,
        (body) => body,
        "",
      );
      for (const { name: at, field, leaves } of places) {
        if (field.kind === "ignored") {
          for (const echo of [null, "", "x", 7, { a: 1 }, [ZERO]]) expect(leaves(echo), at).toBe("absent");
          continue;
        }
        expect(leaves(null), `${at} null`).toBe(field.nulls ? null : "absent");
        const none = (field.allowsId || BLANK_IS_NONE.has(field.kind)) && !field.required && !field.blanks;
        expect(leaves(""), `${at} ""`).toBe(none ? "absent" : "");
        expect(leaves(ZERO), `${at} the year 1`).toBe(field.kind === "time" ? "absent" : ZERO);
        expect(leaves([]), `${at} []`).toEqual(OBJECTS.has(field.kind) ? {} : []);
        for (const said of [0, false, "x", "2031-02-03T09:00:00Z"]) expect(leaves(said), at).toBe(said);
      }
    });
});
