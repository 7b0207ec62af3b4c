/** Fills `{{ sender.x }}`, `{{ receiver.x }}` and `{{ channel.x }}` of campaign templates (specification/campaigns.md §4.3). */

export interface TemplateObjects {
  sender?: object | undefined;
  /** Absent for channel targets. */
  receiver?: object | undefined;
  channel?: object | undefined;
}

const VARIABLE = /\{\{\s*(sender|receiver|channel)((?:\.[^\s.{}]{1,100}){1,8})\s*\}\}/gi;

/** The own property at a dotted path; prototype properties are ignored. */
function valueAt(from: unknown, path: string[]): unknown {
  let at = from;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** Missing values become empty text; nothing is escaped. The case of the first word does not matter. */
export function renderText(template: string, objects: TemplateObjects): string {
  return template.replace(VARIABLE, (_, word: string, path: string) => {
    const value = valueAt(objects[word.toLowerCase() as keyof TemplateObjects], path.slice(1).split("."));
    if (value === undefined || value === null) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
  });
}

export interface Variable {
  /** The variable as written, including its braces. */
  text: string;
  word: keyof TemplateObjects;
  /** The path after the object: `address.city`. */
  path: string;
}

/** The variables of a template that will be filled. */
export const variablesIn = (template: string): Variable[] =>
  [...template.matchAll(VARIABLE)].map(([text, word, path]) => ({
    text,
    word: word!.toLowerCase() as keyof TemplateObjects,
    path: path!.slice(1),
  }));

/** Placeholders and instructions of other tools: `*|FNAME|*`, `%recipient.name%`, `{% if x %}`. */
const FOREIGN = /\*\|[^|\n]{1,100}\|\*|%recipient[._][\w.-]{1,100}%|\{%[^%\n]{0,100}%\}/gi;

/** What a template holds of other tools' templates; it is sent unchanged. */
export const foreignIn = (template: string): string[] => template.match(FOREIGN) ?? [];

/** A variable in three braces, which other tools fill without escaping; here the outer braces would be sent. */
const IN_THREE = new RegExp(`\\{${VARIABLE.source}\\}`, "gi");

/** Whatever looks like a variable but is none, of other tools or in braces; it is sent unchanged. */
export function unfilledIn(template: string): string[] {
  const inThree = template.match(IN_THREE) ?? [];
  const rest = template.replace(VARIABLE, (found) => " ".repeat(found.length));
  const braces = rest.match(/\{\{(?:[^{}\n]|\{[^{}\n]{0,100}\}){0,100}\}\}|\{\{|\}\}/g) ?? [];
  return [...foreignIn(rest), ...inThree, ...braces];
}

/** Fills every text inside a value; keys are not changed. */
export function renderValue<T>(value: T, objects: TemplateObjects): T {
  if (typeof value === "string") return renderText(value, objects) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => renderValue(item, objects)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renderValue(item as unknown, objects)]),
  ) as T;
}

/** A rendered channel id without invalid characters, cut to 64 characters. */
export function renderChannelId(template: string, objects: TemplateObjects): string {
  return renderText(template, objects)
    .replace(/[^\w!-]/g, "")
    .slice(0, 64);
}
