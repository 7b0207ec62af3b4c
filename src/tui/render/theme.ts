/** Makes the theme: colours and styles by role, for one colour level. */
import { Chalk, type ChalkInstance } from "chalk";
import { roles, type BuiltIn, type OwnPalette, type Palette, type ThemeRole } from "../../config/themes.ts";
import { LIGHT_THEMES, MONO, PALETTES, TERMINAL, TERMINAL_LIGHT } from "./palettes.ts";

export type Styler = (text: string) => string;

/** Roles of highlighted code. */
type Tone = Extract<ThemeRole, "keyword" | "string" | "number" | "comment" | "name" | "type">;

/** A styling function for each role (config/themes.ts describes them), and for bold, italic and so on. */
export interface Theme extends Readonly<Record<Exclude<ThemeRole, Tone>, Styler>> {
  /** A cache key: themes with the same key draw the same. */
  readonly key: string;
  readonly level: 0 | 1 | 2 | 3;
  /** Bold, italic and the like are used also at level 0. */
  readonly styled: boolean;
  readonly bold: Styler;
  readonly italic: Styler;
  readonly strike: Styler;
  readonly inverse: Styler;
  readonly authors: readonly Styler[];
  readonly tones: Readonly<Record<Tone | "plain", Styler>>;
}

/** Gets the codes of a style from chalk once, so that styling a text is only string concatenation. */
function compiled(style: ChalkInstance): Styler {
  const [open, close] = style("\0").split("\0") as [string, string | undefined];
  if (!open || close === undefined) return (text) => text;
  const codes = (all: string): string[] => all.split(/(?=\x1b)/);
  const ends = codes(close).toReversed();
  const reopened = codes(open).map((code, at) => [ends[at]!, ends[at]! + code] as const);
  return (text) => {
    if (text === "") return "";
    if (!text.includes("\x1b")) return open + text + close;
    // A nested style with the same end code would end this one, too: it is reopened after it.
    const inner = reopened.reduce((all, [end, again]) => all.replaceAll(end, again), text);
    return open + inner + close;
  };
}

/** Parses a style such as `bold red on #222` (config/themes.ts); unknown words are ignored. */
function parseStyle(chalk: ChalkInstance, style: string): ChalkInstance {
  const parts = style.split(" ").filter(Boolean);
  let styled = chalk;
  for (let i = 0; i < parts.length; i++) {
    const isBackground = parts[i] === "on";
    const word = parts[isBackground ? ++i : i]!;
    if (word.startsWith("#")) styled = isBackground ? styled.bgHex(word) : styled.hex(word);
    else {
      const plain = word === "struck" ? "strikethrough" : word;
      const name = isBackground ? `bg${plain[0]!.toUpperCase()}${plain.slice(1)}` : plain;
      styled = (styled as unknown as Record<string, ChalkInstance | undefined>)[name] ?? styled;
    }
  }
  return styled;
}

/** The palette for a colour level; at 16 colours, styles with RGB colours are replaced by the terminal's named ones. */
function paletteAt(level: Theme["level"], choice: BuiltIn | OwnPalette, onLight: boolean): Palette {
  if (level === 0) return MONO;
  const name = typeof choice === "string" ? choice : choice.base;
  const isLight = LIGHT_THEMES.has(name) || (name === "terminal" && onLight);
  const named = isLight ? TERMINAL_LIGHT : TERMINAL;
  const base = name === "terminal" ? named : PALETTES[name];
  const styles = { ...base.styles, ...(typeof choice === "string" ? {} : choice.styles) };
  const authors = typeof choice === "string" || choice.authors.length === 0 ? base.authors : choice.authors;
  if (level >= 2) return { styles, authors };
  const namedStyles = Object.entries(styles).filter(([, style]) => !style.includes("#"));
  return {
    styles: { ...named.styles, ...Object.fromEntries(namedStyles) },
    authors: authors.some((style) => style.includes("#")) ? named.authors : authors,
  };
}

/** A theme of the user is identified by its content. */
const keyOf = (choice: BuiltIn | OwnPalette): string =>
  typeof choice === "string" ? choice : JSON.stringify(choice);

/**
 * The theme at a colour level (decided by color.ts). At 0 there are no escape sequences, or with `styled` only bold, dim,
 * italic, inverse, struck and underlined. `onLight`: the terminal's background is light, for its own colours. Chalk's default instance is not used, because it reads argv and the environment.
 */
export function makeTheme(
  level: 0 | 1 | 2 | 3,
  choice: BuiltIn | OwnPalette = "dark",
  { styled = false, onLight = false }: { styled?: boolean; onLight?: boolean } = {},
): Theme {
  const chalk = new Chalk({ level: level === 0 && styled ? 1 : level });
  const { styles, authors } = paletteAt(level, choice, onLight);
  const styler = (style: string): Styler => compiled(parseStyle(chalk, style));
  const byRole = Object.fromEntries(roles.map((role) => [role, styler(styles[role] ?? "")]));
  return {
    ...(byRole as Record<ThemeRole, Styler>),
    key: `${keyOf(choice)}${level}${level === 0 && styled ? "s" : ""}${onLight ? "l" : ""}`,
    level,
    styled,
    bold: compiled(chalk.bold),
    italic: compiled(chalk.italic),
    strike: compiled(chalk.strikethrough),
    inverse: compiled(chalk.inverse),
    hint: styler(styles.hint ?? styles.mentionMe ?? "bold inverse"),
    authors: authors.map((style) => styler(`bold ${style}`)),
    tones: { ...(byRole as Record<Tone, Styler>), plain: (text) => text },
  };
}

/** A number for a user that is the same in every run, for the first choice of a colour. */
export function colorNumber(userId: string): number {
  let hash = 2166136261;
  for (let i = 0; i < userId.length; i++) hash = Math.imul(hash ^ userId.charCodeAt(i), 16777619) >>> 0;
  // The low bits of this hash hardly differ for `u1` and `u2`.
  return Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 8;
}

/** The style of a name by its number (author-colours.ts). */
export const authorColor = (theme: Theme, number: number): Styler =>
  theme.authors[number % theme.authors.length]!;
