/** Texts that people take for the same fold to the same, and positions lead back into the original. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, foldWithPositions } from "../../src/text/fold.ts";

const SAME: Record<string, string[]> = {
  "sharp s": ["Straße", "STRASSE", "strasse", "STRAẞE"],
  "the end of a Greek word": ["ΟΔΟΣ", "οδος", "οδοσ", "Οδός"],
  "the two i of Turkish": ["İstanbul", "ISTANBUL", "ıstanbul", "istanbul", "i\u0307stanbul"],
  "half and full width": ["ﾃｽﾄ", "テスト"],
  "a half-wide voice mark": ["ﾃﾞｰﾀ", "データ", "テ\u3099ータ"],
  "wide Latin": ["Ｔｅａ ２０２４", "tea 2024"],
  accents: ["Café", "cafe\u0301", "CAFE"],
  strokes: ["Łódź", "lodz", "LODZ"],
  "Arabic points and stretching": ["شُكْرًا", "شكرا", "شـــكرا"],
  "Hebrew points": ["שָׁלוֹם", "שלום"],
  "parts of Korean syllables": ["서울", "서울".normalize("NFD")],
  "soft hyphens and joiners": ["soft\u00adhyphen", "softhyphen", "soft\u200bhyphen"],
  ligatures: ["ﬁn", "fin"],
};

test.each(Object.entries(SAME))("%s do not count", (_, [first, ...others]) => {
  for (const other of others) expect(fold(other)).toBe(fold(first!));
});

test.each([
  ["か", "が"],
  ["ハ", "パ"],
  ["ที", "ทู"],
  ["किताब", "कताब"],
  ["서", "성"],
  ["ا", "ب"],
])("%s and %s are different letters", (one, other) => expect(fold(one)).not.toBe(fold(other)));

const ANY = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom("ﾃﾞ", "각", "ㄳ", "ㅏ", "ﾡ", "ﾂ", "ẞ", "ﬃ", "ﷺ", "น้ำ", "İ", "\u0301"),
  ),
  { maxLength: 8 },
);

test("a folded text folds to itself, in any case it was typed in", () => {
  fc.assert(
    fc.property(ANY, (parts) => {
      const text = parts.join("");
      expect(fold(fold(text))).toBe(fold(text));
      expect(fold(text.toLowerCase())).toBe(fold(text));
      expect(fold(text.normalize("NFD"))).toBe(fold(text.normalize("NFC")));
    }),
    { seed: 66, numRuns: 2000 },
  );
});

test("positions cover the whole text, in order, and the text is the folded one", () => {
  fc.assert(
    fc.property(ANY, (parts) => {
      const text = parts.join("");
      const folded = foldWithPositions(text);
      expect(folded.text).toBe(fold(text));
      expect(folded.starts).toHaveLength(folded.text.length + 1);
      expect(folded.starts).toEqual(folded.starts.toSorted((a, b) => a - b));
      expect(folded.starts.at(-1)).toBe(text.length);
    }),
    { seed: 67, numRuns: 2000 },
  );
});
