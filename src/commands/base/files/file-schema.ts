/** Builds the JSON schema of a file format for editors, from the shape that checks it. */
import type { Field, Shape } from "../../../wire/fields.ts";

type Schema = Record<string, unknown>;

/** Descriptions of keys by dotted path; `*` is any key of a map or entry of a list. */
type KeyWords = Readonly<Record<string, string>>;

function ofField(field: Field, at: string, keyWords: KeyWords): Schema {
  const schema = { ...ofKind(field, at, keyWords) };
  if (keyWords[at] !== undefined) schema.description = keyWords[at];
  return field.nulls ? { anyOf: [schema, { type: "null" }] } : schema;
}

function ofKind(field: Field, at: string, keyWords: KeyWords): Schema {
  const entry = (): Schema => (field.of ? ofField(field.of, `${at}.*`, keyWords) : {});
  switch (field.kind) {
    case "text":
    case "id":
      return { type: "string", maxLength: field.most };
    case "choice":
      return { enum: [...field.values!, ...(field.blanks ? [""] : [])] };
    case "time":
      return { type: "string", format: "date-time" };
    case "flag":
      return { type: "boolean" };
    case "whole":
    case "limit":
      return { type: "integer", ...(field.least === undefined ? {} : { minimum: field.least }) };
    case "number":
      return { type: "number" };
    case "list":
      return { type: "array", items: entry() };
    case "object":
      return ofShape(field.shape!, keyWords, at);
    case "map":
      return { type: "object", ...(field.of?.shape ? { additionalProperties: entry() } : {}) };
    case "filter":
      return { type: "object" };
    default:
      return {};
  }
}

function ofShape(shape: Shape, keyWords: KeyWords, at = ""): Schema {
  const keys = Object.keys(shape).filter((key) => key !== "*" && shape[key]!.kind !== "ignored");
  const pathOf = (key: string): string => (at === "" ? key : `${at}.${key}`);
  const required = keys.filter((key) => shape[key]!.needed);
  return {
    type: "object",
    additionalProperties: shape["*"] !== undefined,
    ...(required.length ? { required } : {}),
    properties: Object.fromEntries(keys.map((key) => [key, ofField(shape[key]!, pathOf(key), keyWords)])),
  };
}

export const fileSchema = (title: string, shape: Shape, keyWords: KeyWords): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  ...ofShape(shape, keyWords),
});
