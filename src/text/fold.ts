/** Makes texts comparable: case, accents, width and joining do not count (specification/search.md §4). */

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/;
export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * What does not count: accents and points of scripts that are read without them, and characters that are not shown. Vowels of Thai
 * or Devanagari are marks as well, and count; so do the two marks that make another sound of a kana.
 */
const ignored = (): RegExp =>
  /[[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u3099\u309a]]\p{Default_Ignorable_Code_Point}\u0640]/gv;

/** Letters that Unicode does not decompose, though people type them without the stroke, and Arabic letters of other keyboards. */
const PLAIN: Readonly<Record<string, string>> = {
  ς: "σ",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ħ: "h",
  ŧ: "t",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ٱ: "ا",
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");

/** Equal for texts that people take for the same: `Straße` and `STRASSE`, `Ｔｅａ` and `tea`. May be shorter or longer than the text. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const letters = text.normalize("NFKD").replace(ignored(), "");
  // The way through upper case makes one letter of ß and ss, and of the two i of Turkish.
  const folded = letters.toLowerCase().toUpperCase().toLowerCase();
  return folded.replace(NOT_PLAIN, (letter) => PLAIN[letter]!).normalize("NFC");
}

/** A letter with all that may be joined to it: marks, joiners, the parts of a Korean syllable, a half-wide voice mark. */
const clusters = (): RegExp =>
  /.[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\u3133\u3135\u3136\u313a-\u3140\u314f-\u3163\uff9e\uff9f\uffa0-\uffdc]*/gsu;

interface Folded {
  text: string;
  /** For each UTF-16 unit of the folded text, where in the original its letter begins; one more for the end. */
  starts: readonly number[];
}

/** Like `fold`, with the way back to positions in the text. */
export function foldWithPositions(text: string): Folded {
  const starts: number[] = [];
  let folded = "";
  for (const { 0: cluster, index } of text.matchAll(clusters())) {
    const part = fold(cluster);
    for (let i = 0; i < part.length; i++) starts.push(index);
    folded += part;
  }
  return { text: folded, starts: [...starts, text.length] };
}
