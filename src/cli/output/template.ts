/** A small mustache for --template: `{{field}}`, dotted paths, `\t` and `\n`; no logic. */
import { plainLine } from "./controls.ts";
import { dig } from "./json.ts";

/** `clean` is asked for each value; what the template itself says stays as it is. */
export function fillTemplate(template: string, value: unknown, clean = plainLine): string {
  return template
    .replace(/\\([tn\\])/g, (_, c: string) => (c === "t" ? "\t" : c === "n" ? "\n" : "\\"))
    .replace(/\{\{\s*([\w.@-]+)\s*\}\}/g, (_, name: string) => {
      const found = dig(value, name);
      if (found === undefined || found === null) return "";
      return clean(typeof found === "object" ? JSON.stringify(found) : String(found));
    });
}
