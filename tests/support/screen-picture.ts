/** Draws the screen of a headless terminal as SVG: every glyph in its cell, every colour as set by the program. */
import type { IBufferCell, Terminal } from "@xterm/headless";
import { EmojiShapes } from "./emoji-shapes.ts";

export interface PictureOptions {
  /** Width and height of a cell in pixels. */
  cellWidth?: number;
  cellHeight?: number;
  fontSize?: number;
  fontFamily?: string;
  foreground?: string;
  background?: string;
  cursor?: boolean;
  /** Text of the title bar above the screen; without it there is no bar. */
  title?: string;
}

const ANSI = (
  "#24272e #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #c8ccd4 " +
  "#5c6370 #ef7a84 #a9d38a #f0cd8b #74bcf7 #d48ae8 #66c6d2 #f0f2f5"
).split(" ");

const hex = (n: number): string => `#${n.toString(16).padStart(6, "0")}`;

function paletteColour(index: number): string {
  if (index < 16) return ANSI[index]!;
  if (index >= 232) return hex((8 + (index - 232) * 10) * 0x010101);
  const level = (n: number): number => (n === 0 ? 0 : 55 + n * 40);
  const cube = index - 16;
  return hex(level(Math.floor(cube / 36)) * 65536 + level(Math.floor(cube / 6) % 6) * 256 + level(cube % 6));
}

/** The colours of a cell; undefined is the terminal's default. */
export function cellColours(cell: IBufferCell): { fg: string | undefined; bg: string | undefined } {
  return {
    fg: cell.isFgDefault()
      ? undefined
      : cell.isFgRGB()
        ? hex(cell.getFgColor())
        : paletteColour(cell.getFgColor()),
    bg: cell.isBgDefault()
      ? undefined
      : cell.isBgRGB()
        ? hex(cell.getBgColor())
        : paletteColour(cell.getBgColor()),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ENTITIES[c]!).replace(/[\x00-\x08\x0b-\x1f]/g, "\ufffd");

/** Block elements are drawn as rectangles, because fonts leave gaps: x, y, width, height as fractions of a cell. */
const BLOCKS: Readonly<Record<string, [number, number, number, number]>> = {
  "█": [0, 0, 1, 1],
  "▀": [0, 0, 1, 0.5],
  "▄": [0, 0.5, 1, 0.5],
  "▌": [0, 0, 0.5, 1],
  "▐": [0.5, 0, 0.5, 1],
  "▁": [0, 0.875, 1, 0.125],
  "▂": [0, 0.75, 1, 0.25],
  "▆": [0, 0.25, 1, 0.75],
  "▏": [0, 0, 0.125, 1],
  "▎": [0, 0, 0.25, 1],
};

/** Lines through or under the text, as SVG names them. */
const linesOf = (cell: IBufferCell): string =>
  [cell.isUnderline() ? "underline" : "", cell.isStrikethrough() ? "line-through" : ""].join(" ").trim();

const fontOf = (cell: IBufferCell): string =>
  (cell.isBold() ? ' font-weight="bold"' : "") + (cell.isItalic() ? ' font-style="italic"' : "");

/** Of one cell, the emoji that fonts of a terminal do not have as a sign in the colour of the text. */
const PICTURED = /\ufe0f|[\u{26f0}-\u{26ff}\u{1f000}-\u{1faff}]/u;

interface Run {
  x: number;
  end: number;
  text: string;
  style: string;
  /** Its characters are placed one by one, since a font may give them another width. */
  placed: boolean;
}

/** The space around the screen, pixels. */
const PAD = 10;
/** The height of the title bar, pixels. */
const BAR = 26;

const round = (n: number): number => +n.toFixed(2);

interface Size {
  cols: number;
  rows: number;
}

/** Where the cells of a picture are, in pixels. */
export function gridOf(
  { cols, rows }: Size,
  { cellWidth: w = 9, cellHeight: h = 18, title }: PictureOptions,
): { w: number; h: number; top: number; width: number; height: number } {
  const top = PAD + (title === undefined ? 0 : BAR);
  return { w, h, top, width: cols * w + PAD * 2, height: rows * h + top + PAD };
}

/** Draws single rows of a screen, so that a picture that moves repeats only those that change. */
export class RowPainter {
  readonly #grid: ReturnType<typeof gridOf>;
  readonly #foreground: string;
  readonly #background: string;
  readonly #emoji = new EmojiShapes();

  constructor(
    size: Size,
    { foreground = "#d7dae0", background = "#16181d", ...options }: PictureOptions = {},
  ) {
    this.#grid = gridOf(size, options);
    this.#foreground = foreground;
    this.#background = background;
  }

  /** What the rows drawn so far refer to; has to stand before them. */
  get definitions(): string {
    return this.#emoji.definitions;
  }

  /** A square with its middle at `x` in the row that begins at `y`, pixels. */
  #emojiAt(char: string, x: number, y: number, attributes: string): string | undefined {
    const { w, h } = this.#grid;
    const side = Math.min(h, 2 * w);
    return this.#emoji.use(char, round(x - side / 2), round(y + (h - side) / 2), side, attributes);
  }

  /** The row `y` of the screen: rectangles, and the text above them. */
  row(term: Terminal, y: number): { shapes: string; texts: string } {
    const buffer = term.buffer.active;
    const line = buffer.getLine(buffer.baseY + y);
    const { w, h } = this.#grid;
    const top = this.#grid.top + y * h;
    const shapes: string[] = [];
    const texts: string[] = [];
    let run: Run | undefined;
    const rectangle = (x: number, dy: number, cw: number, ch: number, fill: string, more = ""): void => {
      shapes.push(
        `<rect x="${round(PAD + x * w)}" y="${round(top + dy * h)}" width="${round(cw * w + 0.3)}" height="${round(ch * h + 0.3)}" fill="${fill}"${more}/>`,
      );
    };
    const flush = (): void => {
      const body = run?.text.trimEnd();
      if (run && body) {
        const { x, placed } = run;
        const xs = placed ? Array.from(body, (_, i) => PAD + (x + i) * w).join(" ") : PAD + x * w;
        texts.push(
          `<text xml:space="preserve" x="${xs}" y="${round(top + h * 0.75)}"${run.style}>${escape(body)}</text>`,
        );
      }
      run = undefined;
    };
    for (let x = 0; x < term.cols; x++) {
      const cell = line?.getCell(x);
      const cells = cell?.getWidth() ?? 0;
      if (!cell || cells === 0) continue;
      let { fg = this.#foreground, bg } = cellColours(cell);
      if (cell.isInverse()) [fg, bg] = [bg ?? this.#background, fg];
      if (bg) rectangle(x, 0, cells, 1, bg);
      const char = cell.isInvisible() ? " " : cell.getChars() || " ";
      const dim = cell.isDim() ? ' opacity="0.6"' : "";
      const block = BLOCKS[char];
      if (block) {
        flush();
        rectangle(x + block[0], block[1], block[2], block[3], fg, dim);
        continue;
      }
      const isSign = cells === 1 && !PICTURED.test(char);
      const emoji = isSign ? undefined : this.#emojiAt(char, PAD + (x + cells / 2) * w, top, dim);
      if (emoji) {
        flush();
        texts.push(emoji);
        continue;
      }
      const lines = linesOf(cell);
      const style = ` fill="${fg}"${fontOf(cell)}${dim}${lines && ` text-decoration="${lines}"`}`;
      // A run of simple characters keeps the grid in a monospace font; all others are positioned individually.
      const single = cells === 1 && char.length === 1;
      const placed = char >= "\u0250";
      const goesOn = run && run.end === x && run.style === style;
      if (char === " " && !lines) {
        if (run && goesOn) {
          run.text += " ";
          run.end = x + 1;
        } else flush();
      } else if (run && goesOn && single && run.placed === placed) {
        run.text += char;
        run.end = x + 1;
      } else {
        flush();
        run = { x, end: x + cells, text: char, style, placed };
        if (!single) flush();
      }
    }
    flush();
    return { shapes: shapes.join(""), texts: texts.join("") };
  }
}

/** The lights and the title of a window, `width` pixels wide. */
const titleBar = (title: string, width: number): string =>
  ["#ff5f57", "#febc2e", "#28c840"]
    .map((fill, i) => `<circle cx="${18 + i * 18}" cy="17" r="6" fill="${fill}"/>`)
    .join("") +
  `<text x="${width / 2}" y="22" text-anchor="middle" fill="#8b909a" font-size="13">${escape(title)}</text>`;

/** The frame of a picture around its content. */
export function pictureFrame(size: Size, options: PictureOptions, content: string): string {
  const {
    fontSize = 15,
    fontFamily = "'DejaVu Sans Mono','Noto Sans Mono CJK JP','Noto Color Emoji',monospace",
    background = "#16181d",
    title,
  } = options;
  const { width, height } = gridOf(size, options);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${fontFamily}" font-size="${fontSize}" style="white-space:pre">` +
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>` +
    `${title === undefined ? "" : titleBar(title, width)}${content}</svg>\n`
  );
}

/** The cursor of the screen, a pale block. */
export function cursorShape(term: Terminal, options: PictureOptions): string {
  const { w, h, top } = gridOf(term, options);
  const { cursorX, cursorY } = term.buffer.active;
  return `<rect x="${PAD + cursorX * w}" y="${top + cursorY * h}" width="${w}" height="${h}" fill="#ffffff" opacity="0.45"/>`;
}

/** The visible rows of `term` as a standalone SVG document. */
export function screenPicture(term: Terminal, options: PictureOptions = {}): string {
  const painter = new RowPainter(term, options);
  const rows = Array.from({ length: term.rows }, (_, y) => painter.row(term, y));
  const [shapes, texts] = [rows.map((row) => row.shapes), rows.map((row) => row.texts)];
  const cursor = options.cursor === false ? "" : cursorShape(term, options);
  return pictureFrame(term, options, [painter.definitions, ...shapes, ...texts, cursor].join(""));
}
