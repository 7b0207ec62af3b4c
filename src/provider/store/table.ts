/** A table declared once: its `CREATE` statement, the type of its rows, and the statements that name columns only. */
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Database } from "../base/database.ts";
import { ApiProblem } from "../base/handler.ts";

type Scalar = string | number | null;

/** A column: values of `T`; `Given`: an inserted row must have it; `Key`: a part of the primary key. */
class Column<T extends Scalar, Given extends boolean = true, Key extends boolean = false> {
  declare readonly value: T;
  declare readonly given: Given;
  declare readonly inKey: Key;
  readonly type: string;
  readonly isKey: boolean;

  constructor(type: string, isKey = false) {
    this.type = type;
    this.isKey = isKey;
  }

  /** A part of the primary key. */
  get key(): Column<T, Given, true> {
    return new Column(this.type, true);
  }

  /** A number that SQLite gives. */
  get serial(): Column<T, false, true> {
    return new Column(this.type, true);
  }

  get null(): Column<T | null, false> {
    return new Column(this.type.replace(" NOT NULL", ""));
  }

  get unique(): Column<T> {
    return new Column(`${this.type} UNIQUE`);
  }

  default(value: T): Column<T, false> {
    return new Column(`${this.type} DEFAULT ${typeof value === "string" ? `'${value}'` : value}`);
  }

  /** The same column with only these values. */
  as<U extends T>(): Column<U, Given, Key> {
    return this as unknown as Column<U, Given, Key>;
  }
}

export const TEXT = new Column<string>("TEXT NOT NULL");
/** Also times, in whole microseconds, and flags, 0 or 1. */
export const INTEGER = new Column<number>("INTEGER NOT NULL");
export const REAL = new Column<number>("REAL NOT NULL");

type Columns = Readonly<Record<string, Column<Scalar, boolean, boolean>>>;
type Name<C extends Columns> = keyof C & string;
type RowWith<C extends Columns> = { [K in keyof C]: C[K]["value"] };
type NewRow<C extends Columns> = {
  [K in keyof C as true extends C[K]["given"] ? K : never]: C[K]["value"];
} & { [K in keyof C]?: C[K]["value"] };
type KeyOf<C extends Columns> = {
  [K in keyof C as true extends C[K]["inKey"] ? K : never]: C[K]["value"];
};

/** A row of a table: `RowOf<typeof reminders>`. */
export type RowOf<T> = T extends Table<infer C> ? RowWith<C> : never;

/** What a column must be: a value, one of a list, or all of some comparisons; `orNull` also admits NULL. */
type Wanted<T> = T | readonly T[] | Comparison<T>;
interface Comparison<T> {
  readonly in?: readonly T[];
  readonly not?: T | null;
  readonly upTo?: T;
  readonly before?: T;
  readonly after?: T;
  readonly orNull?: boolean;
}
/** What an end must be that has not passed at `now`, microseconds; null is no end. */
export const notOver = (now: number) => ({ after: now, orNull: true });

type Match<C extends Columns> = { readonly [K in keyof C]?: Wanted<C[K]["value"]> };

/** A statement and its values. */
type Bound = [sql: string, ...SQLInputValue[]];

/** An order, `-` for descending, and a part of it. */
interface Part<C extends Columns> {
  by?: readonly (Name<C> | `-${Name<C>}`)[];
  limit?: number;
  offset?: number;
}

const OPERATORS = { not: "<>", upTo: "<=", before: "<", after: ">" } as const;

/** These values stand in the statement itself: a partial index (`WHERE told = 0`) serves no bound value. */
const isWritten = (value: unknown): value is 0 | 1 | "" => value === 0 || value === 1 || value === "";
const written = (value: 0 | 1 | ""): string => (value === "" ? "''" : String(value));

function comparison(column: string, name: string, value: unknown, values: SQLInputValue[]): string {
  if (name === "in") {
    values.push(JSON.stringify(value));
    return `${column} IN (SELECT value FROM json_each(?))`;
  }
  if (value === null) return `${column} IS NOT NULL`;
  const sign = OPERATORS[name as keyof typeof OPERATORS];
  if (isWritten(value)) return `${column} ${sign} ${written(value)}`;
  values.push(value as SQLInputValue);
  return `${column} ${sign} ?`;
}

function condition(column: string, wanted: unknown, values: SQLInputValue[]): string {
  if (wanted === null) return `${column} IS NULL`;
  if (isWritten(wanted)) return `${column} = ${written(wanted)}`;
  if (typeof wanted !== "object") {
    values.push(wanted as SQLInputValue);
    return `${column} = ?`;
  }
  const { orNull = false, ...comparisons } = Array.isArray(wanted)
    ? { in: wanted }
    : (wanted as Comparison<unknown>);
  const text = Object.entries(comparisons)
    .map(([name, value]) => comparison(column, name, value, values))
    .join(" AND ");
  return orNull ? `(${column} IS NULL OR ${text})` : text;
}

/** Column names and numbers; every text that is built of them is one of few, so that statements stay prepared. */
class Table<C extends Columns> {
  readonly name: string;
  /** `CREATE TABLE` and its indexes, for the list of migrations; a released one never changes. */
  readonly create: string;
  readonly #columns: readonly Name<C>[];
  readonly #keys: readonly Name<C>[];
  readonly #noun: string;
  readonly #insertions = new Map<string, string>();

  constructor(
    name: string,
    columns: C,
    { noun = name, indexes = {}, rowid = false, later = [] }: Options<C>,
  ) {
    this.name = name;
    this.#noun = noun;
    this.#columns = Object.keys(columns);
    this.#keys = this.#columns.filter((column) => columns[column]!.isKey);
    const composed = this.#keys.length > 1;
    const lines = this.#columns
      .filter((column) => !later.includes(column))
      .map((column) =>
        columns[column]!.isKey && !composed
          ? `${column} ${columns[column]!.type.replace(" NOT NULL", "")} PRIMARY KEY`
          : `${column} ${columns[column]!.type}`,
      );
    if (composed) lines.push(`PRIMARY KEY (${this.#keys.join(", ")})`);
    this.create = [
      `CREATE TABLE ${name} (\n  ${lines.join(",\n  ")}\n) STRICT${rowid ? "" : ", WITHOUT ROWID"};\n`,
      ...Object.entries(indexes).map(([index, on]) =>
        on.startsWith("UNIQUE ")
          ? `CREATE UNIQUE INDEX ${index} ON ${name} ${on.slice("UNIQUE ".length)};\n`
          : `CREATE INDEX ${index} ON ${name} ${on};\n`,
      ),
    ].join("");
  }

  /** Inserts a row; columns that are left out get their default or NULL. */
  insert(db: Database, row: NewRow<C>): void {
    db.run(...this.#insertion(row, "insert"));
  }

  /** Inserts a row unless its key is taken; whether it was inserted. */
  add(db: Database, row: NewRow<C>): boolean {
    return db.run(...this.#insertion(row, "add")).changes > 0;
  }

  /** Inserts a row, or changes the one with its key to it, except for the columns of `keep`. */
  put(db: Database, row: NewRow<C>, keep: readonly Name<C>[] = []): void {
    db.run(...this.#insertion(row, "put", keep));
  }

  find(db: Database, match: Match<C>, part: Part<C> = {}): RowWith<C> | undefined {
    return db.get<RowWith<C>>(...this.#selection("*", match, part));
  }

  /** The row with this key. Throws code 16 without one. */
  need(db: Database, match: Match<C>): RowWith<C> {
    const row = this.find(db, match);
    if (row) return row;
    const [key] = Object.values(match);
    throw ApiProblem.notFound(`${this.#noun} ${String(key).slice(0, 255)} does not exist`);
  }

  list(db: Database, match: Match<C> = {}, part: Part<C> = {}): RowWith<C>[] {
    return db.all<RowWith<C>>(...this.#selection("*", match, part));
  }

  has(db: Database, match: Match<C>): boolean {
    return db.has(...this.#selection("1", match, { limit: 1 }));
  }

  count(db: Database, match: Match<C> = {}): number {
    return db.value<number>(...this.#selection("count(*)", match, {}))!;
  }

  /** One column of the rows. */
  values<K extends Name<C>>(
    db: Database,
    column: K,
    match: Match<C> = {},
    part: Part<C> = {},
  ): C[K]["value"][] {
    return db.column<SQLOutputValue>(...this.#selection(column, match, part)) as C[K]["value"][];
  }

  /** The smallest value of a column; undefined without one. */
  min<K extends Name<C>>(
    db: Database,
    column: K,
    match: Match<C> = {},
  ): NonNullable<C[K]["value"]> | undefined {
    return db.value<SQLOutputValue>(...this.#selection(`min(${column})`, match, {})) as
      | NonNullable<C[K]["value"]>
      | undefined;
  }

  /** Changes one row, found by its key, and returns it as it is now. */
  update<R extends KeyOf<C>>(db: Database, row: R, changes: Partial<RowWith<C>>): R {
    this.change(db, this.#keyOf(row), changes);
    return { ...row, ...changes };
  }

  /** Changes all rows that match; how many they were. */
  change(db: Database, match: Match<C>, changes: Partial<RowWith<C>>): number {
    const columns = Object.keys(changes);
    const values = Object.values(changes) as SQLInputValue[];
    const where = this.#where(match, values);
    const set = columns.map((column) => `${column} = ?`).join(", ");
    return Number(db.run(`UPDATE ${this.name} SET ${set}${where}`, ...values).changes);
  }

  /** Removes all rows that match; how many they were. */
  remove(db: Database, match: Match<C>): number {
    const values: SQLInputValue[] = [];
    return Number(db.run(`DELETE FROM ${this.name}${this.#where(match, values)}`, ...values).changes);
  }

  #keyOf(row: KeyOf<C>): Match<C> {
    return Object.fromEntries(
      this.#keys.map((key) => [key, (row as unknown as RowWith<C>)[key]]),
    ) as Match<C>;
  }

  #insertion(row: NewRow<C>, how: "insert" | "add" | "put", keep: readonly Name<C>[] = []): Bound {
    const given = this.#columns.filter((column) => row[column] !== undefined);
    const key = `${how} ${given.join()} ${keep.join()}`;
    let sql = this.#insertions.get(key);
    if (sql === undefined) {
      const changed = given.filter((column) => !this.#keys.includes(column) && !keep.includes(column));
      const set = changed.map((column) => `${column} = excluded.${column}`).join(", ");
      const end = { insert: "", add: " ON CONFLICT DO NOTHING", put: ` ON CONFLICT DO UPDATE SET ${set}` }[
        how
      ];
      sql = `INSERT INTO ${this.name} (${given.join(", ")}) VALUES (${given.map(() => "?").join(", ")})${end}`;
      this.#insertions.set(key, sql);
    }
    return [sql, ...given.map((column) => row[column] as SQLInputValue)];
  }

  #where(match: Match<C>, values: SQLInputValue[]): string {
    let sql = "";
    for (const column in match)
      sql += `${sql === "" ? " WHERE " : " AND "}${condition(column, match[column], values)}`;
    return sql;
  }

  #selection(what: string, match: Match<C>, { by, limit, offset }: Part<C>): Bound {
    const values: SQLInputValue[] = [];
    let sql = `SELECT ${what} FROM ${this.name}${this.#where(match, values)}`;
    if (by)
      sql += ` ORDER BY ${by.map((name) => (name.startsWith("-") ? `${name.slice(1)} DESC` : name)).join(", ")}`;
    if (limit !== undefined) {
      values.push(limit);
      sql += " LIMIT ?";
    }
    if (offset !== undefined) {
      values.push(offset);
      sql += " OFFSET ?";
    }
    return [sql, ...values];
  }
}

interface Options<C extends Columns> {
  /** What a row is, for people: "Task". */
  noun?: string;
  /** By name: the columns in parentheses, and a condition if it is partial; `UNIQUE` before them. */
  indexes?: Readonly<Record<string, string>>;
  rowid?: boolean;
  /** Columns that a later migration added. */
  later?: readonly Name<C>[];
}

/** Declares a table, `WITHOUT ROWID` unless it is said. What takes more than columns and values is SQL text in the subject's storage. */
export const table = <C extends Columns>(name: string, columns: C, options: Options<C> = {}): Table<C> =>
  new Table(name, columns, options);
