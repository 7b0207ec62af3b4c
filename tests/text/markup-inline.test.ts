/** A text that is plainly one paragraph skips the block rules: it must come out as with them. */
import fc from "fast-check";
import { Lexer } from "marked";
import { expect, test } from "vitest";
import { hasBlocks } from "../../src/text/markup.ts";

const options = { gfm: true, breaks: true };
/** Letters, all signs of Markdown, blanks and lines, and the pieces that make blocks of them. */
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

test("whatever the block rules are not asked for is one paragraph with the same spans", () => {
  let judged = 0;
  fc.assert(
    fc.property(text, (given) => {
      if (given === "" || hasBlocks(given)) return;
      judged++;
      const tokens = new Lexer(options).lex(given);
      expect(tokens.map((token) => token.type)).toEqual(["paragraph"]);
      expect(new Lexer(options).inlineTokens(given)).toEqual((tokens[0] as { tokens: unknown }).tokens);
    }),
    { numRuns: 8000, seed: 7 },
  );
  expect(judged).toBeGreaterThan(1000);
});
