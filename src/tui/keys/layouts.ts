/** Which key of a US board a letter of another alphabet is, by its place on the keyboards on which it is written. */

import { US_SHIFT } from "../input/sequences.ts";

/** Pairs of rows: the letters, and the US keys in their places. */
type Rows = readonly (readonly [letters: string, keys: string])[];

const CYRILLIC: Rows = [
  ["йцукенгшщзхъ", "qwertyuiop[]"],
  ["фывапролджэ", "asdfghjkl;'"],
  ["ячсмитьбюё", "zxcvbnm,.`"],
  ["іїєґў", "s]'\\o"],
];
const GREEK: Rows = [
  ["ςερτυθιοπ", "wertyuiop"],
  ["ασδφγηξκλ", "asdfghjkl"],
  ["ζχψωβνμ", "zxcvbnm"],
];
const HEBREW: Rows = [
  ["קראטוןםפ", "ertyuiop"],
  ["שדגכעיחלךף", "asdfghjkl;"],
  ["זסבהנמצתץ", "zxcvbnm,."],
];
const ARABIC: Rows = [
  ["ضصثقفغعهخحجد", "qwertyuiop[]"],
  ["شسيبلاتنمكط", "asdfghjkl;'"],
  ["ئءؤرىةوزظذ", "zxcvnm,./`"],
  ["یکگچپ", "d;']\\"],
];
const THAI: Rows = [
  ["ๅภถุึคตจขช", "14567890-="],
  ["ๆไำพะัีรนยบลฃ", "qwertyuiop[]\\"],
  ["ฟหกดเ้่าสวง", "asdfghjkl;'"],
  ["ผปแอิืทมใฝ", "zxcvbnm,./"],
];
const GEORGIAN: Rows = [["ქწერტყუიოპასდფგჰჯკლზხცვბნმ", "qwertyuiopasdfghjklzxcvbnm"]];
const KOREAN: Rows = [
  ["ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ", "qwertyuiop"],
  ["ㅁㄴㅇㄹㅎㅗㅓㅏㅣ", "asdfghjkl"],
  ["ㅋㅌㅊㅍㅠㅜㅡ", "zxcvbnm"],
  ["ㅃㅉㄸㄲㅆㅒㅖ", "QWERTOP"],
];
const DEVANAGARI: Rows = [
  ["ौैाीूबहगदजड़", "qwertyuiop[]"],
  ["ोे्िुपरकतचट", "asdfghjkl;'"],
  ["ॆंमनवलसय", "zxcvbnm/"],
];

/** Alphabets whose letters have several places are told apart by the setting. */
const LAYOUTS = {
  auto: [...CYRILLIC, ...GREEK, ...HEBREW, ...ARABIC, ...THAI, ...GEORGIAN, ...KOREAN, ...DEVANAGARI],
  belarusian: [...CYRILLIC, ["іў", "bo"]],
  bulgarian: [
    ["уеишщксдзц", "wertyuiop["],
    ["ьяаожгтнвмч", "asdfghjkl;'"],
    ["юйъэфхпрлб", "zxcvbnm,./"],
  ],
  "bulgarian-phonetic": [
    ["явертъуиопшщю", "qwertyuiop[]\\"],
    ["асдфгхйкл", "asdfghjkl"],
    ["зьцжбнмч", "zxcvbnm`"],
  ],
  macedonian: [
    ["љњертѕуиопшѓ", "qwertyuiop[]"],
    ["асдфгхјклчќж", "asdfghjkl;'\\"],
    ["зџцвбнм", "zxcvbnm"],
  ],
  serbian: [
    ["љњертзуиопшђ", "qwertzuiop[]"],
    ["асдфгхјклчћж", "asdfghjkl;'\\"],
    ["ѕџцвбнм", "yxcvbnm"],
  ],
  us: [],
} as const satisfies Record<string, Rows>;

export type KeyboardLayout = keyof typeof LAYOUTS;

const places = new Map<KeyboardLayout, ReadonlyMap<string, string>>();

/** The keys by letter, small and capital ones; of two rows with a letter the later one counts. */
function placesOf(layout: KeyboardLayout): ReadonlyMap<string, string> {
  const known = places.get(layout);
  if (known) return known;
  const made = new Map<string, string>();
  for (const [letters, keys] of LAYOUTS[layout])
    [...letters].forEach((letter, at) => {
      const key = keys[at]!;
      made.set(letter, key);
      const capital = letter.toUpperCase();
      if (capital !== letter) made.set(capital, US_SHIFT[key] ?? key.toUpperCase());
    });
  places.set(layout, made);
  return made;
}

/** The digit of any script as 0 to 9. */
function asciiDigit(character: string): string | undefined {
  if (!/^\p{Nd}$/u.test(character)) return undefined;
  // The digits of a script are ten characters in order; those of several may follow each other.
  const code = character.codePointAt(0)!;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

/** The US key of a letter, an accent aside; undefined if the layout has none. */
function keyOf(letter: string, layout: KeyboardLayout): string | undefined {
  const keys = placesOf(layout);
  return keys.get(letter) ?? asciiDigit(letter) ?? keys.get([...letter.normalize("NFD")][0] ?? "");
}

/** The chord of the key in that place, `A-к` → `A-r`; undefined for a chord that is none of another alphabet. */
export function chordByPlace(chord: string, layout: KeyboardLayout): string | undefined {
  const [, modifiers = "", letter = ""] = /^((?:[CASD]-)*)([^\0-\x7f]+)$/u.exec(chord) ?? [];
  const key = letter === "" ? undefined : keyOf(letter, layout);
  return key === undefined ? undefined : modifiers + key;
}
