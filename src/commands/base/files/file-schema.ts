/** Builds the JSON schema of a file format for editors, from the shape that checks it. */
import type { Field, Shape } from "../../../wire/entities/fields.ts";

type Schema = Record<string, unknown>;

/** Descriptions of keys by dotted path; `*` is any key of a map or entry of a list. */
type KeyDescriptions = Readonly<Record<string, string>>;

function fieldSchema(field: Field, at: string, descriptions: KeyDescriptions): Schema {
  const schema = { ...kindSchema(field, at, descriptions) };
  if (descriptions[at] !== undefined) schema.description = descriptions[at];
  return field.nulls ? { anyOf: [schema, { type: "null" }] } : schema;
}

function kindSchema(field: Field, at: string, descriptions: KeyDescriptions): Schema {
  const entry = (): Schema => (field.item ? fieldSchema(field.item, `${at}.*`, descriptions) : {});
  switch (field.kind) {
    case "text":
    case "id":
      return { type: "string", maxLength: field.max };
    case "choice":
      return { enum: [...field.values!, ...(field.blanks ? [""] : [])] };
    case "time":
      return { type: "string", format: "date-time" };
    case "flag":
      return { type: "boolean" };
    case "whole":
    case "limit":
      return { type: "integer", ...(field.min === undefined ? {} : { minimum: field.min }) };
    case "number":
      return { type: "number" };
    case "list":
      return { type: "array", items: entry() };
    case "object":
      return shapeSchema(field.shape!, descriptions, at);
    case "map":
      return { type: "object", ...(field.item?.shape ? { additionalProperties: entry() } : {}) };
    case "filter":
      return { type: "object" };
    default:
      return {};
  }
}

function shapeSchema(shape: Shape, descriptions: KeyDescriptions, at = ""): Schema {
  const keys = Object.keys(shape).filter((key) => key !== "*" && shape[key]!.kind !== "ignored");
  const pathOf = (key: string): string => (at === "" ? key : `${at}.${key}`);
  const required = keys.filter((key) => shape[key]!.required);
  return {
    type: "object",
    additionalProperties: shape["*"] !== undefined,
    ...(required.length ? { required } : {}),
    properties: Object.fromEntries(
      keys.map((key) => [key, fieldSchema(shape[key]!, pathOf(key), descriptions)]),
    ),
  };
}

export const fileSchema = (title: string, shape: Shape, descriptions: KeyDescriptions): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  ...shapeSchema(shape, descriptions),
});
