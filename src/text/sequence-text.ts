/** Terminal sequences: text inside one, which it must not be able to end, and the way of one through tmux. */

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

/** Wraps one sequence for tmux to pass on to the outer terminal. */
export const wrapForTmux = (bytes: string, tmux: boolean): string =>
  tmux && bytes !== "" ? `\x1bPtmux;${bytes.replaceAll("\x1b", "\x1b\x1b")}\x1b\\` : bytes;
