/** Fills `--template` texts: `{{field}}`, dotted paths, `\t` and `\n`; no logic. */
import { plainLine } from "./controls.ts";
import { dig } from "./json.ts";

const FIELD = /\{\{\s*([\w.@-]+)\s*\}\}/g;

/** The fields that a template names. */
export const templateFields = (template: string): string[] =>
  [...template.matchAll(FIELD)].map(([, name]) => name!);

/** `clean` is asked for each value; what the template itself says stays as it is. */
export function fillTemplate(template: string, value: unknown, clean = plainLine): string {
  return template
    .replace(/\\([tn\\])/g, (_, c: string) => (c === "t" ? "\t" : c === "n" ? "\n" : "\\"))
    .replace(FIELD, (_, name: string) => {
      const found = dig(value, name);
      if (found === undefined || found === null) return "";
      return clean(typeof found === "object" ? JSON.stringify(found) : String(found));
    });
}
