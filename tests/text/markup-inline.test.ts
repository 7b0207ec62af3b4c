/** Text that consists of paragraphs only skips the block rules: the result must be the same as with them. */
import fc from "fast-check";
import { Lexer } from "marked";
import { expect, test } from "vitest";
import { paragraphsOf } from "../../src/text/markup.ts";

const options = { gfm: true, breaks: true };
/** Letters, all Markdown characters, blanks, line breaks, and the pieces that start blocks. */
const text = fc
  .array(
    fc.constantFrom(
      ..."ab1.)-+*_~`[]()<>#=!\\&:@/|\n \t",
      ..."http://a.b|www.a.b|**b**|`c`|[a](b)|[a]: b|\n---|\n===|\n\n|\n# |\n1. |<b>|</b>|\n<p>|é|👍|\n    |\\\n|~~~|a@b.cd|&amp;|:smile:".split(
        "|",
      ),
    ),
    { minLength: 1, maxLength: 24 },
  )
  .map((parts) => parts.join("").trim());

test("text that skips the block rules gives the same paragraphs and spans as with them", () => {
  let checked = 0;
  fc.assert(
    fc.property(text, (sample) => {
      const parts = sample === "" ? undefined : paragraphsOf(sample);
      if (!parts) return;
      checked++;
      const tokens = new Lexer(options).lex(sample).filter((token) => token.type !== "space");
      expect(tokens.map((token) => token.type)).toEqual(parts.map(() => "paragraph"));
      expect(parts.map((part) => new Lexer(options).inlineTokens(part))).toEqual(
        tokens.map((token) => (token as { tokens: unknown }).tokens),
      );
    }),
    { numRuns: 8000, seed: 7 },
  );
  expect(checked).toBeGreaterThan(1000);
});
