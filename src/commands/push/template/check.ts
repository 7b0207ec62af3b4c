/** Checks a push template before it is stored, as the provider stores what no push service takes. */
import { CommandError } from "../../base/define-command.ts";
import { foreignInPush } from "../../base/foreign-placeholders.ts";

/** A block, whose text depends on values, or braces that are written as they stand. */
const BLOCK = /\{\{~?[#^]|\\\{\{/;
const VALUE = /\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Step by step, as one expression would look for the end of each begin again. */
function withoutComments(template: string): string {
  const begin = /\{\{~?!(--)?/g;
  let kept = "";
  for (let at = 0; ;) {
    begin.lastIndex = at;
    const found = begin.exec(template);
    const end = found?.[1] ? /--~?\}\}/g : /\}\}/g;
    end.lastIndex = begin.lastIndex;
    if (!found || !end.test(template)) return kept + template.slice(at);
    kept += template.slice(at, found.index);
    at = end.lastIndex;
  }
}

/** Whether a template is no JSON with whatever values; nobody knows of one with blocks. A number may follow a sign, so both kinds of values are tried. */
function isNeverJson(template: string): boolean {
  const text = withoutComments(template);
  if (BLOCK.test(text) || text.replace(VALUE, "").includes("{{")) return false;
  const parts = text.split(/("(?:[^"\\{]|\\.|\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|\{)*")/);
  const filled = (value: string): string =>
    parts.map((part, n) => part.replace(VALUE, n % 2 === 1 ? "" : value)).join("");
  return !['""', "0"].some((value) => isJson(filled(value)));
}

/** Throws `CommandError` (rejected) for a template of another tool, and for one that is no JSON. */
export function requireUsableTemplate(template: string): void {
  const foreign = foreignInPush("The template,", template);
  if (foreign.length > 0) throw new CommandError("rejected", foreign.join("; "));
  if (isNeverJson(template))
    throw new CommandError(
      "rejected",
      "The template is not JSON, whatever its placeholders are.",
      "parley push template render shows what it becomes.",
    );
}
