/** The kinds of fields that a filter may name, each with the SQL of its operators. */
import type { SQLInputValue } from "node:sqlite";
import { normalTime, timeToMicros } from "../../../wire/time.ts";
import type { FilterOperator } from "../../../wire/entities/query.ts";

export interface Sql {
  text: string;
  values: SQLInputValue[];
}

export const EVERY_ROW: Sql = { text: "1", values: [] };
export const NO_ROW: Sql = { text: "0", values: [] };

export interface FilterField {
  ops: readonly FilterOperator[];
  /** These operators (or all) use no index, and cost more per row than comparing a column. */
  unindexed?: true | readonly FilterOperator[];
  /** The SQL condition, or a text that says what is wrong with the argument. `$ne` and `$nin` are derived from `$eq` and `$in`. */
  compile(op: FilterOperator, arg: unknown): Sql | string;
}

export const sql = (text: string, ...values: SQLInputValue[]): Sql => ({ text, values });
const ORDER: Partial<Record<FilterOperator, string>> = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

export const EQUAL: readonly FilterOperator[] = ["$eq", "$in", "$ne", "$nin"];
/** Operators of ids and names in most lists with cursors, and of dates. */
export const ONE_OF: readonly FilterOperator[] = ["$eq", "$in"];
export const DATE_RANGE: readonly FilterOperator[] = ["$eq", "$gt", "$lt", "$gte", "$lte"];

export const RANGE: readonly FilterOperator[] = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"];

/** A column compared with a converted value; `convert` returns undefined for a wrong type. */
function scalar(
  column: string,
  ops: readonly FilterOperator[],
  convert: (arg: unknown) => SQLInputValue | undefined,
  kind: string,
): FilterField {
  return {
    ops,
    unindexed: ["$q", "$autocomplete"],
    compile(op, arg) {
      if (op === "$exists") return sql(`${column} IS ${arg ? "NOT NULL" : "NULL"}`);
      if (op === "$eq" && arg === null) return sql(`${column} IS NULL`);
      if (op === "$autocomplete") return sql(`starts_word(${column}, ?)`, arg as string);
      if (op === "$q") return sql(`has_words(${column}, ?)`, arg as string);
      if (op === "$in") {
        const values = (arg as unknown[]).map(convert);
        if (values.includes(undefined)) return `$in takes a list of ${kind}s`;
        return sql(`${column} IN (${values.map(() => "?").join(", ")})`, ...(values as SQLInputValue[]));
      }
      const value = convert(arg);
      if (value === undefined) return `${op} takes a ${kind}`;
      return sql(`${column} ${ORDER[op] ?? "="} ?`, value);
    },
  };
}

const asText = (arg: unknown): SQLInputValue | undefined => (typeof arg === "string" ? arg : undefined);
const asNumber = (arg: unknown): SQLInputValue | undefined => (typeof arg === "number" ? arg : undefined);
const asBool = (arg: unknown): SQLInputValue | undefined =>
  typeof arg === "boolean" ? Number(arg) : undefined;
const asTime = (arg: unknown): SQLInputValue | undefined =>
  typeof arg === "string" && normalTime(arg) !== undefined ? timeToMicros(arg) : undefined;

export const textField = (column: string, ops = EQUAL): FilterField => scalar(column, ops, asText, "text");
export const numberField = (column: string, ops = RANGE): FilterField =>
  scalar(column, ops, asNumber, "number");
export const boolField = (column: string): FilterField => scalar(column, ["$eq", "$ne"], asBool, "boolean");
export const timeField = (
  column: string,
  ops: readonly FilterOperator[] = [...RANGE, "$exists"],
): FilterField => scalar(column, ops, asTime, "date");

/** A condition that can be required to be true or false, or with `trueOnly` just to be true. */
export function flagField(condition: Sql, trueOnly?: true): FilterField {
  return {
    ops: ["$eq"],
    compile(_op, arg) {
      if (typeof arg !== "boolean") return "$eq takes true or false";
      if (trueOnly && !arg) return "$eq takes true only";
      return arg ? condition : { text: `NOT coalesce((${condition.text}), 0)`, values: condition.values };
    },
  };
}

/** `details.status` → `$."details"."status"`; undefined for an invalid path. */
export function jsonPath(name: string): string | undefined {
  const steps = name.split(".");
  if (steps.length > 8 || steps.some((step) => step === "" || /["\\\s\p{Cc}]/u.test(step))) return undefined;
  return `$.${steps.map((step) => `"${step}"`).join(".")}`;
}

const CUSTOM_OPS: readonly FilterOperator[] = [
  ...RANGE,
  "$in",
  "$nin",
  "$exists",
  "$contains",
  "$autocomplete",
  "$q",
];

/** A list stored as JSON, as a whole column or at a path of one. */
export const listField = (column: string, ops: readonly FilterOperator[], path = "$"): FilterField => {
  const field = jsonField(column, path);
  return { ops, compile: (op, arg) => field.compile(op, arg) };
};

/** A custom field inside the JSON of a column; compared only with values of the same type. */
export function customField(column: string, name: string): FilterField | undefined {
  const path = jsonPath(name);
  return path === undefined ? undefined : jsonField(column, path);
}

function jsonField(column: string, path: string): FilterField {
  const field = new JsonField(column, path);
  return { ops: CUSTOM_OPS, unindexed: true, compile: (op, arg) => field.compile(op, arg) };
}

class JsonField {
  readonly #column: string;
  readonly #path: string;
  readonly #value: string;
  readonly #type: string;

  constructor(column: string, path: string) {
    this.#column = column;
    this.#path = path;
    this.#value = `json_extract(${column}, ?)`;
    this.#type = `json_type(${column}, ?)`;
  }

  compile(op: FilterOperator, arg: unknown): Sql | string {
    switch (op) {
      case "$exists":
        return sql(`${this.#value} IS ${arg ? "NOT NULL" : "NULL"}`, this.#path);
      case "$eq":
        return this.#same(arg);
      case "$contains":
        return this.#element([arg]);
      case "$in":
        return this.#among(arg as unknown[]);
      case "$autocomplete":
        return sql(`starts_word(${this.#value}, ?)`, this.#path, arg as string);
      case "$q":
        return sql(`has_words(${this.#value}, ?)`, this.#path, arg as string);
      default:
        return this.#ordered(op, arg);
    }
  }

  #same(arg: unknown): Sql | string {
    if (arg === null) return sql(`${this.#value} IS NULL`, this.#path);
    if (typeof arg !== "object") return this.#equals(arg) ?? "$eq takes a JSON value";
    return sql(
      `${this.#type} = '${Array.isArray(arg) ? "array" : "object"}' AND same_value(${this.#column} -> ?, ?)`,
      this.#path,
      this.#path,
      JSON.stringify(arg),
    );
  }

  #among(list: unknown[]): Sql | string {
    const shared = this.#element(list);
    if (typeof shared === "string") return `$in ${shared}`;
    const parts = [...list.map((item) => this.#equals(item)!), shared];
    return {
      text: parts.map((part) => `(${part.text})`).join(" OR "),
      values: parts.flatMap((part) => part.values),
    };
  }

  #ordered(op: FilterOperator, arg: unknown): Sql | string {
    const order = ORDER[op]!;
    if (typeof arg === "number")
      return sql(
        `${this.#type} IN ('integer', 'real') AND ${this.#value} ${order} ?`,
        this.#path,
        this.#path,
        arg,
      );
    if (typeof arg === "string")
      return sql(`${this.#type} = 'text' AND ${this.#value} ${order} ?`, this.#path, this.#path, arg);
    return `${op} takes a number or a text`;
  }

  /** Equality with a scalar; `entry` is the json_each row when an element is compared. */
  #equals(arg: unknown, entry?: string): Sql | undefined {
    const [typeSql, valueSql] = entry ? [`${entry}.type`, `${entry}.value`] : [this.#type, this.#value];
    const bind = (...values: SQLInputValue[]): SQLInputValue[] => (entry ? values : [this.#path, ...values]);
    if (typeof arg === "string")
      return { text: `${typeSql} = 'text' AND ${valueSql} = ?`, values: [...bind(), ...bind(arg)] };
    if (typeof arg === "number")
      return {
        text: `${typeSql} IN ('integer', 'real') AND ${valueSql} = ?`,
        values: [...bind(), ...bind(arg)],
      };
    if (typeof arg === "boolean") return { text: `${typeSql} = '${String(arg)}'`, values: bind() };
    return undefined;
  }

  #element(args: unknown[]): Sql | string {
    const parts = args.map((arg) => this.#equals(arg, "e"));
    if (parts.includes(undefined)) return "takes texts, numbers and booleans";
    if (parts.length === 0) return sql("0");
    return sql(
      `${this.#type} = 'array' AND EXISTS (SELECT 1 FROM json_each(${this.#column}, ?) e WHERE ${parts.map((part) => `(${part!.text})`).join(" OR ")})`,
      this.#path,
      this.#path,
      ...parts.flatMap((part) => part!.values),
    );
  }
}
