/** Emoji by their short names: in text, as reactions, and for completion. */
import { get, search, which } from "node-emoji";
import { cleanLine } from "./sanitize.ts";
import { graphemes } from "./graphemes.ts";
import { truncate } from "./width.ts";

/** Names known from other services → names that the library knows. */
const ALIASES: Record<string, string> = {
  thumbsup: "+1",
  thumbsdown: "-1",
  like: "+1",
  dislike: "-1",
  love: "heart",
  haha: "joy",
  wow: "open_mouth",
  sad: "cry",
  angry: "angry",
  laughing: "laughing",
  party: "tada",
  check: "white_check_mark",
  cross: "x",
  rolling_on_the_floor_laughing: "rofl",
  thinking_face: "thinking",
  hugging_face: "hugs",
  slightly_smiling_face: "slightly_smiling_face",
  man_shrugging: "shrug",
};
/** Reaction types with a fixed glyph, of the same width in all terminals where possible. */
const REACTIONS: Record<string, string> = {
  like: "👍",
  love: "❤",
  haha: "😂",
  wow: "😮",
  sad: "😢",
  angry: "😠",
};

/** The most common reactions, so that the first frame need not load the library. */
export const COMMON_EMOJI: Record<string, string> = {
  "+1": "👍",
  "-1": "👎",
  heart: "❤️",
  joy: "😂",
  tada: "🎉",
  wave: "👋",
  eyes: "👀",
  fire: "🔥",
  rocket: "🚀",
  clap: "👏",
  pray: "🙏",
  raised_hand: "✋",
  raised_hands: "🙌",
  ok_hand: "👌",
  muscle: "💪",
  smile: "😄",
  thinking: "🤔",
  sob: "😭",
  white_check_mark: "✅",
  x: "❌",
  "100": "💯",
};

/** The emoji of a short name, with or without its colons; undefined for an unknown name. */
export function emojiOf(name: string): string | undefined {
  const key = name.replace(/^:|:$/g, "").toLowerCase();
  if (!/^[\w+-]{1,64}$/.test(key)) return undefined;
  if (Object.hasOwn(COMMON_EMOJI, key)) return COMMON_EMOJI[key];
  return get(key) ?? (Object.hasOwn(ALIASES, key) ? get(ALIASES[key]!) : undefined);
}

/**
 * The short name of an emoji (`👍` → `+1`), for a reaction type; undefined when it has none. Skin tones are ignored, so
 * that reactions of all tones count together.
 */
export function shortcodeOf(emoji: string): string | undefined {
  return which(emoji) ?? undefined;
}

/** Replaces emoji by their names; signs that are also text (©, ❤) stay. */
export function emojiNames(text: string): string {
  if (!/\p{Emoji_Presentation}|[\ufe0f\u20e3]/u.test(text)) return text;
  return graphemes(text)
    .map((grapheme) => {
      const name = /\p{Emoji_Presentation}|[\ufe0f\u20e3]/u.test(grapheme)
        ? shortcodeOf(grapheme)
        : undefined;
      return name === undefined ? grapheme : `:${name}:`;
    })
    .join("");
}

/** Replaces `:names:` by emoji; unknown ones stay. A name must not follow a letter or digit directly. */
export function emojify(text: string): string {
  if (!text.includes(":")) return text;
  return text.replace(/(?<![\w:]):([\w+-]{1,64}):/g, (all, name: string) => emojiOf(name) ?? all);
}

/**
 * How a reaction type is shown: the glyph of a known name, an emoji as it is, anything else `:name:`, cleaned and at most
 * 24 cells.
 */
export function reactionGlyph(type: string): string {
  if (Object.hasOwn(REACTIONS, type)) return REACTIONS[type]!;
  const known = emojiOf(type);
  if (known !== undefined) return known;
  const safe = cleanLine(type.slice(0, 256));
  if (
    /^[\p{Extended_Pictographic}\p{Regional_Indicator}#*0-9]/u.test(safe) &&
    /\P{ASCII}/u.test(safe) &&
    graphemes(safe, 2).length === 1
  )
    return safe;
  return `:${truncate(safe, 22)}:`;
}

interface EmojiEntry {
  name: string;
  emoji: string;
}

let entries: EmojiEntry[] | undefined;

export function allEmoji(): readonly EmojiEntry[] {
  if (!entries) {
    const aliases = Object.keys(ALIASES).flatMap((name) => {
      const emoji = emojiOf(name);
      return emoji && get(name) === undefined ? [{ name, emoji }] : [];
    });
    entries = [...search(/./).map(({ name, emoji }) => ({ name, emoji })), ...aliases].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }
  return entries;
}

/** Completes an emoji name: names with the prefix first, then names with a word that begins with it; shorter ones first. */
export function completeEmoji(prefix: string, limit = 10): EmojiEntry[] {
  const typed = prefix.replace(/^:/, "").toLowerCase();
  if (typed === "") return [];
  const rank = (name: string): number =>
    name === typed ? 0 : name.startsWith(typed) ? 1 : name.includes(`_${typed}`) ? 2 : 3;
  return allEmoji()
    .filter((entry) => rank(entry.name) < 3)
    .toSorted(
      (a, b) => rank(a.name) - rank(b.name) || a.name.length - b.name.length || (a.name < b.name ? -1 : 1),
    )
    .slice(0, limit);
}

/** Skin tones as named in the setting; after none, from light to dark. */
export const SKIN_TONES = ["none", "light", "medium-light", "medium", "medium-dark", "dark"] as const;
export type SkinTone = (typeof SKIN_TONES)[number];

/** The emoji with a skin tone, if that exists; applied to all people in it. */
export function withTone(emoji: string, tone: SkinTone): string {
  const toneIndex = SKIN_TONES.indexOf(tone);
  if (toneIndex < 1) return emoji;
  const toned = emoji.replace(
    /(\p{Emoji_Modifier_Base})\uFE0F?/gu,
    `$1${String.fromCodePoint(0x1f3fa + toneIndex)}`,
  );
  return /^\p{RGI_Emoji}$/v.test(toned) ? toned : emoji;
}
