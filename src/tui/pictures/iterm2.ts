/** Pictures in iTerm2's protocol: the terminal receives the file, decodes and scales it. */
import type { Cells } from "./size.ts";

/** The sequence of an inline file, stretched to its cells. */
export function iterm2Bytes(file: Uint8Array, { cols, rows }: Cells): string {
  const data = Buffer.from(file.buffer, file.byteOffset, file.length).toString("base64");
  return `\x1b]1337;File=inline=1;size=${file.length};width=${cols};height=${rows};preserveAspectRatio=0;doNotMoveCursor=1:${data}\x07`;
}
