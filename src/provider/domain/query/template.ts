/** Fills `{{ path.to.value }}` in the JSON templates of push messages. */
import { isObject, type Fields } from "../validation/check.ts";

/** Values are escaped for JSON strings, where templates use them; unknown paths are empty. */
export function renderTemplate(template: string, values: Fields): string {
  return template.replace(/\{\{\{?\s*([\w.]{1,200})\s*\}?\}\}/g, (_, path: string) => {
    let at: unknown = values;
    for (const step of path.split(".")) at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    if (at === undefined || at === null) return "";
    const text = typeof at === "string" ? at : JSON.stringify(at);
    return JSON.stringify(text).slice(1, -1);
  });
}
