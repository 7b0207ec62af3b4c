/** Colours and styles of the screen by meaning, for one explicit colour level. */
import { Chalk, type ChalkInstance } from "chalk";
import { roles, type BuiltIn, type OwnPalette, type Palette, type ThemeRole } from "../../config/themes.ts";
import { MONO, PALETTES, TERMINAL } from "./palettes.ts";

type Styler = (text: string) => string;

/** What code is made of. */
type Tone = Extract<ThemeRole, "keyword" | "string" | "number" | "comment" | "name" | "type">;

/** A style for each role (config/themes.ts says where it is met), and those that are no colours. */
export interface Theme extends Readonly<Record<Exclude<ThemeRole, Tone>, Styler>> {
  /** Tells caches apart: two themes with one key draw the same. */
  readonly key: string;
  readonly level: 0 | 1 | 2 | 3;
  /** What is no colour stays without colours, too. */
  readonly styled: boolean;
  readonly bold: Styler;
  readonly italic: Styler;
  readonly strike: Styler;
  readonly inverse: Styler;
  readonly authors: readonly Styler[];
  readonly tones: Readonly<Record<Tone | "plain", Styler>>;
}

/** A style's codes are asked of chalk once; a row then costs two string joins instead of a walk through its builder. */
function compiled(style: ChalkInstance): Styler {
  const [open, close] = style("\0").split("\0") as [string, string | undefined];
  if (!open || close === undefined) return (text) => text;
  return (text) => {
    if (text === "") return "";
    // A style inside that ends like this one would end it as well: opened again behind it.
    const inner = text.includes(close) ? text.replaceAll(close, close + open) : text;
    return open + inner + close;
  };
}

/** The chalk of a style in words (config/themes.ts); words that are none change nothing. */
function styleOf(chalk: ChalkInstance, style: string): ChalkInstance {
  const parts = style.split(" ").filter(Boolean);
  let made = chalk;
  for (let i = 0; i < parts.length; i++) {
    const behind = parts[i] === "on";
    const word = parts[behind ? ++i : i]!;
    if (word.startsWith("#")) made = behind ? made.bgHex(word) : made.hex(word);
    else {
      const plain = word === "struck" ? "strikethrough" : word;
      const name = behind ? `bg${plain[0]!.toUpperCase()}${plain.slice(1)}` : plain;
      made = (made as unknown as Record<string, ChalkInstance | undefined>)[name] ?? made;
    }
  }
  return made;
}

/** The styles and names of a theme in as many colours as there are: what 16 colours cannot show is the terminal's own. */
function paletteAt(level: Theme["level"], wanted: BuiltIn | OwnPalette): Palette {
  if (level === 0) return MONO;
  const base = PALETTES[typeof wanted === "string" ? wanted : wanted.base];
  const styles = { ...base.styles, ...(typeof wanted === "string" ? {} : wanted.styles) };
  const authors = typeof wanted === "string" || wanted.authors.length === 0 ? base.authors : wanted.authors;
  if (level >= 2) return { styles, authors };
  const known = Object.entries(styles).filter(([, style]) => !style.includes("#"));
  return {
    styles: { ...TERMINAL.styles, ...Object.fromEntries(known) },
    authors: authors.some((style) => style.includes("#")) ? TERMINAL.authors : authors,
  };
}

/** Own themes are told apart by what is in them. */
const keyOf = (wanted: BuiltIn | OwnPalette): string =>
  typeof wanted === "string" ? wanted : JSON.stringify(wanted);

/**
 * The theme at a colour level (color.ts decides it). At 0 there are no escapes at all, or with `styled` those that are no
 * colours: bold, dim, italic, inverse, struck and underlined. Chalk's default instance is never used: it reads argv and
 * the environment by itself.
 */
export function makeTheme(
  level: 0 | 1 | 2 | 3,
  wanted: BuiltIn | OwnPalette = "dark",
  { styled = false }: { styled?: boolean } = {},
): Theme {
  const chalk = new Chalk({ level: level === 0 && styled ? 1 : level });
  const { styles, authors } = paletteAt(level, wanted);
  const styler = (style: string): Styler => compiled(styleOf(chalk, style));
  const byRole = Object.fromEntries(roles.map((role) => [role, styler(styles[role] ?? "")]));
  return {
    ...(byRole as Record<ThemeRole, Styler>),
    key: `${keyOf(wanted)}${level}${level === 0 && styled ? "s" : ""}`,
    level,
    styled,
    bold: compiled(chalk.bold),
    italic: compiled(chalk.italic),
    strike: compiled(chalk.strikethrough),
    inverse: compiled(chalk.inverse),
    hint: styler(styles.hint ?? styles.mentionMe ?? "bold inverse"),
    authors: authors.map(styler),
    tones: { ...(byRole as Record<Tone, Styler>), plain: (text) => text },
  };
}

/** The colour of a person: the same in every channel and every run, from the user id. */
export function authorColor(theme: Theme, userId: string): Styler {
  let hash = 2166136261;
  for (let i = 0; i < userId.length; i++) hash = Math.imul(hash ^ userId.charCodeAt(i), 16777619) >>> 0;
  // The low bits of this hash hardly differ for `u1` and `u2`.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
  return theme.authors[(hash >>> 8) % theme.authors.length]!;
}
