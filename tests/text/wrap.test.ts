/** Wrapping, width and graphemes: no row is too wide, nothing is lost or split, every style is closed. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphemes } from "../../src/text/graphemes.ts";
import { clean } from "../../src/text/sanitize.ts";
import { cellWidth, fitTerminal, padEnd, plain, truncate, truncateStart } from "../../src/text/width.ts";
import { wrapsOf, wrapText } from "../../src/text/wrap.ts";
import { giants, hostile } from "./hostile.ts";

const B = "\x1b[1m";
const b = "\x1b[22m";
const R = "\x1b[31m";
const r = "\x1b[39m";
const L = "\x1b]8;id=x;https://a.example/\x1b\\";
const l = "\x1b]8;;\x1b\\";

const unit = fc.constantFrom(
  "a",
  "b",
  "word",
  " ",
  "  ",
  "\n",
  "漢",
  "字",
  "。",
  "👍🏽",
  "👩‍💻",
  "e\u0301",
  "é",
  "-",
  "https://a.example/long/path",
  "ﾞ",
  "ไ",
  "한",
  "❤️",
);
const text = fc.array(unit, { maxLength: 40 }).map((parts) => clean(parts.join("")));
const styled = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: unit },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          B,
          b,
          R,
          r,
          L,
          l,
          "\x1b[0m",
          "\x1b[38;5;9m",
          "\x1b[48;2;1;2;3m",
          "\x1b[49m",
        ),
      },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));
const textOnly = (s: string): string => plain(s).replace(/[ \n\u3000]/g, "");

describe("rows", () => {
  test.each([
    ["hello big world", 7, ["hello", "big", "world"]],
    ["hello big world", 9, ["hello big", "world"]],
    ["", 9, [""]],
    ["a\n\nb", 9, ["a", "", "b"]],
    ["abcdefghij kl", 5, ["abcde", "fghij", "kl"]],
    ["x abcdefgh", 5, ["x", "abcde", "fgh"]],
    ["a     b", 3, ["a", "b"]],
    ["    code here", 9, ["    code", "here"]],
    ["      abc", 4, [" abc"]],
    ["trail    ", 5, ["trail"]],
    ["漢字漢字", 5, ["漢字", "漢字"]],
    ["漢字。漢", 4, ["漢", "字。", "漢"]],
    ["漢abc", 4, ["漢", "abc"]],
    ["👩‍💻👩‍💻👩‍💻", 4, ["👩‍💻👩‍💻", "👩‍💻"]],
  ])("%j in %i cells", (from, width, rows) => expect(wrapText(from, width)).toEqual(rows));

  test("styles are closed at the end of a row and opened again on the next", () => {
    expect(wrapText(`a ${B}bold ${R}red${r} text${b} z`, 6)).toEqual([
      `a ${B}bold${b}`,
      `\x1b[1;31mred${r}${b}`,
      `${B}text${b} z`,
    ]);
  });
  test("a link continues over several rows", () => {
    expect(wrapText(`${L}one two${l} z`, 4)).toEqual([`${L}one${l}`, `${L}two${l}`, "z"]);
  });
  test("a style continues over a cut word", () => {
    expect(wrapText(`${R}abcdef${r}`, 4)).toEqual([`${R}abcd${r}`, `${R}ef${r}`]);
  });
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 45, 53, 95, 103])(
    "style %i continues over rows and line ends",
    (n) => {
      const on = `\x1b[${n}m`;
      const rows = wrapText(`${on}one two\nthree\x1b[0m z`, 5);
      expect(rows.map((row) => row.startsWith(on))).toEqual([true, true, true, false]);
      expect(rows.map((row) => plain(row))).toEqual(["one", "two", "three", "z"]);
      expect(rows.slice(0, 3).every((row) => /\x1b\[\d+m$/.test(row) && !row.endsWith(on))).toBe(true);
    },
  );
  test("bold and faint together continue, and both end with their one code", () => {
    expect(wrapText(`${B}\x1b[2mone two${b} z`, 4)).toEqual([`${B}\x1b[2mone${b}`, `\x1b[1;2mtwo${b}`, "z"]);
  });
  test("a style continues over a line end", () => {
    expect(wrapText(`${B}a\nb${b}`, 4)).toEqual([`${B}a${b}`, `${B}b${b}`]);
  });
  test("a style that ends within a shortened indent is not opened in its row", () => {
    expect(wrapText(`${B}a\n \x1b[0m漢`, 2)).toEqual([`${B}a${b}`, "漢"]);
    expect(wrapText(`${L}a\n ${l}漢`, 2)).toEqual([`${L}a${l}`, "漢"]);
  });
  test("a grapheme wider than the row is cut", () => {
    const rows = wrapText("क्".repeat(20), 6);
    expect(Math.max(...rows.map(cellWidth))).toBeLessThanOrEqual(6);
    expect(rows.join("")).toBe("क्".repeat(20));
  });
});

describe("for any text", () => {
  const width = fc.integer({ min: 2, max: 30 });
  test("no row is too wide", () => {
    fc.assert(
      fc.property(fc.oneof(text, styled), width, (s, w) => {
        for (const row of wrapText(s, w)) expect(cellWidth(row)).toBeLessThanOrEqual(w);
      }),
      { numRuns: 2000 },
    );
  });
  test("no visible character is lost, added or moved", () => {
    fc.assert(
      fc.property(fc.oneof(text, styled), width, (s, w) => {
        expect(textOnly(wrapText(s, w).join("\n"))).toBe(textOnly(s));
      }),
      { numRuns: 2000 },
    );
  });
  test("no grapheme that fits is split, and no row begins with a blank unless its line does", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (s, w) => {
        fc.pre(graphemes(s).every((g) => cellWidth(g) <= w));
        const rows = wrapText(s, w);
        expect(rows.flatMap((row) => graphemes(row)).filter((g) => g !== " " && g !== "\u3000")).toEqual(
          graphemes(s).filter((g) => !/^[ \n\u3000]$/.test(g)),
        );
        if (!/(^|\n) /.test(s)) for (const row of rows) expect(row.startsWith(" ")).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
  test("every row ends with all styles off", () => {
    fc.assert(
      fc.property(styled, width, (s, w) => {
        for (const row of wrapText(s, w)) {
          const on = new Set<string>();
          for (const [, sgr, link] of row.matchAll(/\x1b\[([\d;]*)m|\x1b\]8;[^;]*;([^\x1b]*)\x1b\\/g)) {
            if (link !== undefined) {
              on.delete("link");
              if (link) on.add("link");
            } else if (sgr === "0") {
              for (const name of on) if (name !== "link") on.delete(name);
            } else
              for (const [pattern, name] of [
                [/^1(;|$)/, "bold"],
                [/(^|;)(31|38;5;9)(;|$)/, "fg"],
                [/(^|;)48;2;1;2;3(;|$)/, "bg"],
              ] as const)
                if (pattern.test(sgr!)) on.add(name);
            if (sgr && /(^|;)22/.test(sgr)) on.delete("bold");
            if (sgr && /(^|;)39/.test(sgr)) on.delete("fg");
            if (sgr && /(^|;)49/.test(sgr)) on.delete("bg");
          }
          expect([...on], JSON.stringify(row)).toEqual([]);
        }
      }),
      { numRuns: 1500 },
    );
  });
  test("the corpus fits 20 cells", () => {
    for (const from of hostile)
      for (const row of wrapText(clean(from), 20)) expect(cellWidth(row)).toBeLessThanOrEqual(20);
  });
  // Quadratic time for 200,000 characters would exceed the test runner's timeout.
  test.each(giants)("$name are wrapped into rows that fit, plain and bold", ({ text: from }) => {
    const shown = clean(from);
    const plain = wrapText(shown, 80);
    expect(wrapText(`${B}${shown}${b}`, 80)).toHaveLength(plain.length);
    for (const row of plain.slice(0, 100)) expect(cellWidth(row)).toBeLessThanOrEqual(80);
  });
  test("a word of 200,000 letters is wrapped too", () =>
    expect(wrapText("x".repeat(200_000), 80)).toHaveLength(2500));
});

describe("width", () => {
  test.each([
    ["abc", 3],
    ["漢字", 4],
    ["é", 1],
    ["e\u0301", 1],
    ["👍🏽", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["❤️", 2],
    ["❤", 1],
    ["🇩🇪", 2],
    ["한글", 4],
    [`${B}ab${b}`, 2],
    [`${L}ab${l}`, 2],
    ["─█░┃", 4],
  ])("%j takes %i cells", (s, cells) => expect(cellWidth(s)).toBe(cells));

  test("truncating keeps whole graphemes and marks the cut", () => {
    expect(truncate("hello", 5)).toBe("hello");
    expect(truncate("hello!", 5)).toBe("hell…");
    expect(truncate("漢字漢字", 6)).toBe("漢字…");
    expect(truncate("漢字漢", 6)).toBe("漢字漢");
    expect(truncate("abc", 0)).toBe("");
    expect(truncate("👩‍💻👩‍💻", 3)).toBe("👩‍💻…");
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (s, cells) => {
        const line = s.replaceAll("\n", " ");
        const cut = truncate(line, cells);
        expect(cellWidth(cut)).toBeLessThanOrEqual(cells);
        if (cellWidth(line) <= cells) expect(cut).toBe(line);
      }),
      { numRuns: 1000 },
    );
  });
  test("truncating at the start keeps as much of the end as there is room for", () => {
    expect(["hello", "hello!", "漢字漢字"].map((line) => truncateStart(line, 5))).toEqual([
      "hello",
      "…llo!",
      "…漢字",
    ]);
    expect(truncateStart("漢字漢字", 6)).toBe("…漢字");
    expect([1, 0].map((cells) => truncateStart("abc", cells))).toEqual(["…", ""]);
  });
  test("padding counts cells", () => {
    expect(padEnd("漢", 4)).toBe("漢  ");
    expect(padEnd("abcdef", 4)).toBe("abcdef");
  });
  test("parts that the terminal measures differently are left out (specification/screen.md §6)", () => {
    expect(fitTerminal("❤️ 1️⃣", { dropVariation: true })).toBe("❤ 1");
    expect(fitTerminal("👍🏽", { dropSkinTone: true })).toBe("👍");
    expect(fitTerminal("👩‍💻 🤷‍♂️", { dropJoiner: true })).toBe("👩💻 🤷");
    expect(fitTerminal("👩‍💻", undefined)).toBe("👩‍💻");
  });
});

describe("graphemes", () => {
  test("are what people see as one character", () => {
    expect(graphemes("a👩‍💻e\u0301漢")).toEqual(["a", "👩‍💻", "e\u0301", "漢"]);
    expect(graphemes("a\r\nb")).toEqual(["a", "\r\n", "b"]);
    expect(graphemes("👍🏽👍🏽")).toHaveLength(2);
    expect(graphemes("abcdef", 2)).toEqual(["a", "b"]);
  });
  test("are the same with the shortcut for simple scripts as with the segmenter", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom("a", "漢", "あ", "カ", "é", "ÿ", "я", "—", "。", "한", "\n"),
            fc.nat(0x9fff).map((c) => String.fromCharCode(c)),
          ),
          maxLength: 12,
        }),
        (s) => {
          expect(graphemes(s)).toEqual([...segmenter.segment(s)].map((part) => part.segment));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

test("the breaks that wrapping made are known: without them a text is as it was, but for blanks at a break", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 30 }), (written, width) => {
      const rows = wrapText(written, width);
      const wraps = wrapsOf(() => wrapText(written, width));
      const joined = rows
        .map((row, at) => row + (at === rows.length - 1 ? "" : (wraps[at] ?? "\n")))
        .join("");
      const withoutBlanks = (one: string): string => one.replaceAll(/ +/g, " ").replaceAll(/^ | $/gm, "");
      expect(withoutBlanks(joined)).toBe(withoutBlanks(written));
    }),
  );
  expect(wrapText("a long line", 6)).toEqual(["a long", "line"]);
});
