/** The JSON schema of a campaign file, made of the same rows that check it: editors complete and mark by it. */
import type { Field, Shape } from "../../../wire/fields.ts";
import { CAMPAIGN_FILE, KEY_WORDS } from "./shape.ts";

type Schema = Record<string, unknown>;

/** The file beside a campaign file that its first line names. */
export const SCHEMA_FILE = "campaign.schema.json";

function ofField(field: Field, at: string): Schema {
  const words = KEY_WORDS[at] === undefined ? {} : { description: KEY_WORDS[at] };
  switch (field.kind) {
    case "text":
    case "id":
      return { type: "string", maxLength: field.most, ...words };
    case "choice":
      return { enum: [...field.values!, ...(field.blanks ? [""] : [])], ...words };
    case "time":
      return { type: "string", format: "date-time", ...words };
    case "flag":
      return { type: "boolean", ...words };
    case "whole":
    case "limit":
      return { type: "integer", ...(field.least === undefined ? {} : { minimum: field.least }), ...words };
    case "number":
      return { type: "number", ...words };
    case "list":
      return { type: "array", items: field.of ? ofField(field.of, `${at}.*`) : {}, ...words };
    case "object":
      return { ...ofShape(field.shape!, at), ...words };
    case "map":
    case "filter":
      return { type: "object", ...words };
    default:
      return words;
  }
}

function ofShape(shape: Shape, at = ""): Schema {
  const keys = Object.keys(shape).filter((key) => key !== "*" && shape[key]!.kind !== "ignored");
  const pathOf = (key: string): string => (at === "" ? key : `${at}.${key}`);
  const required = keys.filter((key) => shape[key]!.needed);
  return {
    type: "object",
    additionalProperties: shape["*"] !== undefined,
    ...(required.length ? { required } : {}),
    properties: Object.fromEntries(keys.map((key) => [key, ofField(shape[key]!, pathOf(key))])),
  };
}

export const campaignSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A campaign of Parley",
  ...ofShape(CAMPAIGN_FILE),
});
