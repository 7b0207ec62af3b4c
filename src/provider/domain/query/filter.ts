/** The filter language compiled to bound SQL over an allow-list of fields (specification/users.md §7); nothing a caller sends becomes SQL text. */
import type { SQLInputValue } from "node:sqlite";
import { FILTER_OPERATORS, type FilterOperator } from "../../../wire/query.ts";
import { isObject, type BodyReader, type Fields } from "../validation/check.ts";
import type { Field, Sql } from "./filter-fields.ts";
import { wordsOf } from "./words.ts";

const DEPTH = 5;
/** Conditions of one filter; each word of a `$q` or `$autocomplete` is one. */
const TERMS = 50;
/** Conditions among them that no index helps with and that cost more than a comparison. */
const UNINDEXED = 2;
/** Characters of a text whose words are looked for. */
const WORDS_LENGTH = 1000;
const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);

/** The field of this name, or undefined when the entity has none of that name. */
export type FieldLookup = (name: string) => Field | undefined;

export interface CompiledFilter extends Sql {
  /** Every field the filter names, at any depth. */
  named: ReadonlySet<string>;
}

/** Problems go to `check` under `<root>.<path>`, `root` being the key the filter came under; the text is an SQL condition. */
export function compileFilter(
  filter: unknown,
  fields: FieldLookup,
  check: BodyReader,
  root = "filter_conditions",
): CompiledFilter {
  const named = new Set<string>();
  let terms = 0;
  let unindexed = 0;
  if (filter === undefined || filter === null) return { text: "1", values: [], named };
  const whole = group(filter, root, 1);
  if (terms > TERMS) return { ...bad(root, `may hold at most ${TERMS} terms`), named };
  if (unindexed > UNINDEXED)
    bad(root, `may hold at most ${UNINDEXED} terms on custom fields or words that no index helps with`);
  return { ...whole, named };

  function group(node: unknown, path: string, depth: number): Sql {
    if (!isObject(node)) return bad(path, "must be an object");
    if (depth > DEPTH) return bad(path, `must not nest deeper than ${DEPTH}`);
    const entries = Object.entries(node);
    if (entries.length === 0) terms++;
    // what is beyond the bound is not even read
    if (terms + entries.length > TERMS) {
      terms += entries.length;
      return { text: "0", values: [] };
    }
    return join(
      entries.map(([key, value]) =>
        key.startsWith("$")
          ? logical(key, value, `${path}.${key}`, depth)
          : leaf(key, value, `${path}.${key}`),
      ),
      " AND ",
    );
  }

  function logical(key: string, value: unknown, path: string, depth: number): Sql {
    if (key !== "$and" && key !== "$or" && key !== "$nor") return bad(path, "is not an operator");
    if (!Array.isArray(value) || value.length === 0) return bad(path, "must be a list of filters");
    if (value.length > TERMS) terms = Infinity;
    if (terms > TERMS) return { text: "0", values: [] };
    const parts = value.map((part, i) => group(part, `${path}.${i}`, depth + 1));
    if (key === "$and") return join(parts, " AND ");
    const any = join(parts, " OR ");
    return key === "$or" ? any : not(any);
  }

  function leaf(name: string, value: unknown, path: string): Sql {
    named.add(name);
    const field = fields(name);
    if (!field) return bad(path, "is not a field that can be filtered");
    const keys = isObject(value) ? Object.keys(value) : [];
    if (!keys.some((key) => key.startsWith("$"))) return apply(field, "$eq", value, path);
    return join(
      Object.entries(value as Fields).map(([op, arg]) =>
        OPERATORS.has(op)
          ? apply(field, op as FilterOperator, arg, path)
          : bad(`${path}.${op}`, "is not an operator"),
      ),
      " AND ",
    );
  }

  function apply(field: Field, op: FilterOperator, arg: unknown, path: string): Sql {
    if (!field.ops.includes(op)) return bad(path, `does not take ${op}`);
    terms++;
    if (field.unindexed === true || field.unindexed?.includes(op)) unindexed++;
    if ((op === "$in" || op === "$nin") && (!Array.isArray(arg) || arg.length > 100))
      return bad(path, `${op} takes a list of at most 100 values`);
    if (op === "$exists" && typeof arg !== "boolean") return bad(path, "$exists takes true or false");
    if ((op === "$q" || op === "$autocomplete") && typeof arg !== "string")
      return bad(path, `${op} takes a text`);
    if ((op === "$q" || op === "$autocomplete") && (arg as string).length > WORDS_LENGTH)
      return bad(path, `${op} takes at most ${WORDS_LENGTH} characters`);
    if (op === "$q" || op === "$autocomplete") terms += Math.max(0, wordsOf(arg as string).length - 1);
    const compiled =
      op === "$ne"
        ? negated(field.compile("$eq", arg))
        : op === "$nin"
          ? negated(field.compile("$in", arg))
          : field.compile(op, arg);
    return typeof compiled === "string" ? bad(path, compiled) : compiled;
  }

  function bad(path: string, problem: string): Sql {
    check.fail(path, problem);
    return { text: "0", values: [] };
  }
}

const negated = (sql: Sql | string): Sql | string => (typeof sql === "string" ? sql : not(sql));

/** NULL counts as false before it is turned round. */
function not(sql: Sql): Sql {
  return { text: `NOT coalesce((${sql.text}), 0)`, values: sql.values };
}

export function join(parts: Sql[], glue: " AND " | " OR "): Sql {
  if (parts.length === 0) return { text: "1", values: [] };
  return {
    text: parts.map(({ text }) => `(${text})`).join(glue),
    values: parts.flatMap(({ values }): SQLInputValue[] => values),
  };
}
