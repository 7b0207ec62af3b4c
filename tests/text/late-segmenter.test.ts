/** The build's segmenter returns the same as the real one, also for texts that it splits by itself. */
import { expect, test } from "vitest";
import { LateSegmenter } from "../../scripts/patches/late-segmenter.ts";
import { isSinglePoints } from "../../src/text/graphemes.ts";

const real = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const patched = new LateSegmenter(undefined, { granularity: "grapheme" });
const same = (text: string): void => expect([...patched.segment(text)]).toEqual([...real.segment(text)]);

test("every code point treated as a grapheme by itself is one, next to any other kind", () => {
  let own = 0;
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    if (!isSinglePoints(text)) continue;
    own++;
    const around = `a${text}${text}\n${text}ж${text}中${text}👋${text}\u001b[1m${text}→${text}カ`;
    if (!isSinglePoints(around)) throw new Error(`U+${code.toString(16)} changes what stands beside it`);
    if ([...real.segment(around)].length !== [...around].length) same(around);
  }
  expect(own).toBeGreaterThan(20_000);
});

test("styled rows, joined emoji, flags, skin tones and combining marks are segmented alike, and found by position", () => {
  for (const text of ["", "\u001b[38;2;1;2;3m│ 広田 Hiro 👋 ›\u001b[39m", "👩‍💻 🇩🇪 👍🏽 e\u0301 ❤️ 한국\r\n"]) {
    same(text);
    for (let at = 0; at <= text.length; at++)
      expect(patched.segment(text).containing(at)).toEqual(real.segment(text).containing(at));
  }
});

test("word segmentation is left to the real segmenter", () => {
  const words = new LateSegmenter("en", { granularity: "word" });
  expect([...words.segment("two words")].map(({ segment }) => segment)).toEqual(["two", " ", "words"]);
});
