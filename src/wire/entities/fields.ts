/** Describes JSON objects as rows, from which types, checks, the printed protocol and tests are derived. */
import type { EntityTypes } from "./index.ts";
import type { Filter, Sort } from "./query.ts";

/*
 * A shape is a table of rows by key: `{ name: need(text(255)), options: list(object(option), 100), votes: whole(1, 10) }`.
 * `Infer<typeof shape>` is the wire type, `Values<typeof shape>` the type after reading (with times in whole microseconds).
 * A row is optional; `need(row)` is required; `orNull(row)` may be null, which clears a value in a request and is sent in an answer.
 * `paths(shape)` is what a partial update sets: dotted paths of that shape.
 * `orBlank(row)` may be `""`, which removes a name; `orId(object(shape))` may be just the id; `ignored(...keys)` are keys managed by the provider.
 * The key `"*"` holds `custom(bytes)`: keys without a row are custom fields of the object. Without it they are ignored.
 * A body is described in `bodies/<subject>.ts` under the name of its endpoint; `Check.read` of the provider reads it.
 * An entity or answer is `shape(() => ({ … }))`. `entity("User")` is another one by its name; its type is `interface User extends Infer<typeof User> {}`.
 * Rows are data: `import type` gives the types without loading them.
 */

export type FieldKind =
  | "text"
  | "id"
  | "flag"
  | "whole"
  | "limit"
  | "number"
  | "time"
  | "choice"
  | "list"
  | "map"
  | "object"
  | "filter"
  | "sort"
  | "any"
  | "custom"
  | "ignored";

export interface Field<Wire = unknown, Value = Wire> {
  readonly kind: FieldKind;
  readonly required?: true;
  readonly nulls?: true;
  readonly blanks?: true;
  /** The id may be given instead of the object. */
  readonly allowsId?: true;
  readonly min?: number;
  /** Maximum number of characters, entries or bytes of custom data, or the maximum number itself. */
  readonly max?: number;
  readonly default?: number;
  readonly values?: readonly string[];
  /** The field of each entry of a list or map. */
  readonly item?: Field;
  readonly shape?: Shape;
  /** The shape by name, since entities refer to each other in circles: `shapeOf` of index.ts. */
  readonly entity?: keyof EntityTypes;
  /** Only some rows of the entity; those of `shape` in any case. */
  readonly partial?: true;
  /** Name of its TypeScript type in the printed protocol, if the row does not imply it. */
  readonly type?: string;
  /** Replaces the error message of its kind. */
  readonly message?: string;
  /** A custom field that is so common that it has a row. */
  readonly custom?: true;
  /** Types only, nothing at run time. */
  readonly types?: { readonly wire: Wire; readonly value: Value };
}

export type Shape = { readonly [key: string]: Field };
/** A shape that is made when it is first read: there are hundreds of rows, and a start of the program reads few. */
export type LazyShape<S extends Shape = Shape> = () => S;

export function shape<S extends Shape>(make: LazyShape<S>): LazyShape<S> {
  let shape: S | undefined;
  return () => (shape ??= make());
}

/** A text; `""` counts as a value. */
export const text = (max = 5000): Field<string> => ({ kind: "text", max });
/** An id or name, such as of a user, role or block list. `""` counts as absent. */
export const id = (max = 255): Field<string> => ({ kind: "id", max });
export const flag = (): Field<boolean> => ({ kind: "flag" });
export const whole = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Field<number> => ({
  kind: "whole",
  min,
  max,
});
export const number = (min = -Infinity, max = Infinity): Field<number> => ({
  kind: "number",
  min,
  max,
});
type WithDefault = { readonly default: number };
/** The size of a page, clamped to the maximum. */
export const limit = ([initial, max]: readonly [number, number]): Field<number> & WithDefault => ({
  kind: "limit",
  default: initial,
  max,
});
/** How many rows of a list precede the page. */
export const offset = (max: number): Field<number> & WithDefault => ({
  kind: "whole",
  min: 0,
  max,
  default: 0,
});
/** An RFC 3339 date; the year 1 counts as absent. */
export const time = (): Field<string, number> => ({ kind: "time" });
/** One of these texts; `""` counts as absent. */
export const choice = <const T extends readonly string[]>(...values: T): Field<T[number]> => ({
  kind: "choice",
  values,
});
/** One of these texts, or any other. */
export const known = <const T extends readonly string[]>(...values: T): Field<T[number] | (string & {})> => ({
  kind: "text",
  values,
});
export const list = <W, V>(item: Field<W, V>, max = Infinity): Field<W[], V[]> => ({
  kind: "list",
  item,
  max,
});
/** An object whose keys are data. */
export const map = <W, V>(
  item: Field<W, V>,
  max = Infinity,
): Field<Record<string, W>, Record<string, V>> => ({
  kind: "map",
  item,
  max,
});
/** Dotted paths into an object of that shape, with the values to set; null removes, and unknown paths are custom. */
export const paths = (shape: Shape): Field<Record<string, unknown>> => ({
  kind: "map",
  item: any(),
  shape: Object.fromEntries(
    Object.entries(shape).flatMap(([key, { required: _required, ...field }]) =>
      field.kind === "ignored" || field.kind === "custom" ? [] : [[key, { ...field, nulls: true }]],
    ),
  ),
});
export const object = <S extends Shape>(shape: S): Field<Infer<S>, Values<S>> => ({ kind: "object", shape });
/** An entity by its name in `EntityTypes`, perhaps with further rows. */
export function entity<N extends keyof EntityTypes>(name: N): Field<EntityTypes[N]>;
export function entity<N extends keyof EntityTypes, S extends Shape>(
  name: N,
  shape: S,
): Field<EntityTypes[N] & Infer<S>>;
export function entity(name: keyof EntityTypes, shape?: Shape): Field {
  return { kind: "object", entity: name, ...(shape && { shape }) };
}
/** Some rows of an entity, and these in any case. */
export const partOf = <N extends keyof EntityTypes, S extends Shape>(
  name: N,
  shape: S,
): Field<Partial<EntityTypes[N]> & Infer<S>> => ({ kind: "object", entity: name, partial: true, shape });
/** A filter of the query language, compiled where it is used. */
export const filter = (): Field<Filter> => ({ kind: "filter" });
export const sort = (): Field<Sort> => ({ kind: "sort" });
/** Any JSON value, checked elsewhere; `type` names its TypeScript type in the printed protocol. */
export const any = <T = unknown>(type?: string): Field<T> => ({ kind: "any", ...(type ? { type } : {}) });
/** The row of `"*"`: other keys are custom fields, limited to this many bytes of JSON together. */
export const custom = (max: number): Field => ({ kind: "custom", max });

type Ignored = Field<never> & { readonly kind: "ignored" };
/** Keys managed by the provider: accepted and ignored when an object is sent back whole. */
export const ignored = <K extends string>(...keys: readonly K[]): { readonly [P in K]: Ignored } =>
  Object.fromEntries(keys.map((key) => [key, { kind: "ignored" }])) as { [P in K]: Ignored };

/** The rows of a body, and the other keys of an entity as ignored ones, so that it may be sent back whole; custom ones stay custom. */
export const sentBack = <S extends Shape, E extends Shape, K extends string = never>(
  rows: S,
  entity: LazyShape<E>,
  ...also: readonly K[]
): S & { readonly [P in Exclude<keyof E, keyof S> | K]: Ignored } =>
  ({
    ...ignored(...builtInKeys(entity()).filter((key) => !Object.hasOwn(rows, key)), ...also),
    ...rows,
  }) as never;

export const builtInKeys = (shape: Shape): string[] =>
  Object.keys(shape).filter((key) => key !== "*" && !shape[key]!.custom);

export const ignoredOf = (shape: Shape): string[] =>
  Object.keys(shape).filter((key) => shape[key]!.kind === "ignored");

export const need = <F extends Field>(field: F): F & { readonly required: true } => ({
  ...field,
  required: true,
});
/** The same rows, none of them required. */
export const optional = <S extends Shape>(shape: S): { [K in keyof S]: Omit<S[K], "required"> } =>
  Object.fromEntries(
    Object.entries(shape).map(([key, { required: _required, ...field }]) => [key, field]),
  ) as S;
/** Allows null, which differs from absent. */
export const orNull = <W, V>(field: Field<W, V>): Field<W | null, V | null> =>
  ({ ...field, nulls: true }) as Field<W | null, V | null>;
/** Allows `""`, which clears the value, while absent leaves it unchanged. */
export const orBlank = <W, V>(field: Field<W, V>): Field<W | "", V | ""> =>
  ({ ...field, blanks: true }) as Field<W | "", V | "">;
/** Allows the id as a text instead of the object. */
export const orId = <W, V>(field: Field<W, V>): Field<W | string, V | string> =>
  ({ ...field, allowsId: true }) as Field<W | string, V | string>;
/** A custom field that is so common that it has a row. */
export const usualCustom = <F extends Field>(field: F): F => ({ ...field, custom: true });
/** Replaces the error message of a field. */
export const withProblem = <F extends Field>(field: F, message: string): F => ({ ...field, message });

type Types<F> = F extends { readonly types?: { readonly wire: infer W; readonly value: infer V } }
  ? { wire: W; value: V }
  : never;
type Needed = { readonly required: true };
/** Keys that have a type; they are renamed, not listed, so that editors show the comments of the rows. */
type Typed<K, F> = K extends "*" ? never : F extends { readonly kind: "ignored" } ? never : K;
type KeyIf<K, F, Mark> = F extends Mark ? Typed<K, F> : never;
type KeyUnless<K, F, Mark> = F extends Mark ? never : Typed<K, F>;
type Simplify<T> = { [K in keyof T]: T[K] };
type CustomKeys<S> = S extends { readonly "*": Field } ? { [custom: string]: unknown } : unknown;

export type Infer<S extends Shape | LazyShape> =
  S extends LazyShape<infer Made> ? Wire<Made> : S extends Shape ? Wire<S> : never;
type Wire<S extends Shape> = Simplify<
  { -readonly [K in keyof S as KeyIf<K, S[K], Needed>]: Types<S[K]>["wire"] } & {
    -readonly [K in keyof S as KeyUnless<K, S[K], Needed>]?: Types<S[K]>["wire"];
  }
> &
  CustomKeys<S>;

/** The type after reading: keys without a row under `custom`, times in whole microseconds. */
export type Values<S extends Shape> = Simplify<
  { -readonly [K in keyof S as KeyIf<K, S[K], Needed | WithDefault>]: Types<S[K]>["value"] } & {
    -readonly [K in keyof S as KeyUnless<K, S[K], Needed | WithDefault>]: Types<S[K]>["value"] | undefined;
  }
> &
  (S extends { readonly "*": Field } ? { custom: Record<string, unknown> } : unknown);
