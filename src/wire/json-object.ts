/** JSON objects: their type, how one is told from lists and null, and how one is read from a text. */

/** An object of which nothing is known yet. */
export type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object that a text holds; undefined when it holds anything else, or no JSON at all. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
