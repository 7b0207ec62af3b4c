/** Short descriptions of a message: its first line with words. */
import { expect, test } from "vitest";
import { excerpt } from "../../src/model/message-words.ts";
import { message } from "../support/fake-core.ts";

test.each([
  ["deploy **now**\nand then", "deploy now"],
  ["| mode | cost |\n|---|---|\n| fast | 3 |", "mode · cost"],
  ["mode | cost\n--- | ---\nfast | 3", "mode · cost"],
  ["either | or", "either | or"],
  ["```ts\nconst a = 1;\n```", "const a = 1;"],
  ["```\n\n  indented\n```", "indented"],
  ["", "(no text)"],
])("%j is described by its first line with words: %j", (text, expected) => {
  expect(excerpt(message("m", "ana", text)).trim()).toBe(expected);
});
