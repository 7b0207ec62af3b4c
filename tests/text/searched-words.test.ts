/** What a search finds in a text: the beginnings of words, any part of scripts without blanks, and nothing else. */
import { describe, expect, test } from "vitest";
import {
  findWords,
  fitsWords,
  hasWholeWord,
  indexQuery,
  indexTerms,
  isIndexExact,
  wordsOf,
} from "../../src/text/searched-words.ts";
import { fold } from "../../src/text/fold.ts";
import { partOf, SCRIPTS, textOf, written } from "../support/scripts.ts";
import { dice } from "../support/seeded.ts";

const found = (text: string, query: string): boolean => fitsWords(wordsOf(text), wordsOf(query));

test("words are letters, marks, digits and underscores, folded; unbroken scripts stand apart", () => {
  expect(wordsOf("Über das Café_2, nicht: wahr?")).toEqual(["uber", "das", "cafe_2", "nicht", "wahr"]);
  expect(wordsOf("私のiPhoneは2台、东边。")).toEqual(["私の", "iphone", "は", "2", "台", "东边"]);
  expect(wordsOf("…! % 👍")).toEqual([]);
});

test.each([
  ["我家在上海东边", "上海"],
  ["我家在上海东边", "海"],
  ["日本語テスト", "テスト"],
  ["日本語テスト", "ﾃｽﾄ"],
  ["𠮷野家で", "𠮷"],
  ["Die Straße", "strasse"],
  ["strasse", "Straße"],
  ["ΟΔΟΣ", "οδος"],
  ["İstanbul", "istanbul"],
  ["서울에서 만나", "서울"],
  ["价格2024年", "2024"],
])("%s is found by %s", (text, query) => expect(found(text, query)).toBe(true));

test.each([
  ["我家在上海东边", "海上"],
  ["海东 上海边", "上海东"],
  ["日本語ハト", "パ"],
  ["teapot", "pot"],
  ["만나 서울", "울"],
  ["ที่นี่", "ทู"],
])("%s is not found by %s", (text, query) => expect(found(text, query)).toBe(false));

describe.each(Object.keys(SCRIPTS))("%s", (script) => {
  test("a word of a text is found by its parts, however either is written", () => {
    const random = dice(script.length * 7919);
    for (let n = 0; n < 200; n++) {
      const word = random.pick(SCRIPTS[script]!.words);
      const text = `${textOf(script, random)} ${written(word, random)} ${textOf(script, random)}`;
      const query = written(partOf(word, script, random), random);
      if (wordsOf(query).length === 0) continue;
      expect([text, query, found(text, query)]).toEqual([text, query, true]);
      const hits = findWords(text, wordsOf(query)).map(({ start, end }) => text.slice(start, end));
      expect(hits.some((hit) => found(hit, query))).toBe(true);
    }
  });

  test("words whose letters are not in a text do not find it", () => {
    const random = dice(script.length * 104_729);
    const others = Object.keys(SCRIPTS).flatMap((other) => SCRIPTS[other]!.words);
    for (let n = 0; n < 200; n++) {
      const text = textOf(script, random);
      const letters = new Set(fold(text));
      const query = random.pick(others);
      if ([...fold(query)].every((letter) => letters.has(letter))) continue;
      expect([text, query, found(text, query)]).toEqual([text, query, false]);
      expect(findWords(text, wordsOf(query))).toEqual([]);
    }
  });

  test("the index has every term that a match needs", () => {
    const random = dice(script.length * 31);
    for (let n = 0; n < 200; n++) {
      const text = textOf(script, random);
      const query = written(partOf(random.pick(SCRIPTS[script]!.words), script, random), random);
      const terms = indexTerms(text);
      const wanted = (indexQuery(query) ?? '"\u0000"').split(" AND ");
      const isCandidate = wanted.every((term) =>
        term.endsWith("*")
          ? terms.some((one) => one.startsWith(term.slice(1, -2)))
          : terms.includes(term.slice(1, -1)),
      );
      const isFound = wordsOf(query).length > 0 && found(text, query);
      if (isFound || isIndexExact(query)) expect([text, query, isCandidate]).toEqual([text, query, isFound]);
    }
  });
});

test("a long unbroken query asks the index for no more than sixteen pairs, each once", () => {
  const query = Array.from({ length: 500 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join("");
  expect(indexQuery(query)!.split(" AND ")).toHaveLength(16);
  expect(indexQuery("的的的的")).toBe('"的的"');
});

test("hits are marked in the original text: whole words, parts of unbroken ones, letters that fold to several", () => {
  const marked = (text: string, query: string): string[] =>
    findWords(text, wordsOf(query)).map(({ start, end }) => text.slice(start, end));
  expect(marked("Deploy the cafe\u0301 and the Café", "dep cafe")).toEqual(["Deploy", "cafe\u0301", "Café"]);
  expect(marked("上海的上海东上", "上海 海东")).toEqual(["上海", "上海东"]);
  expect(marked("5㌔走る", "キ")).toEqual(["㌔"]);
  expect(marked("5㌔走る", "ロ走")).toEqual(["㌔走"]);
  expect(marked("tea", "")).toEqual([]);
});

test.each([
  ["a tea.", "tea", true],
  ["teapot", "tea", false],
  ["steam tea", "tea", true],
  ["snake_case", "case", false],
  ["我在上海呢", "上海", true],
  ["서울에서", "서울", true],
  ["대서울", "서울", false],
  ["in c++ now", "c++", true],
  ["stand up now", "stand up", true],
  ["tea", "", false],
])("%s has %s as a whole word: %s", (text, word, expected) =>
  expect(hasWholeWord(fold(text), fold(word))).toBe(expected),
);
