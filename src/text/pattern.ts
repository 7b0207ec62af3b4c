/** Blocklist patterns in RE2 syntax, matched in linear time. */
import { RE2JS } from "re2js";

/** Maximum number of instructions of a pattern, with `{m,n}` expanded: matching runs all of them in parallel. */
const MAX_PROGRAM = 2000;

export class PatternError extends Error {}

export interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
}

/** Unicode white space, which RE2's `\s` does not include. */
const SPACE = String.raw`\s\v\x{a0}\x{feff}\p{Z}`;

/** Converts syntax of other engines: `\u0061`, `\u{61}`, and `\s` for all Unicode white space. */
function asRe2(source: string): string {
  let inSet = false;
  return source.replace(
    /\\(?:u(?:([\da-f]{4})|\{([\da-f]+)\})|[^])|[[\]]/gi,
    (match, four?: string, long?: string) => {
      const code = four ?? long;
      if (code !== undefined) return `\\x{${code}}`;
      if (match === "[" || match === "]") inSet = match === "[";
      if (match === "\\s") return inSet ? SPACE : `[${SPACE}]`;
      return match === "\\S" && !inSet ? `[^${SPACE}]` : match;
    },
  );
}

export const PATTERN_FORM =
  "is not a regular expression as they are run here: as RE2 has them, without looking around or referring back";

/** Case-insensitive. Throws `PatternError` for an invalid or too long pattern, and for lookaround and backreferences. */
export function compilePattern(source: string): Pattern {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(asRe2(source), RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : "is no pattern", { cause: error });
  }
  if (pattern.programSize() > MAX_PROGRAM) throw new PatternError("is too long");
  return pattern;
}

export function isPattern(source: string): boolean {
  try {
    compilePattern(source);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}
