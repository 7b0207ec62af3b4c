/** Keys as the bytes a terminal sends: the traditional VT100 and xterm sequences, otherwise those of the kitty protocol. */

/** Sequences that every terminal sends. */
const PLAIN: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  "S-tab": "\x1b[Z",
  esc: "\x1b",
  space: " ",
  "C-space": "\0",
  backspace: "\x7f",
  f1: "\x1bOP",
  f2: "\x1bOQ",
  f3: "\x1bOR",
  f4: "\x1bOS",
  f5: "\x1b[15~",
  "focus-in": "\x1b[I",
  "focus-out": "\x1b[O",
};

/** Cursor keys by their final letter, the others by their number. */
const FINAL: Readonly<Record<string, string>> = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  end: "F",
  home: "H",
};
const NUMBER: Readonly<Record<string, number>> = { insert: 2, delete: 3, pageup: 5, pagedown: 6 };
/** Unicode code points of keys that send a control character. */
const CODE: Readonly<Record<string, number>> = { tab: 9, enter: 13, esc: 27, space: 32, backspace: 127 };
const BITS: Readonly<Record<string, number>> = { S: 1, A: 2, C: 4 };

/** Splits `C-S-left` into its key and xterm's number for the modifiers. */
function partsOf(chord: string): { key: string; modifier: number } {
  const [, held, key] = /^((?:[SAC]-)*)(.+)$/s.exec(chord)!;
  const bits = [...held!.replaceAll("-", "")].map((letter) => BITS[letter]!);
  return { key: key!, modifier: 1 + bits.reduce((sum, bit) => sum + bit, 0) };
}

/** The traditional form: Control makes a letter a control character, Alt puts an ESC before the key. */
function oldForm(key: string, modifier: number): string | undefined {
  if (modifier === 1) return PLAIN[key] ?? ([...key].length === 1 ? key : undefined);
  if (modifier === 5 && /^[a-z\\\]^_]$/.test(key))
    return String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31);
  const plain = PLAIN[key] ?? ([...key].length === 1 ? key : undefined);
  return modifier === 3 && plain !== undefined ? `\x1b${plain}` : undefined;
}

/** The bytes a terminal sends for a chord named as in the key tables. Throws for an unknown key. */
export function bytesOf(chord: string): string {
  if (PLAIN[chord] !== undefined) return PLAIN[chord];
  const { key, modifier } = partsOf(chord);
  const with1 = modifier === 1 ? "" : `1;${modifier}`;
  if (FINAL[key]) return `\x1b[${with1}${FINAL[key]}`;
  if (NUMBER[key]) return `\x1b[${NUMBER[key]}${modifier === 1 ? "" : `;${modifier}`}~`;
  const old = oldForm(key, modifier);
  if (old !== undefined) return old;
  const code = CODE[key] ?? ([...key].length === 1 ? key.codePointAt(0) : undefined);
  if (code === undefined) throw new Error(`No terminal sends a key called ${chord}.`);
  return `\x1b[${code};${modifier}u`;
}
