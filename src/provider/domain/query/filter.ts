/** Compiles the filter language to bound SQL over an allow-list of fields (specification/users.md §7); no input becomes SQL text. */
import type { SQLInputValue } from "node:sqlite";
import { FILTER_OPERATORS, type FilterOperator } from "../../../wire/entities/query.ts";
import { isEmptyList } from "../../../wire/absent.ts";
import { isObject, type BodyReader, type Fields } from "../validation/check.ts";
import { type FilterField, type Sql, EVERY_ROW, NO_ROW } from "./filter-fields.ts";
import { wordsOf } from "../../../text/searched-words.ts";

const MAX_DEPTH = 5;
/** Most conditions of one filter; each word of a `$q` or `$autocomplete` counts as one. */
const MAX_TERMS = 50;
/** Most conditions without an index that cost more than a comparison. */
const MAX_UNINDEXED = 2;
/** Longest text of `$q` and `$autocomplete`, characters. */
const WORDS_LENGTH = 1000;
const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);

/** Finds a field by name; undefined when the entity has none of that name. */
export type FieldLookup = (name: string) => FilterField | undefined;

export interface CompiledFilter extends Sql {
  /** Every field the filter names, at any depth. */
  fieldNames: ReadonlySet<string>;
}

/** Problems are reported under `<root>.<path>`, `root` being the filter's key in the body. */
export function compileFilter(
  filter: unknown,
  fields: FieldLookup,
  check: BodyReader,
  root = "filter_conditions",
): CompiledFilter {
  if (filter === undefined || filter === null) return { ...EVERY_ROW, fieldNames: new Set() };
  return new Compiler(fields, check).compile(filter, root);
}

class Compiler {
  readonly #fields: FieldLookup;
  readonly #check: BodyReader;
  readonly #named = new Set<string>();
  #terms = 0;
  #unindexed = 0;

  constructor(fields: FieldLookup, check: BodyReader) {
    this.#fields = fields;
    this.#check = check;
  }

  compile(filter: unknown, root: string): CompiledFilter {
    const fieldNames = this.#named;
    const compiled = this.#group(filter, root, 1);
    if (this.#terms > MAX_TERMS)
      return { ...this.#fail(root, `may hold at most ${MAX_TERMS} terms`), fieldNames };
    if (this.#unindexed > MAX_UNINDEXED)
      this.#fail(
        root,
        `may hold at most ${MAX_UNINDEXED} terms on custom fields or words that no index helps with`,
      );
    return { ...compiled, fieldNames };
  }

  #group(node: unknown, path: string, depth: number): Sql {
    if (isEmptyList(node)) return this.#group({}, path, depth);
    if (!isObject(node)) return this.#fail(path, "must be an object");
    if (depth > MAX_DEPTH) return this.#fail(path, `must not nest deeper than ${MAX_DEPTH}`);
    const entries = Object.entries(node);
    if (entries.length === 0) this.#terms++;
    // Terms beyond the limit are not compiled.
    if (this.#terms + entries.length > MAX_TERMS) {
      this.#terms += entries.length;
      return NO_ROW;
    }
    return joinConditions(
      entries.map(([key, value]) =>
        key.startsWith("$")
          ? this.#logical(key, value, `${path}.${key}`, depth)
          : this.#leaf(key, value, `${path}.${key}`),
      ),
      " AND ",
    );
  }

  #logical(key: string, value: unknown, path: string, depth: number): Sql {
    if (key !== "$and" && key !== "$or" && key !== "$nor") return this.#fail(path, "is not an operator");
    if (!Array.isArray(value) || value.length === 0) return this.#fail(path, "must be a list of filters");
    if (value.length > MAX_TERMS) this.#terms = Infinity;
    if (this.#terms > MAX_TERMS) return NO_ROW;
    const parts = value.map((part, i) => this.#group(part, `${path}.${i}`, depth + 1));
    if (key === "$and") return joinConditions(parts, " AND ");
    const any = joinConditions(parts, " OR ");
    return key === "$or" ? any : not(any);
  }

  #leaf(name: string, value: unknown, path: string): Sql {
    this.#named.add(name);
    const field = this.#fields(name);
    if (!field) return this.#fail(path, "is not a field that can be filtered");
    const keys = isObject(value) ? Object.keys(value) : [];
    if (!keys.some((key) => key.startsWith("$"))) return this.#apply(field, "$eq", value, path);
    return joinConditions(
      Object.entries(value as Fields).map(([op, arg]) =>
        OPERATORS.has(op)
          ? this.#apply(field, op as FilterOperator, arg, path)
          : this.#fail(`${path}.${op}`, "is not an operator"),
      ),
      " AND ",
    );
  }

  #apply(field: FilterField, op: FilterOperator, arg: unknown, path: string): Sql {
    if (!field.ops.includes(op)) return this.#fail(path, `does not take ${op}`);
    this.#terms++;
    if (field.unindexed === true || field.unindexed?.includes(op)) this.#unindexed++;
    const problem = argumentProblem(op, arg);
    if (problem !== undefined) return this.#fail(path, problem);
    if (takesWords(op)) this.#terms += Math.max(0, wordsOf(arg as string).length - 1);
    const compiled =
      op === "$ne"
        ? negated(field.compile("$eq", arg))
        : op === "$nin"
          ? negated(field.compile("$in", arg))
          : field.compile(op, arg);
    return typeof compiled === "string" ? this.#fail(path, compiled) : compiled;
  }

  #fail(path: string, problem: string): Sql {
    this.#check.fail(path, problem);
    return NO_ROW;
  }
}

const takesWords = (op: FilterOperator): boolean => op === "$q" || op === "$autocomplete";

/** The problem with an operator's argument that does not depend on the field. */
function argumentProblem(op: FilterOperator, arg: unknown): string | undefined {
  if ((op === "$in" || op === "$nin") && (!Array.isArray(arg) || arg.length > 100))
    return `${op} takes a list of at most 100 values`;
  if (op === "$exists" && typeof arg !== "boolean") return "$exists takes true or false";
  if (!takesWords(op)) return undefined;
  if (typeof arg !== "string") return `${op} takes a text`;
  return arg.length > WORDS_LENGTH ? `${op} takes at most ${WORDS_LENGTH} characters` : undefined;
}

const negated = (sql: Sql | string): Sql | string => (typeof sql === "string" ? sql : not(sql));

/** Negates a condition; NULL counts as false. */
function not(sql: Sql): Sql {
  return { text: `NOT coalesce((${sql.text}), 0)`, values: sql.values };
}

export function joinConditions(parts: Sql[], operator: " AND " | " OR "): Sql {
  if (parts.length === 0) return EVERY_ROW;
  return {
    text: parts.map(({ text }) => `(${text})`).join(operator),
    values: parts.flatMap(({ values }): SQLInputValue[] => values),
  };
}
