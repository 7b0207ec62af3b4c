/** Emoji as shapes, for pictures that look the same whatever fonts a reader has. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const PACKAGE = "@iconify-json/fluent-emoji-flat";

/** Whose drawings they are goes into each picture that has some. */
const ORIGIN = "<!-- Emoji: Fluent Emoji, copyright (c) Microsoft Corporation, under the MIT licence. -->";

/** The side of a shape's own square. */
const SIDE = 32;

interface Icons {
  icons: Record<string, { body: string }>;
}

let loaded: { names: Record<string, string>; icons: Icons["icons"] } | undefined;

/** Nine megabytes, so they are read when a picture has its first emoji. */
const shapes = (): NonNullable<typeof loaded> =>
  (loaded ??= {
    names: require(`${PACKAGE}/chars.json`) as Record<string, string>,
    icons: (require(`${PACKAGE}/icons.json`) as Icons).icons,
  });

const isPictographic = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

const codesOf = (text: string): string =>
  Array.from(text, (char) => char.codePointAt(0)!.toString(16)).join("-");

/** The shapes that a picture uses, each defined once. */
export class EmojiShapes {
  readonly #used = new Map<string, string>();

  /** A use of the shape of `text` in a square of `side` pixels, or undefined if it is no emoji that has one. */
  use(text: string, x: number, y: number, side: number, attributes: string): string | undefined {
    if (!isPictographic.test(text)) return undefined;
    const { names, icons } = shapes();
    // Some are listed with the selector that asks for colour, some without.
    const plain = codesOf(text.replaceAll("\ufe0f", ""));
    const name = names[codesOf(text)] ?? names[plain] ?? names[`${plain}-fe0f`];
    const body = name && icons[name]?.body;
    if (!body) return undefined;
    this.#used.set(plain, body);
    return `<use href="#emoji-${plain}" x="${x}" y="${y}" width="${side}" height="${side}"${attributes}/>`;
  }

  /** Has to stand before the first use. */
  get definitions(): string {
    const symbols = [...this.#used].map(
      ([codes, body]) => `<symbol id="emoji-${codes}" viewBox="0 0 ${SIDE} ${SIDE}">${body}</symbol>`,
    );
    return symbols.length ? `${ORIGIN}<defs>${symbols.join("")}</defs>` : "";
  }
}
