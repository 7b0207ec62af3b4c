/** Borders line up in terminals that measure text widths differently. */
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import { expect, test } from "vitest";
import { cellWidth, padEnd } from "../../../src/text/width.ts";
import { steadyColumns } from "../../../src/tui/terminal/steady-columns.ts";

const WORDS = {
  Hindi: "हिन्दी में किताब",
  "a Hindi conjunct": "क्षत्रिय र्‍य",
  Bengali: "বাংলা",
  Tamil: "தமிழ் நிகழ்வு",
  Telugu: "తెలుగు",
  Malayalam: "മലയാളം",
  Sinhala: "සිංහල",
  Thai: "กำลังน้ำ",
  Lao: "ນ້ຳ",
  Khmer: "ភាសាខ្មែរ",
  Burmese: "မြန်မာ",
  "an Arabic number sign": "\u0600\u0661",
  "emoji of several parts": "👩‍👩‍👧 👍🏽 ❤️ 1️⃣",
};

/** The row as an emulated terminal shows it, and the columns of its borders. */
async function drawn(row: string, graphemes: boolean): Promise<{ borders: number[]; text: string }> {
  const term = new xterm.Terminal({ cols: 60, rows: 3, allowProposedApi: true });
  if (graphemes) term.loadAddon(new UnicodeGraphemesAddon());
  await new Promise<void>((done) => term.write(`\x1b[?7l${row}`, done));
  const line = term.buffer.active.getLine(0)!;
  const borders = Array.from({ length: 60 }, (_, x) => x).filter((x) =>
    line.getCell(x)?.getChars().startsWith("│"),
  );
  return { borders, text: line.translateToString(true) };
}

const bothTerminals = (row: string) => Promise.all([drawn(row, true), drawn(row, false)]);

test.each(Object.entries(WORDS))(
  "%s: what follows it is at its column in both terminals",
  async (_, word) => {
    for (const row of [
      `│${padEnd(word, 30)}│ after │`,
      `│\x1b[1m${word}\x1b[22m│ after │`,
      `│ a│\x1b[39m${word}  \x1b[2m12\x1b[22m│`,
    ]) {
      const expected = [...row.replace(/\x1b\[\d+m/g, "").matchAll(/│/g)].map(({ index }) =>
        cellWidth(row.replace(/\x1b\[\d+m/g, "").slice(0, index)),
      );
      for (const { borders, text } of await bothTerminals(steadyColumns(row))) {
        expect(borders).toEqual(expected);
        expect(text).toContain(word.slice(0, 2));
      }
    }
  },
);

test("without the fix the terminals disagree", async () => {
  const rows = Object.values(WORDS).map((word) => `│${padEnd(word, 30)}│`);
  const wrong = await Promise.all(
    rows.map(async (row) => (await bothTerminals(row)).some(({ borders }) => borders[1] !== 31)),
  );
  expect(wrong).toEqual(rows.map(() => true));
});

test("rows without such words, and rows that begin in the middle, keep their bytes and columns", () => {
  const plain = "\x1b[5G│ Zürich 漢字 שלום ภาษา │\n\x1b[E│ end │";
  expect(steadyColumns(plain)).toBe(plain);
  expect(steadyColumns("\x1b[11G\x1b[Kकि  │\nnext")).toBe("\x1b[11G\x1b[Kकि  \x1b[15G│\nnext");
});
