/** The sanitizer: nothing a stranger writes may move the cursor, recolour, hide or break the grid (specification/security.md §1–2). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphemes } from "../../src/text/graphemes.ts";
import { clean, cleanLine, cleanName, SHOWN_GRAPHEMES } from "../../src/text/sanitize.ts";
import { cellWidth } from "../../src/text/width.ts";
import { giants, hostile } from "./hostile.ts";
import { runs } from "../support/proof.ts";

/** Everything that must never appear in the output, written independently of the code under test. */
const FORBIDDEN =
  // oxlint-disable-next-line no-misleading-character-class -- single characters on purpose
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e001f}\u{e0080}-\u{e0fff}]|\p{Cs}|\p{Cn}/u;
const JOINERS = /\u200d|\ufe0f|[\u{e0020}-\u{e007f}]/gu;
const EMOJI = /\p{RGI_Emoji}/gv;

function expectClean(out: string, from: string): void {
  const label = JSON.stringify(from.slice(0, 80));
  expect(FORBIDDEN.exec(out)?.[0].codePointAt(0)?.toString(16), label).toBeUndefined();
  expect(out.isWellFormed(), label).toBe(true);
  // Joiners are allowed only inside real emoji.
  expect(out.replace(EMOJI, "").match(JOINERS), label).toBeNull();
  expect(/\p{M}{9}/u.test(out.replace(EMOJI, "")), label).toBe(false);
  expect(graphemes(out).length, label).toBeLessThanOrEqual(SHOWN_GRAPHEMES);
}

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: fc.nat(0xffff).map((c) => String.fromCharCode(c)), maxLength: 60 }),
  fc
    .array(fc.constantFrom(...hostile.filter((s) => s.length < 40)), { maxLength: 6 })
    .map((list) => list.join("")),
  fc.string({
    unit: fc.constantFrom(
      "\x1b",
      "[",
      "]",
      "P",
      "\x9b",
      "\x9d",
      "0",
      ";",
      "m",
      "\x07",
      "\\",
      "\n",
      "\u200d",
      "\ufe0f",
      "👍",
      "🏽",
      "❤",
      "1",
      "\u20e3",
      "\u0301",
      "e",
      "\u{e0067}",
      "\u{e007f}",
      "🏴",
      "\r",
      "ᄀ",
      "ᅡ",
      "ᆨ",
      "\ud83d",
    ),
    maxLength: 40,
  }),
);

describe("whatever comes in", () => {
  test("the corpus has at least 1,500 different strings", () => {
    expect(hostile.length).toBeGreaterThanOrEqual(1500);
    expect(new Set(hostile).size).toBe(hostile.length);
  });

  test("nothing in the corpus leaves a control, bidi, zero-width or unassigned character", () => {
    for (const text of hostile) {
      expectClean(clean(text), text);
      const line = cleanLine(text);
      expectClean(line, text);
      expect(line).not.toContain("\n");
      const name = cleanName(text);
      expectClean(name, text);
      expect(cellWidth(name)).toBeLessThanOrEqual(64);
    }
  });

  test("no random text leaves a control, bidi, zero-width or unassigned character", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expectClean(clean(text), text);
      }),
      { numRuns: runs(3000, 1000) },
    );
  });

  test("cleaning twice is the same as cleaning once", () => {
    for (const text of hostile) expect(clean(clean(text))).toBe(clean(text));
    fc.assert(
      fc.property(anything, (text) => {
        expect(clean(clean(text))).toBe(clean(text));
        expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
        expect(cleanName(cleanName(text, 9), 9)).toBe(cleanName(text, 9));
      }),
      { numRuns: 2000 },
    );
  });

  test("ordinary text is unchanged", () => {
    for (const text of [
      "deploy at ten?",
      "a\n  b",
      "Grüße aus Zürich",
      "こんにちは、世界",
      "안녕하세요",
      "Привет",
      "",
    ])
      expect(clean(text)).toBe(text);
  });

  test("printable ASCII is unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 200 }), (text) => {
        expect(clean(text)).toBe(text);
      }),
    );
  });
});

describe("escape sequences", () => {
  test.each([
    ["a\x1b[31mred\x1b[0m!", "ared!", "colours leave no trace"],
    ["\x9b31mred", "red", "nor in their C1 form"],
    ["a\x1b[2Jb", "a␛b", "other CSI leave one mark"],
    ["\x1b]0;title\x07x", "␛x", "OSC ended by BEL"],
    ["\x1b]0;title\x1b\\x", "␛x", "OSC ended by ST"],
    ["\x9d0;title\x9cx", "␛x", "OSC in C1"],
    ["\x1b]52;c;cHduZWQ=", "␛", "an unterminated OSC takes its line"],
    ["\x1b]0;title\nnext", "␛\nnext", "but not the next line"],
    ["\x1bPq#0\n#1\x1b\\x", "␛x", "a terminated DCS whole, over lines"],
    ["\x1b_Gf=1;AA\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\x", "␛x", "APC, PM, SOS; a run of them is one mark"],
    ["\x1bktitle\x1b\\x", "␛x", "the title string of screen"],
    ["\x1bcx\x1b(0y\x1b#8z", "␛x␛y␛z", "two- and three-character sequences"],
    ["end\x1b", "end␛", "a lone ESC"],
    ["\x1b\u200b[31m", "␛[31m", "nothing forms anew from what is left"],
    ["\x1b[31\x18m", "␛␘m", "a cancelled sequence"],
  ])("%j becomes %j: %s", (from, to) => expect(clean(from)).toBe(to));
});

describe("characters", () => {
  test.each([
    ["a\tb", "a    b"],
    ["a\r\nb\rc\u2028d\u2029e\x85f", "a\nb\nc\nd\ne\nf"],
    ["\0\x07\x08\x7f", "␀␇␈␡"],
    ["\x80\x8e", "\ufffd\ufffd"],
    ["ab\u202ecd\u2066e\u200f", "abcde"],
    ["pay\u200bpal\u200c\u2060\ufeff\xad", "paypal"],
    ["\ud800x\udc00", "\ufffdx\ufffd"],
    ["a\xa0b\u2003c\u202fd", "a b c d"],
    ["\u{e0041}\u{e0042}x", "x"],
    ["e" + "\u0301".repeat(20), "e" + "\u0301".repeat(8)],
    ["e" + "\u0301".repeat(8), "e" + "\u0301".repeat(8)],
    ["e" + "\u0301\u200b".repeat(20), "e" + "\u0301".repeat(8)],
    ["\u0301x\n\u0301", "◌\u0301x\n◌\u0301"],
    ["\u1112\u1161\u11ab", "한"],
    ["ᄀ".repeat(9), "ᄀᄀᄀ"],
    ["\u{10ffff}\uffff", "\ufffd\ufffd"],
    ["\ue0b0", "\ue0b0"],
  ])("%j becomes %j", (from, to) => expect(clean(from)).toBe(to));
});

describe("emoji", () => {
  test.each(["👍", "❤️", "1️⃣", "👍🏽", "👩🏽‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👁️‍🗨️", "©️"])("%s is kept", (emoji) =>
    expect(clean(`a${emoji}b`)).toBe(`a${emoji}b`),
  );
  test.each([
    ["👩\u200d⚕", "👩\u200d⚕\ufe0f"],
    ["🏳\u200d🌈", "🏳\ufe0f\u200d🌈"],
    ["⌚\ufe0f", "⌚"],
    ["☎\ufe0e", "☎"],
    ["a\u200db\ufe0f", "ab"],
    ["👍\u200d👍", "👍👍"],
    ["👍\u200d", "👍"],
    ["👍🏽🏽", "👍🏽\ufffd"],
    ["a🏽", "a\ufffd"],
    ["🏴\u{e0067}\u{e0067}\u{e007f}", "🏴"],
    ["🏴\u{e0067}", "🏴"],
  ])("%j becomes %j", (from, to) => expect(clean(from)).toBe(to));
});

describe("limits", () => {
  test("20,000 graphemes are kept, and more are cut with their number", () => {
    const whole = "x".repeat(SHOWN_GRAPHEMES);
    expect(clean(whole)).toBe(whole);
    expect(clean(`${whole}x`)).toBe(`${"x".repeat(19_976)} … 25 more`);
    expect(clean("👍🏽".repeat(SHOWN_GRAPHEMES))).toBe("👍🏽".repeat(SHOWN_GRAPHEMES));
    expect(clean("👍🏽".repeat(SHOWN_GRAPHEMES + 1))).toMatch(/ … [\d,]+ more$/);
  });

  // Quadratic time for 200,000 characters would exceed the test runner's timeout.
  test.each(giants)("$name are cleaned in reasonable time and within the limit", ({ text }) => {
    const out = clean(text);
    expect(out.length).toBeLessThan(100_000);
    expect(graphemes(out).length).toBeLessThanOrEqual(SHOWN_GRAPHEMES);
  });
});

describe("lines and names", () => {
  test("a line has no line ends and no repeated blanks", () => {
    expect(cleanLine(" a\n\n b\t\tc\u3000d ")).toBe("a b c d");
  });
  test("a long name is cut with a mark", () => {
    expect(cleanName("ana")).toBe("ana");
    expect(cleanName("x".repeat(64))).toBe("x".repeat(64));
    expect(cleanName("x".repeat(65))).toBe(`${"x".repeat(63)}…`);
    expect(cleanName("漢字漢字", 5)).toBe("漢字…");
  });
  test("a name without visible characters is empty, so that the id is shown", () => {
    for (const name of ["", "  ", "\u200b", "\u3164", "\u2800", "\u202e\u2066", "\u3000"])
      expect(cleanName(name)).toBe("");
  });
});
