/** Makes the theme: colours and styles by role, for one colour level. */
import { Chalk, type ChalkInstance } from "chalk";
import { roles, type BuiltIn, type OwnPalette, type Palette, type ThemeRole } from "../../config/themes.ts";
import { MONO, PALETTES, TERMINAL } from "./palettes.ts";

type Styler = (text: string) => string;

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
  return (text) => {
    if (text === "") return "";
    // A nested style with the same end code would end this one, too: it is reopened after it.
    const inner = text.includes(close) ? text.replaceAll(close, close + open) : text;
    return open + inner + close;
  };
}

/** Parses a style such as `bold red on #222` (config/themes.ts); unknown words are ignored. */
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

/** The palette for a colour level; at 16 colours, styles with RGB colours are replaced by the terminal's named ones. */
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

/** A theme of the user is identified by its content. */
const keyOf = (wanted: BuiltIn | OwnPalette): string =>
  typeof wanted === "string" ? wanted : JSON.stringify(wanted);

/**
 * The theme at a colour level (decided by color.ts). At 0 there are no escape sequences, or with `styled` only bold, dim,
 * italic, inverse, struck and underlined. Chalk's default instance is not used, because it reads argv and the environment.
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

/** The colour of a user, derived from the id, so it is the same in every channel and run. */
export function authorColor(theme: Theme, userId: string): Styler {
  let hash = 2166136261;
  for (let i = 0; i < userId.length; i++) hash = Math.imul(hash ^ userId.charCodeAt(i), 16777619) >>> 0;
  // The low bits of this hash hardly differ for `u1` and `u2`.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
  return theme.authors[(hash >>> 8) % theme.authors.length]!;
}
