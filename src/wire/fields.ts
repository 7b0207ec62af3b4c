/** Describes JSON objects as rows, from which types, checks, the printed protocol and tests are made. */
import type { Filter, Sort } from "./entities/query.ts";

/*
 * A shape is a table of rows by key: `{ name: need(text(255)), options: list(object(option), 100), votes: whole(1, 10) }`.
 * `Infer<typeof shape>` is the type of what travels, `Values<typeof shape>` what reading gives (times are whole microseconds then).
 * A row alone may be absent; `need(row)` must be there; `orNull(row)` may be null, which clears in a request and is told in an answer.
 * `paths(shape)` is what a partial update sets: dotted paths of that shape.
 * `orBlank(row)` may be `""`, which takes a name away; `orId(object(shape))` may be the id alone; `ignored(...keys)` are the provider's own.
 * The key `"*"` holds `custom(bytes)`: keys without a row are custom fields of the object. Without it they are ignored.
 * A body is described in `bodies/<subject>.ts` under the name of its endpoint; `Check.read` of the provider reads it.
 * Rows are data: who wants the types alone writes `import type` and loads nothing.
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
  readonly needed?: true;
  readonly nulls?: true;
  readonly blanks?: true;
  /** An object's id alone will do. */
  readonly idAlone?: true;
  /** Smallest number. */
  readonly least?: number;
  /** Most characters, entries, bytes of custom data, or the largest number. */
  readonly most?: number;
  /** The value when nobody says. */
  readonly normal?: number;
  readonly values?: readonly string[];
  /** What each entry of a list or of a map is. */
  readonly of?: Field;
  readonly shape?: Shape;
  /** Name of its TypeScript type in the printed protocol, where a row does not tell it. */
  readonly type?: string;
  /** Another sentence than that of its kind. */
  readonly says?: string;
  /** Types only, nothing at run time. */
  readonly types?: { readonly wire: Wire; readonly value: Value };
}

export type Shape = { readonly [key: string]: Field };

/** A text; `""` is a value. */
export const text = (most = 5000): Field<string> => ({ kind: "text", most });
/** A name of something: an id, a user, a role, a block list. `""` is none. */
export const id = (most = 255): Field<string> => ({ kind: "id", most });
export const flag = (): Field<boolean> => ({ kind: "flag" });
export const whole = (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Field<number> => ({
  kind: "whole",
  least,
  most,
});
export const number = (least = -Infinity, most = Infinity): Field<number> => ({
  kind: "number",
  least,
  most,
});
type Always = { readonly normal: number };
/** Rows of a page: above the most it is clamped. */
export const limit = ([normal, most]: readonly [number, number]): Field<number> & Always => ({
  kind: "limit",
  normal,
  most,
});
/** How many rows of a list come before the page. */
export const offset = (most: number): Field<number> & Always => ({
  kind: "whole",
  least: 0,
  most,
  normal: 0,
});
/** An RFC 3339 date; of the year 1 it is none. */
export const time = (): Field<string, number> => ({ kind: "time" });
/** One of these texts; `""` is none of them and absent. */
export const choice = <const T extends readonly string[]>(...values: T): Field<T[number]> => ({
  kind: "choice",
  values,
});
export const list = <W, V>(of: Field<W, V>, most = Infinity): Field<W[], V[]> => ({ kind: "list", of, most });
/** An object whose keys are data. */
export const map = <W, V>(of: Field<W, V>, most = Infinity): Field<Record<string, W>, Record<string, V>> => ({
  kind: "map",
  of,
  most,
});
/** Dotted paths into an object of that shape, and what is set there; null takes away, and what the shape does not know is custom. */
export const paths = (shape: Shape): Field<Record<string, unknown>> => ({
  kind: "map",
  of: any(),
  shape: Object.fromEntries(
    Object.entries(shape).flatMap(([key, { needed: _needed, ...field }]) =>
      field.kind === "ignored" || field.kind === "custom" ? [] : [[key, { ...field, nulls: true }]],
    ),
  ),
});
export const object = <S extends Shape>(shape: S): Field<Infer<S>, Values<S>> => ({ kind: "object", shape });
/** A filter of the query language, compiled where it is used. */
export const filter = (): Field<Filter> => ({ kind: "filter" });
export const sort = (): Field<Sort> => ({ kind: "sort" });
/** Any JSON value, looked at elsewhere; `type` names its TypeScript type in the printed protocol. */
export const any = <T = unknown>(type?: string): Field<T> => ({ kind: "any", ...(type ? { type } : {}) });
/** The row of `"*"`: further keys are custom fields, together at most so many bytes of JSON. */
export const custom = (most: number): Field => ({ kind: "custom", most });

/** Keys that the provider writes and tells: who sends an object back whole sends them too, and they count for nothing. */
export const ignored = <K extends string>(...keys: readonly K[]): { readonly [P in K]: Field<never> } =>
  Object.fromEntries(keys.map((key) => [key, { kind: "ignored" }])) as { [P in K]: Field<never> };

/** The keys that count for nothing when an object is sent back whole. */
export const ignoredOf = (shape: Shape): string[] =>
  Object.keys(shape).filter((key) => shape[key]!.kind === "ignored");

/** Must be there. */
export const need = <F extends Field>(field: F): F & { readonly needed: true } => ({
  ...field,
  needed: true,
});
/** May be null, which is not the same as absent. */
export const orNull = <W, V>(field: Field<W, V>): Field<W | null, V | null> =>
  ({ ...field, nulls: true }) as Field<W | null, V | null>;
/** `""` is a value of its own: none of them, where absent leaves what there is. */
export const orBlank = <W, V>(field: Field<W, V>): Field<W | "", V | ""> =>
  ({ ...field, blanks: true }) as Field<W | "", V | "">;
/** The object, or its id alone as a text. */
export const orId = <W, V>(field: Field<W, V>): Field<W | string, V | string> =>
  ({ ...field, idAlone: true }) as Field<W | string, V | string>;
/** Refused with another sentence than that of its kind. */
export const saying = <F extends Field>(field: F, says: string): F => ({ ...field, says });

type Types<F> = F extends { readonly types?: { readonly wire: infer W; readonly value: infer V } }
  ? { wire: W; value: V }
  : never;
type Known<S> = {
  [K in keyof S]: K extends "*" ? never : Types<S[K]>["wire"] extends never ? never : K;
}[keyof S];
type Needed<S> = { [K in Known<S>]: S[K] extends { readonly needed: true } ? K : never }[Known<S>];
/** There after reading: it must be, or has a normal value. */
type Sure<S> = { [K in Known<S>]: S[K] extends { readonly needed: true } | Always ? K : never }[Known<S>];
type Flat<T> = { [K in keyof T]: T[K] };
type Further<S> = S extends { readonly "*": Field } ? { [custom: string]: unknown } : unknown;

/** What travels. */
export type Infer<S extends Shape> = Flat<
  { [K in Needed<S>]: Types<S[K]>["wire"] } & { [K in Exclude<Known<S>, Needed<S>>]?: Types<S[K]>["wire"] }
> &
  Further<S>;

/** What reading gives: keys without a row under `custom`, times in whole microseconds. */
export type Values<S extends Shape> = Flat<
  { [K in Sure<S>]: Types<S[K]>["value"] } & {
    [K in Exclude<Known<S>, Sure<S>>]: Types<S[K]>["value"] | undefined;
  }
> &
  (S extends { readonly "*": Field } ? { custom: Record<string, unknown> } : unknown);
