/** Pictures in kitty's protocol with Unicode placeholders: sent once, then shown by cells that refer to their part. */
import { wrapForTmux } from "../../text/sequence-text.ts";
import type { Cells } from "./size.ts";

/** The placeholder character of a part of a picture; the sanitiser removes it from untrusted text (text/sanitize.ts). */
const PLACEHOLDER = "\u{10eeee}";

/** Combining marks that number rows and columns, in kitty's order: the first 129 of 297. */
const MARKS =
  "305 30d-30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 59c-5a1 5a8-5a9 5ab-5ac 5af 5c4 610-617 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec 730 732-733 735-736 73a 73d 73f-741 743 745 747 749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 829-82d"
    .split(" ")
    .flatMap((range) => {
      const [first, last = first] = range.split("-").map((hex) => parseInt(hex, 16));
      return Array.from({ length: last! - first! + 1 }, (_, i) => String.fromCodePoint(first! + i));
    });

/** Maximum number of rows and of columns of a picture. */
export const MAX_PICTURE_CELLS = MARKS.length;

/** Base64 characters per command. */
const CHUNK_LENGTH = 4096;

/**
 * The id of the `n`th picture; `start` differs between programs in one terminal. The id is sent as a colour: three bytes,
 * but in tmux, which may reduce true colours to 256, only the lowest byte; the highest byte is sent as a mark there.
 */
export function imageId(start: number, n: number, tmux: boolean): number {
  const at = (start + n) >>> 0;
  return tmux ? (1 + (at % 255)) | ((1 + (Math.floor(at / 255) % 120)) << 24) : 1 + (at % 0xff_ff_fe);
}

/** Rows of text that show the picture. Each cell has all its marks: the short form would break beside a popup. */
export function placeholderRows(id: number, { cols, rows }: Cells, tmux: boolean): string[] {
  const colour = tmux ? `5;${id & 255}` : `2;${(id >> 16) & 255};${(id >> 8) & 255};${id & 255}`;
  const high = tmux ? MARKS[id >>> 24]! : "";
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from(
      { length: cols },
      (_cell, col) => PLACEHOLDER + MARKS[row]! + MARKS[col]! + high,
    );
    return `\x1b[38;${colour}m${cells.join("")}\x1b[39m`;
  });
}

/** The commands that send and place a PNG; no other kitty command may come between them. */
export function uploadCommands(id: number, png: Uint8Array, { cols, rows }: Cells, tmux: boolean): string[] {
  const data = Buffer.from(png.buffer, png.byteOffset, png.length).toString("base64");
  const commands: string[] = [];
  for (let at = 0; at < data.length; at += CHUNK_LENGTH) {
    const head = at === 0 ? `a=T,U=1,f=100,i=${id},c=${cols},r=${rows},` : "";
    const more = at + CHUNK_LENGTH < data.length ? 1 : 0;
    commands.push(wrapForTmux(`\x1b_G${head}q=2,m=${more};${data.slice(at, at + CHUNK_LENGTH)}\x1b\\`, tmux));
  }
  return commands;
}

/** Ends an incomplete transmission. */
export const abortCommand = (tmux: boolean): string => wrapForTmux("\x1b_Gq=2,m=0;\x1b\\", tmux);

/** Deletes the picture and its data from the terminal. */
export const deleteSequence = (id: number, tmux: boolean): string =>
  wrapForTmux(`\x1b_Ga=d,d=I,i=${id},q=2;\x1b\\`, tmux);
