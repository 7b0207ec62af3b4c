/** Keywords of notices are found as whole words, in every script. */
import { expect, test } from "vitest";
import { hasKeyword } from "../../src/model/notifiable.ts";

test.each([
  ["The Deploy is done", "deploy", true],
  ["redeploy", "deploy", false],
  ["we deployed", "deploy", false],
  ["on the STRASSE", "tea, Straße", true],
  ["我在上海呢", "上海", true],
  ["日本語ﾃｽﾄです", "テスト", true],
  ["내일 회의가 있어요", "회의", true],
  ["ΟΔΟΣ 5", "οδός", true],
  ["我在上海呢", "北京，上海", true],
  ["今日はお茶です", "珈琲、お茶", true],
  ["شاي الآن", "قهوة، شاي", true],
  ["on the STRASSE", "Straße ، tea", true],
  ["tea or rum", "tea or", true],
  ["or tea", "tea or", false],
  ["a, b", " , ", false],
  ["tea", "", false],
])("%s has a keyword of %s: %s", (text, keywords, expected) =>
  expect(hasKeyword(text, keywords)).toBe(expected),
);
