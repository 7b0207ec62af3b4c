/** The types of reactions from other services: short names that this program knows, whatever name, tone or glyph stands for them. */
import { emojiOf, shortcodeOf } from "../../../text/emoji.ts";
import { cutBefore } from "./fields.ts";

/** Characters of a type. */
const MAX_TYPE = 64;

const isGlyph = (name: string): boolean =>
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u.test(name);

const flagOf = (country: string): string =>
  String.fromCodePoint(...[...country].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 97));

/** `wave::skin-tone-3`, `👋🏽` → `wave`; empty for no name. */
export function reactionTypeOf(name: string): string {
  if (isGlyph(name)) return shortcodeOf(name) ?? name.slice(0, cutBefore(name, MAX_TYPE));
  const plain = name
    .toWellFormed()
    .replaceAll("\0", "")
    .replace(/::skin-tone-\d$/, "")
    .slice(0, MAX_TYPE)
    .trim();
  const country = /^flag-([a-z]{2})$/.exec(plain)?.[1];
  const emoji = country ? flagOf(country) : (emojiOf(plain) ?? emojiOf(plain.replaceAll("-", "_")));
  return (emoji === undefined ? undefined : shortcodeOf(emoji)) ?? plain;
}

/** The glyph that was given, with its tone; undefined if the service names reactions. */
export const emojiCodeOf = (name: string): string | undefined =>
  isGlyph(name) ? name.slice(0, cutBefore(name, MAX_TYPE)) : undefined;
