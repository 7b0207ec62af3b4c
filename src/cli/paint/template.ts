/** A small mustache for --template: `{{field}}`, dotted paths, `\t` and `\n`; no logic. */
import { dig } from "./json.ts";

export function fillTemplate(template: string, value: unknown): string {
  return template
    .replace(/\\([tn\\])/g, (_, c: string) => (c === "t" ? "\t" : c === "n" ? "\n" : "\\"))
    .replace(/\{\{\s*([\w.@-]+)\s*\}\}/g, (_, name: string) => {
      const found = dig(value, name);
      if (found === undefined || found === null) return "";
      return typeof found === "object" ? JSON.stringify(found) : String(found);
    });
}
