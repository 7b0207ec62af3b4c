/** Prepared statements, cached by their text; parameters are `?` or `:name`, a key of one object passed when it runs. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { StatementValues, Database } from "../base/database.ts";

/** A quoted text, which is skipped, or a parameter's name. */
const NAME = /'[^']*'|:([a-z_]\w*)/gi;

/** SQLite plans for the value of a bound limit, and plans anew whenever one is bound; of an expression it knows no value. */
const BOUND_LIMIT = /\bLIMIT (\?\d*)/g;

class Statement {
  readonly inner: StatementSync;
  /** Parameter names in the order of their numbers; empty for a statement with `?`. */
  readonly #names: string[] = [];

  /** Replaces names by numbers: SQLite looks up names at every run, which makes a statement with twenty names four times slower. */
  constructor(raw: DatabaseSync, sql: string) {
    const numbered = sql.replace(NAME, (match, name?: string) =>
      name === undefined ? match : `?${this.#numberOf(name)}`,
    );
    this.inner = raw.prepare(numbered.replace(BOUND_LIMIT, "LIMIT +$1"));
  }

  #numberOf(name: string): number {
    const index = this.#names.indexOf(name);
    return index < 0 ? this.#names.push(name) : index + 1;
  }

  /** The values in the order of the parameters. SQLite refuses a name that is missing in the object. */
  ordered(values: StatementValues): SQLInputValue[] {
    if (this.#names.length === 0) return values as SQLInputValue[];
    const named = values[0] as Record<string, SQLInputValue>;
    return this.#names.map((name) => named[name]!);
  }
}

const firstOf = <T>(row: Record<string, T>): T => Object.values(row)[0]!;

export function statementsOf(raw: DatabaseSync): Omit<Database, "raw"> & { clear(): void } {
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = new Statement(raw, sql)));
    return statement;
  };
  const get = <T extends object>(sql: string, ...values: StatementValues): T | undefined => {
    const statement = prepared(sql);
    return statement.inner.get(...statement.ordered(values)) as T | undefined;
  };
  const all = <T extends object>(sql: string, ...values: StatementValues): T[] => {
    const statement = prepared(sql);
    return statement.inner.all(...statement.ordered(values)) as T[];
  };
  return {
    prepare: (sql) => prepared(sql).inner,
    get,
    all,
    has: (sql, ...values) => get(sql, ...values) !== undefined,
    value: <T>(sql: string, ...values: StatementValues) => {
      const row = get<Record<string, T | null>>(sql, ...values);
      return row && (firstOf(row) ?? undefined);
    },
    column: <T>(sql: string, ...values: StatementValues) =>
      all<Record<string, T>>(sql, ...values).map(firstOf),
    run: (sql, ...values) => {
      const statement = prepared(sql);
      return statement.inner.run(...statement.ordered(values));
    },
    clear: () => statements.clear(),
  };
}
