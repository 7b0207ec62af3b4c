/** Words of many scripts, and texts made of them, for tests of what is found in them. */
import type { Dice } from "./seeded.ts";

interface Script {
  words: readonly string[];
  /** Written without blanks between words: any part of a text may be a word. */
  unbroken?: true;
}

export const SCRIPTS: Readonly<Record<string, Script>> = {
  English: { words: ["kettle", "harbour", "Quiet", "snake_case", "version2"] },
  German: { words: ["Straße", "Übermut", "Maß", "grüßen", "GRÖSSE"] },
  Polish: { words: ["Łódź", "źdźbło", "chrząszcz", "Kraków"] },
  Turkish: { words: ["İstanbul", "ılık", "ISPARTA", "çiçek", "ağaç"] },
  Vietnamese: { words: ["đường", "tiếng", "Việt", "nghĩa"] },
  Greek: { words: ["οδός", "ΚΑΛΟΣ", "ψάρι", "Ἀθῆναι"] },
  Russian: { words: ["Привет", "чайник", "ёлка", "мойка"] },
  Armenian: { words: ["բարեւ", "Երևան", "գիրք"] },
  Georgian: { words: ["თბილისი", "წიგნი", "მთა"] },
  Hebrew: { words: ["שָׁלוֹם", "ספר", "יְרוּשָׁלַיִם"] },
  Arabic: { words: ["شُكْرًا", "كتاب", "مدينة", "القـــاهرة"] },
  Persian: { words: ["می‌خواهم", "کتاب", "تهران"] },
  Hindi: { words: ["किताब", "हिन्दी", "दिल्ली", "में"] },
  Tamil: { words: ["தமிழ்", "புத்தகம்", "வணக்கம்"] },
  Bengali: { words: ["বাংলা", "বই", "কলকাতা"] },
  Ethiopic: { words: ["አማርኛ", "መጽሐፍ", "ሰላም"] },
  Korean: { words: ["서울에서", "회의가", "학교", "\u1100\u1165\u11bc\u1102\u1161\u11b7"] },
  Chinese: { words: ["上海", "东边", "我家在", "热闹", "𠮷野", "三"], unbroken: true },
  Japanese: { words: ["日本語", "テスト", "データ", "がっこう", "ﾃｽﾄ", "ﾃﾞｰﾀ", "は"], unbroken: true },
  Thai: { words: ["ภาษา", "ไทย", "ที่นี่", "เมือง"], unbroken: true },
  Lao: { words: ["ພາສາ", "ລາວ", "ວຽງຈັນ"], unbroken: true },
  Khmer: { words: ["ភាសា", "ខ្មែរ", "ភ្នំពេញ"], unbroken: true },
  Burmese: { words: ["မြန်မာ", "ဘာသာ", "ရန်ကုန်"], unbroken: true },
};

const PUNCTUATION = [" ", ", ", "… ", " — ", "。", "！", " (", "\n", " 👍 ", "/"];

/** A text of words of one script, and sometimes of another one. */
export function textOf(script: string, dice: Dice): string {
  const { words, unbroken } = SCRIPTS[script]!;
  let text = "";
  for (let n = 1 + dice.below(5); n > 0; n--) {
    if (text !== "" && !(unbroken && dice.chance(0.7))) text += dice.pick(PUNCTUATION);
    text += written(dice.pick(words), dice);
    if (dice.chance(0.1)) text += ` ${dice.pick(SCRIPTS.English!.words)} `;
  }
  return text;
}

/** The same word as somebody else would type or store it. */
export function written(word: string, dice: Dice): string {
  const ways = [
    (text: string): string => text,
    (text: string): string => text.normalize("NFD"),
    (text: string): string => text.normalize("NFC"),
    (text: string): string => text.toUpperCase(),
    (text: string): string => text.toLowerCase(),
    (text: string): string => text.replace(/[a-z]/g, (letter) => wide(letter)),
    (text: string): string => text.replace(/(?<=^\p{L})(?=\p{L})/u, "\u00ad"),
  ];
  return dice.pick(ways)(word);
}

const wide = (letter: string): string => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0);

/** What somebody might type to find the word: its beginning; without blanks, any part of it. */
export function partOf(word: string, script: string, dice: Dice): string {
  const characters = Array.from(word.normalize("NFKC"));
  const start = SCRIPTS[script]!.unbroken ? dice.below(characters.length) : 0;
  const end = start + 1 + dice.below(characters.length - start);
  return characters.slice(start, end).join("");
}
