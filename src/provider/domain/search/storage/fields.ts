/** The fields that messages can be filtered and sorted by in a search, as SQL over `m` (specification/search.md §2). */
import type { SQLInputValue } from "node:sqlite";
import type { FilterOperator } from "../../../../wire/entities/query.ts";
import type { OrderLookup, OrderKey } from "../../query/cursor.ts";
import type { FieldLookup } from "../../query/filter.ts";
import { customStep } from "../../query/sort.ts";
import {
  customField,
  EQUAL,
  flagField,
  jsonPath,
  listField,
  numberField,
  sql,
  RANGE,
  textField,
  timeField,
  type FilterField,
  type Sql,
} from "../../query/filter-fields.ts";

const COMPARED: readonly FilterOperator[] = [...RANGE, "$in", "$nin"];

/** `$q` and `$autocomplete` of messages match words that start with the searched words (C4). */
const text: FilterField = {
  ops: [...COMPARED, "$q", "$autocomplete", "$exists"],
  unindexed: ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin"],
  compile(op, arg) {
    if (op === "$q") return sql("starts_words(m.text, ?)", arg as string);
    if (op === "$exists") return sql(arg ? "m.text <> ''" : "m.text = ''");
    return textField("m.text", [...COMPARED, "$autocomplete"]).compile(op, arg);
  },
};

/** A key of any attachment; an argument of another type than text matches nothing it should not. */
function attachmentField(key: string): FilterField | undefined {
  const path = jsonPath(key);
  if (path === undefined) return undefined;
  const some = (condition: string, ...values: SQLInputValue[]): Sql =>
    sql(`EXISTS (SELECT 1 FROM json_each(m.data, '$.attachments') a WHERE ${condition})`, ...values);
  const value = "json_extract(a.value, ?)";
  return {
    ops: [...EQUAL, "$exists", "$contains"],
    unindexed: key === "type" ? ["$ne", "$nin", "$exists", "$contains"] : true,
    compile(op, arg) {
      if (op === "$exists")
        return arg
          ? some(`${value} IS NOT NULL`, path)
          : sql(`NOT ${some(`${value} IS NOT NULL`).text}`, path);
      const list = op === "$in" ? (arg as unknown[]) : [arg];
      if (!list.every((item) => typeof item === "string" || typeof item === "number"))
        return `${op} takes ${op === "$in" ? "a list of texts" : "a text"}`;
      if (list.length === 0) return sql("0");
      return some(`${value} IN (${list.map(() => "?").join(", ")})`, path, ...(list as SQLInputValue[]));
    },
  };
}

export function messageFields(now: number): FieldLookup {
  const fields: Record<string, FilterField> = {
    id: textField("m.id", COMPARED),
    type: textField("m.type", COMPARED),
    cid: textField("m.cid", EQUAL),
    parent_id: textField("m.parent_id", [...COMPARED, "$exists"]),
    quoted_message_id: textField("m.quoted_id", [...COMPARED, "$exists"]),
    poll_id: textField("m.poll_id", [...COMPARED, "$exists"]),
    reply_count: numberField("m.reply_count", COMPARED),
    "user.id": textField("m.user_id", COMPARED),
    user_id: textField("m.user_id", COMPARED),
    created_at: timeField("m.created_at", COMPARED),
    updated_at: timeField("m.updated_at", COMPARED),
    text,
    attachments: listField("m.data", [...COMPARED, "$exists"], "$.attachments"),
    "mentioned_users.id": {
      ops: ["$contains", "$eq", "$in"],
      compile: (op, arg) => mentioned.compile(op === "$eq" ? "$contains" : op, arg),
    },
    silent: flagField(sql("m.silent = 1")),
    pinned: flagField(sql("m.pinned_at IS NOT NULL AND (m.pin_expires IS NULL OR m.pin_expires > ?)", now)),
  };
  return (name) => {
    if (Object.hasOwn(fields, name)) return fields[name];
    if (name.startsWith("attachments.")) return attachmentField(name.slice("attachments.".length));
    const custom = name.startsWith("custom.") ? name.slice("custom.".length) : name;
    return customField("m.data", `custom.${custom}`);
  };
}

const mentioned = listField("m.data", ["$contains", "$in"], "$.mentioned");

const SORTS: Record<string, string> = {
  id: "m.id",
  type: "m.type",
  created_at: "m.created_at",
  updated_at: "m.updated_at",
  reply_count: "m.reply_count",
  "user.id": "m.user_id",
  user_id: "m.user_id",
};
/** Order by `relevance`: the number of matched words, then the time (C4); `query` has all words of the search. */
export const messageOrder =
  (query: string): OrderLookup =>
  (name, type) => {
    if (name === "relevance")
      return [{ expression: "matched_words(m.text, ?)", values: [query] }, { expression: "m.created_at" }];
    if (Object.hasOwn(SORTS, name)) return [{ expression: SORTS[name]!, notNull: true }];
    const customOrder = customStep(
      "m.data",
      `custom.${name.startsWith("custom.") ? name.slice(7) : name}`,
      type,
    );
    return customOrder && [customOrder];
  };

/** The default order: best matches first, then the newest. */
export const defaultOrder = (query: string): { fallback: OrderKey[]; tie: OrderKey } => ({
  fallback: [
    ...(query === ""
      ? []
      : [{ expression: "matched_words(m.text, ?)", direction: -1 as const, values: [query] }]),
    { expression: "m.created_at", direction: -1, notNull: true },
  ],
  tie: { expression: "m.id", direction: 1, notNull: true },
});
