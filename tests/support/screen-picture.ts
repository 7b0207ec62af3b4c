/** Draws the screen of a headless terminal as SVG: every glyph in its cell, every colour as set by the program. */
import type { IBufferCell, Terminal } from "@xterm/headless";

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

interface Run {
  x: number;
  end: number;
  text: string;
  style: string;
}

/** The visible rows of `term` as a standalone SVG document. */
export function screenPicture(term: Terminal, options: PictureOptions = {}): string {
  const {
    cellWidth: w = 9,
    cellHeight: h = 18,
    fontSize = 15,
    fontFamily = "'DejaVu Sans Mono','Noto Sans Mono CJK JP','Noto Color Emoji',monospace",
    foreground = "#d7dae0",
    background = "#16181d",
    cursor = true,
    title,
  } = options;
  const buffer = term.buffer.active;
  const pad = 10;
  const top = pad + (title === undefined ? 0 : 26);
  const width = term.cols * w + pad * 2;
  const height = term.rows * h + top + pad;
  const shapes: string[] = [];
  const texts: string[] = [];
  const rectangle = (x: number, y: number, cw: number, ch: number, fill: string, more = ""): void => {
    shapes.push(
      `<rect x="${+(pad + x * w).toFixed(2)}" y="${+(top + y * h).toFixed(2)}" width="${+(cw * w + 0.3).toFixed(2)}" height="${+(ch * h + 0.3).toFixed(2)}" fill="${fill}"${more}/>`,
    );
  };

  for (let y = 0; y < term.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    let run: Run | undefined;
    const flush = (): void => {
      const body = run?.text.trimEnd();
      if (run && body)
        texts.push(
          `<text xml:space="preserve" x="${pad + run.x * w}" y="${+(top + y * h + h * 0.75).toFixed(2)}"${run.style}>${escape(body)}</text>`,
        );
      run = undefined;
    };
    for (let x = 0; x < term.cols; x++) {
      const cell = line?.getCell(x);
      const cells = cell?.getWidth() ?? 0;
      if (!cell || cells === 0) continue;
      let { fg = foreground, bg } = cellColours(cell);
      if (cell.isInverse()) [fg, bg] = [bg ?? background, fg];
      if (bg) rectangle(x, y, cells, 1, bg);
      const char = cell.isInvisible() ? " " : cell.getChars() || " ";
      const dim = cell.isDim() ? ' opacity="0.6"' : "";
      const block = BLOCKS[char];
      if (block) {
        flush();
        rectangle(x + block[0], y + block[1], block[2], block[3], fg, dim);
        continue;
      }
      const lines = [cell.isUnderline() ? "underline" : "", cell.isStrikethrough() ? "line-through" : ""]
        .join(" ")
        .trim();
      const style =
        ` fill="${fg}"` +
        (cell.isBold() ? ' font-weight="bold"' : "") +
        (cell.isItalic() ? ' font-style="italic"' : "") +
        dim +
        (lines ? ` text-decoration="${lines}"` : "");
      // A run of simple characters keeps the grid in a monospace font; all others are positioned individually.
      const plain = cells === 1 && char.length === 1 && char < "\u0250";
      if (char === " " && !lines) {
        if (run && run.end === x && run.style === style) {
          run.text += " ";
          run.end = x + 1;
        } else flush();
      } else if (run && plain && run.style === style && run.end === x) {
        run.text += char;
        run.end = x + 1;
      } else {
        flush();
        run = { x, end: x + cells, text: char, style };
        if (!plain) flush();
      }
    }
    flush();
  }
  if (cursor)
    texts.push(
      `<rect x="${pad + buffer.cursorX * w}" y="${top + buffer.cursorY * h}" width="${w}" height="${h}" fill="#ffffff" opacity="0.45"/>`,
    );
  const bar =
    title === undefined
      ? ""
      : ["#ff5f57", "#febc2e", "#28c840"]
          .map((fill, i) => `<circle cx="${18 + i * 18}" cy="17" r="6" fill="${fill}"/>`)
          .join("") +
        `<text x="${width / 2}" y="22" text-anchor="middle" fill="#8b909a" font-size="13">${escape(title)}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${fontFamily}" font-size="${fontSize}" style="white-space:pre">` +
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>${bar}${shapes.join("")}${texts.join("")}</svg>\n`
  );
}
