/** Wraps styled text into terminal rows at word boundaries; styles and links are closed at the end of each row and reopened. */
// Own code, because a message of one word of 200,000 characters must not cost a second.
import { graphemes } from "./graphemes.ts";
import { cellWidth, graphemeWidth } from "./width.ts";

const PRINTABLE = /^[\x20-\x7e]*$/;
const ESCAPE = /\x1b\[([\d;:]*)m|\x1b\]8;([^;\x07\x1b]*);([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
export const LINK_END = "\x1b]8;;\x1b\\";
/** Wide punctuation that must not begin a row. */
const NO_START = /^[、。，．・：；？！）」』】〉》〕］｝ー々]/;

/** How a row goes on in the next one: after a blank or within a word; `undefined` is the end of a line. */
export type Wrap = " " | "" | undefined;

/** Marks at the end of a wrapped row, made only while {@link wrapsOf} asks: styles without a meaning, which no text contains. */
const MARKS = { " ": "\x1b[0:1m", "": "\x1b[0:2m" } as const;
let marksWraps = false;

/** How each of the rows that `make` makes with {@link wrapText} goes on in the next one. */
export function wrapsOf(make: () => readonly string[]): Wrap[] {
  marksWraps = true;
  try {
    return make().map((row) => (row.includes(MARKS[" "]) ? " " : row.includes(MARKS[""]) ? "" : undefined));
  } finally {
    marksWraps = false;
  }
}

const wrapped = (row: string, wrap: " " | ""): string => (marksWraps ? row + MARKS[wrap] : row);

/** The open styles at a position of a styled text, by the code that closes them. */
class OpenStyles {
  readonly #open = new Map<string, string>();
  link = "";

  apply(parameters: string): void {
    const codes = parameters === "" ? ["0"] : parameters.split(";");
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i]!;
      const n = Number.parseInt(code, 10);
      if (n === 0) this.#open.clear();
      else if (n === 38 || n === 48 || n === 58) {
        const length = code.includes(":") ? 1 : codes[i + 1] === "2" ? 5 : 3;
        this.#open.set(String(n + 1), codes.slice(i, i + length).join(";"));
        i += length - 1;
      } else if (n === 1 || n === 2)
        this.#open.set("22", this.#open.has("22") ? `${this.#open.get("22")};${n}` : code);
      else if (n >= 3 && n <= 9) this.#open.set(String(n === 6 ? 25 : n + 20), code);
      else if ((n >= 30 && n <= 37) || (n >= 90 && n <= 97)) this.#open.set("39", code);
      else if ((n >= 40 && n <= 47) || (n >= 100 && n <= 107)) this.#open.set("49", code);
      else if (n === 53) this.#open.set("55", code);
      else this.#open.delete(String(n));
    }
  }

  closing(): string {
    return (
      (this.#open.size ? `\x1b[${[...this.#open.keys()].toReversed().join(";")}m` : "") +
      (this.link && LINK_END)
    );
  }

  opening(): string {
    return this.link + (this.#open.size ? `\x1b[${[...this.#open.values()].join(";")}m` : "");
  }
}

/** Wraps one line of plain ASCII by index arithmetic. */
function wrapAscii(text: string, width: number, rows: string[]): void {
  let line = text;
  if (line.length > width && line.startsWith(" ")) {
    const indent = /[^ ]|$/.exec(line)!.index;
    const end = line.indexOf(" ", indent);
    const word = (end < 0 ? line.length : end) - indent;
    // Shorten an indent that leaves no room for the word.
    if (indent + word > width) line = " ".repeat(Math.max(0, width - word)) + line.slice(indent);
  }
  let start = 0;
  while (line.length - start > width) {
    // A blank just after the row ends a word that fills it. Only one row is searched, to stay linear.
    const blank = line.slice(start, start + width + 1).lastIndexOf(" ");
    const cut = blank > 0 ? start + blank : start + width;
    let end = cut;
    while (end > start && line.charCodeAt(end - 1) === 0x20) end--;
    const row = line.slice(start, end);
    start = cut;
    while (start < line.length && line.charCodeAt(start) === 0x20) start++;
    const isLast = start === line.length;
    rows.push(isLast ? row : wrapped(row, start > cut ? " " : ""));
    if (isLast) return;
  }
  let end = line.length;
  while (end > start && line.charCodeAt(end - 1) === 0x20) end--;
  rows.push(line.slice(start, end));
}

/** Wraps any text, grapheme by grapheme, with styles carried over the rows. */
class RowWrapper {
  readonly #width: number;
  readonly #out: string[];
  readonly #style = new OpenStyles();
  /** The current row with complete words only, and its cells. */
  #row = "";
  #rowCells = 0;
  /** Blanks (with escapes among them) between the row and the word. */
  #gap = "";
  #gapCells = 0;
  #word = "";
  #wordCells = 0;
  /** The styles open at the start of the word, and the codes that close those at the end of the row. */
  #openAtWord = "";
  #closeAtRow = "";
  /** Only blanks so far on this line. */
  #isIndent = true;
  #isWideWord = false;

  constructor(width: number, out: string[]) {
    this.#width = width;
    this.#out = out;
  }

  escape(all: string, parameters: string | undefined, link: string | undefined): void {
    if (this.#word === "") this.#gap += all;
    else this.#word += all;
    if (parameters !== undefined) this.#style.apply(parameters);
    else this.#style.link = link ? all : "";
  }

  text(text: string): void {
    if (PRINTABLE.test(text)) {
      let at = 0;
      while (at < text.length) {
        const blank = text.charCodeAt(at) === 0x20;
        let end = at + 1;
        if (blank) while (end < text.length && text.charCodeAt(end) === 0x20) end++;
        else {
          end = text.indexOf(" ", at);
          if (end < 0) end = text.length;
        }
        if (blank) this.#blanks(end - at);
        else this.#ascii(text.slice(at, end));
        at = end;
      }
      return;
    }
    for (const grapheme of graphemes(text)) {
      if (grapheme === " ") this.#blanks(1);
      else this.#grapheme(grapheme, graphemeWidth(grapheme));
    }
  }

  #ascii(word: string): void {
    let rest = word;
    if (this.#isWideWord) this.#endWord();
    this.#beginWord();
    while (this.#wordCells + rest.length > this.#width) {
      const room = this.#width - this.#wordCells;
      this.#word += rest.slice(0, room);
      this.#wordCells += room;
      rest = rest.slice(room);
      this.#cutWord();
    }
    this.#word += rest;
    this.#wordCells += rest.length;
  }

  #grapheme(grapheme: string, cells: number): void {
    if (cells > this.#width) {
      // A single grapheme wider than the row is hostile: it is split into code points.
      for (const part of grapheme) this.#grapheme(part, Math.min(graphemeWidth(part), this.#width));
      return;
    }
    // Wide scripts have no blanks: a row may break before any character except closing punctuation.
    if (cells > 1 && this.#word !== "" && !NO_START.test(grapheme)) this.#endWord();
    else if (cells === 1 && this.#isWideWord && /^[\p{L}\p{N}]/u.test(grapheme)) this.#endWord();
    this.#beginWord();
    if (this.#wordCells + cells > this.#width) this.#cutWord();
    this.#word += grapheme;
    this.#wordCells += cells;
    this.#isWideWord = cells > 1;
  }

  #beginWord(): void {
    if (this.#word !== "") return;
    this.#openAtWord = this.#style.opening();
  }

  #blanks(count: number): void {
    this.#endWord();
    this.#gap += " ".repeat(count);
    this.#gapCells += count;
  }

  /** Adds the word to the row, or to the next one if it does not fit. */
  #endWord(): void {
    if (this.#word === "") return;
    this.#place();
    this.#row += this.#word;
    this.#rowCells += this.#wordCells;
    this.#closeAtRow = this.#style.closing();
    this.#word = "";
    this.#wordCells = 0;
    this.#isWideWord = false;
  }

  #place(): void {
    if (this.#rowCells + this.#gapCells + this.#wordCells <= this.#width) {
      this.#row += this.#gap;
      this.#rowCells += this.#gapCells;
    } else if (this.#rowCells > 0 || !this.#isIndent) {
      this.#out.push(wrapped(this.#row + this.#closeAtRow, this.#gapCells > 0 ? " " : ""));
      this.#row = this.#openAtWord;
      this.#rowCells = 0;
    } else {
      // Shorten an indent that leaves no room for the word. The row is empty, so it starts with the open styles.
      const room = Math.max(0, this.#width - this.#wordCells);
      this.#row = this.#openAtWord + " ".repeat(Math.min(room, this.#gapCells));
      this.#rowCells = Math.min(room, this.#gapCells);
    }
    this.#gap = "";
    this.#gapCells = 0;
    this.#isIndent = false;
  }

  /** Breaks a word that fills a whole row. */
  #cutWord(): void {
    this.#place();
    this.#out.push(wrapped(this.#row + this.#word + this.#style.closing(), ""));
    this.#row = "";
    this.#rowCells = 0;
    this.#word = "";
    this.#wordCells = 0;
    this.#gap = this.#style.opening();
    this.#beginWord();
  }

  endLine(): void {
    this.#endWord();
    this.#out.push(this.#isIndent ? "" : this.#row + this.#closeAtRow);
    this.#row = this.#style.opening();
    this.#rowCells = 0;
    this.#gap = "";
    this.#gapCells = 0;
    this.#isIndent = true;
  }
}

/**
 * The rows of a text (one line or several, LF) in `width` cells, at least 2; one row for an empty text.
 *
 * `styled` is sanitized text with the program's SGR and OSC 8 escapes. A row breaks at blanks, which are dropped, before wide
 * characters, and inside a word only when the word is wider than a row. The indent of a line stays. No grapheme is split
 * unless it alone is wider than a row. Every row closes what it opened; the next opens it again. Linear in the length.
 */
export function wrapText(styled: string, width: number): string[] {
  const cells = Math.max(2, Math.floor(width) || 2);
  const rows: string[] = [];
  if (!styled.includes("\x1b")) {
    for (const line of styled.includes("\n") ? styled.split("\n") : [styled]) {
      if (PRINTABLE.test(line)) wrapAscii(line, cells, rows);
      else if (line.length * 2 <= cells && cellWidth(line) <= cells) rows.push(line);
      else {
        const wrapper = new RowWrapper(cells, rows);
        wrapper.text(line);
        wrapper.endLine();
      }
    }
    return rows;
  }
  const wrapper = new RowWrapper(cells, rows);
  const text = (part: string): void => {
    if (part === "") return;
    const lines = part.split("\n");
    for (let i = 0; i < lines.length; i++) {
      if (i > 0) wrapper.endLine();
      if (lines[i] !== "") wrapper.text(lines[i]!);
    }
  };
  let at = 0;
  for (const escape of styled.matchAll(ESCAPE)) {
    text(styled.slice(at, escape.index));
    wrapper.escape(escape[0], escape[1], escape[3]);
    at = escape.index + escape[0].length;
  }
  text(styled.slice(at));
  wrapper.endLine();
  return rows;
}
