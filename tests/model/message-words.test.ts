/** Short descriptions of a message: its first line with words. */
import { expect, test } from "vitest";
import { excerpt, plainTextOf } from "../../src/model/message-words.ts";
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

test("the plain text has all lines without Markdown, and tells of a message without text", () => {
  expect(plainTextOf(message("m", "ana", "deploy **now**\nand `then` [look](https://x.example)"))).toBe(
    "deploy now and then look",
  );
  expect(plainTextOf(message("m", "ana", "", { attachments: [{ title: "plan.pdf" }] }))).toBe("plan.pdf");
});
