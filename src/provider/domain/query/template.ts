/** Fills `{{ path.to.value }}` in the JSON templates of push messages. */
import { isObject, type Fields } from "../validation/check.ts";

/** Values are escaped for JSON strings, where templates use them; unknown paths are empty. */
export function renderTemplate(template: string, values: Fields): string {
  return template.replace(/\{\{\{?\s*([\w.]{1,200})\s*\}?\}\}/g, (_, path: string) => {
    let value: unknown = values;
    for (const step of path.split("."))
      value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined || value === null) return "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return JSON.stringify(text).slice(1, -1);
  });
}
