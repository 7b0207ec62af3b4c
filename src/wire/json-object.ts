/** Type, type guards and parser for JSON objects and their texts. */
import { parseBounded } from "./bounded-json.ts";

export type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isFilledText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Parses a JSON object within bounds; undefined for anything else. */
export function parseObject(text: string): Fields | undefined {
  const value = parseBounded(text, "item");
  return isObject(value) ? value : undefined;
}
