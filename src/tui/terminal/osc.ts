/** Window title and clipboard sequences, with text sanitised so that it cannot end them. */

/** Wraps one sequence for tmux to pass on to the outer terminal. */
export const wrapForTmux = (bytes: string, tmux: boolean): string =>
  tmux && bytes !== "" ? `\x1bPtmux;${bytes.replaceAll("\x1b", "\x1b\x1b")}\x1b\\` : bytes;

/** Removes C0, C1, DEL, bidi controls and lone surrogates; line ends and tabs become blanks; at most `max` UTF-16 units. */
export function cleanForTerminal(text: string, max: number): string {
  const plain = text
    .slice(0, max * 4)
    .replace(/[\t\n\r\u2028\u2029]+/g, " ")
    .replace(
      /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      "",
    )
    .toWellFormed();
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** OSC 2: the window title, at most 200 units. */
export const titleBytes = (title: string): string => `\x1b]2;${cleanForTerminal(title, 200)}\x07`;

/** Bytes of base64 that common terminals accept in one OSC 52. */
export const CLIPBOARD_LIMIT = 100_000;

/**
 * OSC 52: puts text on the clipboard of the terminal's machine. Undefined if the text is too long. GNU Screen needs
 * a wrapper around it; tmux does not.
 */
export function clipboardBytes(
  text: string,
  env: Record<string, string | undefined> = {},
): string | undefined {
  const base64 = Buffer.from(text, "utf8").toString("base64");
  if (base64.length > CLIPBOARD_LIMIT) return undefined;
  const bytes = `\x1b]52;c;${base64}\x07`;
  if (env["STY"] && !env["TMUX"]) {
    // GNU Screen passes on at most 768 bytes of a string at once.
    return (bytes.match(/[^]{1,500}/g) ?? []).map((part) => `\x1bP${part}\x1b\\`).join("");
  }
  return bytes;
}
