/** Patterns of blocklists in the syntax of RE2, matched in time linear in the text. */
import { RE2JS } from "re2js";

/** Instructions of one pattern, after `{m,n}` is written out: the longest text is walked with all of them at once. */
const LONGEST = 2000;

export class PatternError extends Error {}

export interface Pattern {
  /** Is there a match anywhere in the text. */
  test(text: string): boolean;
}

/** White space of every script, which RE2's own `\s` does not know. */
const SPACE = String.raw`\s\v\x{a0}\x{feff}\p{Z}`;

/** What other engines write otherwise: `\u0061` and `\u{61}`, and `\s` that means every white space. */
function asRe2(source: string): string {
  let inSet = false;
  return source.replace(
    /\\(?:u(?:([\da-f]{4})|\{([\da-f]+)\})|[^])|[[\]]/gi,
    (found, four?: string, long?: string) => {
      const code = four ?? long;
      if (code !== undefined) return `\\x{${code}}`;
      if (found === "[" || found === "]") inSet = found === "[";
      if (found === "\\s") return inSet ? SPACE : `[${SPACE}]`;
      return found === "\\S" && !inSet ? `[^${SPACE}]` : found;
    },
  );
}

/** What is said of a pattern that is refused. */
export const PATTERN_FORM =
  "is not a regular expression as they are run here: as RE2 has them, without looking around or referring back";

/** Capitals count as small letters. Throws `PatternError` for what is no pattern, looks around, refers back or is too long. */
export function compilePattern(source: string): Pattern {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(asRe2(source), RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : "is no pattern", { cause: error });
  }
  if (pattern.programSize() > LONGEST) throw new PatternError("is too long");
  return pattern;
}

/** Can the pattern be run: what is kept is judged by the engine that will run it. */
export function isPattern(source: string): boolean {
  try {
    compilePattern(source);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}
