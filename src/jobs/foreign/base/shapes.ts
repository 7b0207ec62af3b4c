/** Picks the fields of foreign objects that are used; a value of another type counts as missing. */
import { isObject } from "../../../wire/json-object.ts";

interface ValueKinds {
  string: string;
  number: number;
  boolean: boolean;
  list: unknown[];
  object: object;
}
type Shape = { readonly [field: string]: keyof ValueKinds | Shape };
/** A value with only fields of the right type; any may be missing. */
export type Shaped<S extends Shape> = {
  [F in keyof S]?: S[F] extends keyof ValueKinds
    ? ValueKinds[S[F]]
    : S[F] extends Shape
      ? Shaped<S[F]>
      : never;
};

/** The file is untrusted, and programs write null for missing values. */
export function pickFields<S extends Shape>(value: object, shape: S): Shaped<S> {
  const fields = value as Record<string, unknown>;
  const picked = Object.fromEntries(
    Object.entries<Shape[string]>(shape).flatMap(([field, kind]): [string, unknown][] => {
      const one = fields[field];
      if (typeof kind === "object") return isObject(one) ? [[field, pickFields(one, kind)]] : [];
      if (kind === "list") return Array.isArray(one) ? [[field, one]] : [];
      // Old exports have numbers where newer ones have texts.
      if (kind === "string" && typeof one === "number") return [[field, String(one)]];
      return typeof one === kind && one !== null ? [[field, one]] : [];
    }),
  );
  return picked as Shaped<S>;
}

export const shapedList = <const S extends Shape>(value: unknown, shape: S): Shaped<S>[] =>
  Array.isArray(value) ? value.filter(isObject).map((one) => pickFields(one, shape)) : [];

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
