/** Keys as the bytes a terminal sends. */

const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  "S-tab": "\x1b[Z",
  esc: "\x1b",
  backspace: "\x7f",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  f1: "\x1bOP",
  "A-up": "\x1b[1;3A",
  "A-down": "\x1b[1;3B",
  "C-up": "\x1b[1;5A",
  "C-down": "\x1b[1;5B",
  home: "\x1b[H",
  end: "\x1b[F",
  delete: "\x1b[3~",
};

/** What a terminal sends for a chord as the key tables name it; anything else is typed as it is. */
export const bytesOf = (chord: string): string => {
  const named = KEYS[chord];
  if (named !== undefined) return named;
  if (chord.startsWith("C-")) return String.fromCharCode(chord.charCodeAt(2) & 31);
  if (chord.startsWith("A-")) return `\x1b${KEYS[chord.slice(2)] ?? chord.slice(2)}`;
  return chord;
};
