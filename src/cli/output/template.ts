/** Fills `--template` texts: `{{field}}` with dotted paths, `\t` and `\n`; there is no logic. */
import { valueAt } from "../../commands/base/define-command.ts";
import { plainLine } from "./controls.ts";

const FIELD = /\{\{\s*([\w.@-]+)\s*\}\}/g;

export const templateFields = (template: string): string[] =>
  [...template.matchAll(FIELD)].map(([, name]) => name!);

/** The start of a malformed field, such as `{{id` or `{{ a b }}`. */
export const strayBraces = (template: string): string | undefined =>
  /\{\{.{0,40}/s.exec(template.replace(FIELD, ""))?.[0];

/** `clean` is applied to the values, not to the text of the template. */
export function fillTemplate(template: string, value: unknown, clean = plainLine): string {
  return template
    .replace(/\\([tn\\])/g, (_, c: string) => (c === "t" ? "\t" : c === "n" ? "\n" : "\\"))
    .replace(FIELD, (_, name: string) => {
      const found = valueAt(value, name);
      if (found === undefined || found === null) return "";
      return clean(typeof found === "object" ? JSON.stringify(found) : String(found));
    });
}
