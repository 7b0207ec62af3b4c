/** Themes: the built-in ones, and reading and checking the user's theme files. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { didYouMean } from "../text/spelling.ts";
import { configDir, type Env } from "./paths.ts";
import { isExcessive, isObject } from "../model/json-object.ts";
import { readSmallFile } from "../model/files/small-file.ts";

/** Name → description. */
export const BUILT_IN_THEMES = {
  dark: "colours for a dark background",
  light: "colours for a light background",
  terminal: "the sixteen colours of your terminal, as it has them",
  contrast: "high contrast on a dark background, nothing dim",
  "contrast-light": "high contrast on a light background, nothing dim",
  "red-green": "for eyes that mix up red and green, dark background",
  "red-green-light": "for eyes that mix up red and green, light background",
  "blue-yellow": "for eyes that mix up blue and yellow, dark background",
  dusk: "soft and cool, dark background",
  paper: "soft and warm, light background",
} as const;

export type BuiltIn = keyof typeof BUILT_IN_THEMES;

export const isBuiltInTheme = (name: string): name is BuiltIn => Object.hasOwn(BUILT_IN_THEMES, name);

/** Roles a theme can colour, each with a description. */
export const ROLES = {
  dim: "hints, times, headings of lists",
  line: "lines between panes and thumbs of lists, no text",
  behind: "what is behind a popup",
  accent: "what is open or has the keys, keys in hints, bars",
  link: "links",
  code: "code",
  codeBlock: "behind blocks of code",
  heading: "headings",
  quote: "quotes",
  spoiler: "hidden text",
  mention: "a mention of somebody",
  mentionMe: "a mention of you",
  good: "what goes well, people who are online",
  warn: "what waits or needs a look",
  bad: "what failed",
  unread: "mentions and new messages that wait",
  own: "your own name, reaction or vote",
  selected: "the row that is chosen",
  open: "the open channel in the sidebar",
  surface: "behind the fields of forms",
  button: "the main button of a form",
  marked: "text that the mouse or the box has selected",
  notice: "notices",
  coast: "coasts on maps",
  sea: "behind maps",
  hint: "letters over what can be pressed; without it as mentionMe",
  keyword: "in code: words of the language",
  string: "in code: texts",
  number: "in code: numbers",
  comment: "in code: comments",
  name: "in code: names",
  type: "in code: types",
} as const;

export type ThemeRole = keyof typeof ROLES;
export const roles = Object.keys(ROLES) as ThemeRole[];

/** Styles by role, such as `bold #7aa2f7 on #16161e`; a role without one is drawn as plain text. */
export interface Palette {
  readonly styles: Readonly<Partial<Record<ThemeRole, string>>>;
  /** Styles for names of people; each person gets one. */
  readonly authors: readonly string[];
}

/** The palette of a theme file; missing roles come from `base`. */
export interface OwnPalette extends Palette {
  readonly base: BuiltIn;
}

export const ATTRIBUTES = ["bold", "dim", "italic", "underline", "inverse", "struck"] as const;
export const COLOURS = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "gray",
  "redBright",
  "greenBright",
  "yellowBright",
  "blueBright",
  "magentaBright",
  "cyanBright",
  "whiteBright",
] as const;

const HEX = /^#[\da-f]{6}$/i;
const isColour = (word: string | undefined): boolean =>
  word !== undefined && (HEX.test(word) || COLOURS.some((name) => name === word));

/** Why a style is invalid; undefined for a valid one. */
function styleProblem(style: string): string | undefined {
  const parts = style.split(/\s+/).filter(Boolean);
  for (let i = 0; i < parts.length; i++) {
    const word = parts[i]!;
    if (ATTRIBUTES.some((name) => name === word) || isColour(word)) continue;
    if (word === "on" && isColour(parts[i + 1])) i++;
    else if (word === "on") return "'on' needs a colour after it";
    else return `'${word}' is not a colour or style${didYouMean(word, [...COLOURS, ...ATTRIBUTES])}`;
  }
  return undefined;
}

export const themesFolder = (env: Env): string => path.join(configDir(env), "themes");
export const themeFile = (env: Env, name: string): string => path.join(themesFolder(env), `${name}.json`);
/** Names of the user's theme files, sorted. */
export function ownThemes(env: Env): string[] {
  try {
    return readdirSync(themesFolder(env))
      .flatMap((file) => (/^[\w-]+\.json$/.test(file) ? [file.slice(0, -5)] : []))
      .filter((name) => !isBuiltInTheme(name))
      .toSorted();
  } catch {
    return [];
  }
}

/** Why a theme cannot be chosen; undefined if it can. */
export function themeProblem(env: Env, name: string): string | undefined {
  if (name === "auto" || isBuiltInTheme(name)) return undefined;
  const own = ownThemes(env);
  if (own.includes(name)) return undefined;
  const known = ["auto", ...Object.keys(BUILT_IN_THEMES), ...own];
  return `theme must be one of ${known.join(", ")}, not "${name}". A file ${themeFile(env, name)} would make it one`;
}

interface ReadTheme {
  palette?: OwnPalette;
  /** Sentences that name the file and the line. */
  faults: string[];
}

/** The line of a key in the text of a file, from 1. */
const lineOf = (text: string, key: string): number =>
  text.slice(0, Math.max(0, text.indexOf(JSON.stringify(key)))).split("\n").length;

/** Reads a theme file; its valid parts are used even when others are faulty. */
export function readTheme(env: Env, name: string): ReadTheme {
  const file = themeFile(env, name);
  let text: string;
  try {
    text = readSmallFile(file);
  } catch (error) {
    return { faults: [`${file} cannot be read: ${(error as Error).message}`] };
  }
  return readThemeText(text, file);
}

/** `file` is only used in the sentences of faults. */
export function readThemeText(text: string, file: string): ReadTheme {
  const value = parseTheme(text);
  if (typeof value === "string") return { faults: [`${file}${value}`] };
  const faults: string[] = [];
  const fault = (key: string, problem: string): void =>
    void faults.push(`${file} line ${lineOf(text, key)}: ${problem}`);
  const styles: Partial<Record<ThemeRole, string>> = {};
  let authors: string[] = [];
  let base: BuiltIn = "dark";
  for (const [key, style] of Object.entries(value)) {
    const problem =
      typeof style === "string" ? styleProblem(style) : 'a style is a text such as "bold #7aa2f7"';
    if (key === "base") {
      if (typeof style === "string" && isBuiltInTheme(style)) base = style;
      else fault(key, `base must be one of ${Object.keys(BUILT_IN_THEMES).join(", ")}`);
    } else if (key === "authors") {
      const all = Array.isArray(style) ? (style as unknown[]) : [];
      authors = all.filter(
        (one): one is string => typeof one === "string" && styleProblem(one) === undefined,
      );
      if (all.length === 0 || authors.length < all.length) fault(key, "authors is a list of colours");
    } else if (!roles.some((role) => role === key) && !key.startsWith("$"))
      fault(key, `'${key}' is not a key of a theme${didYouMean(key, [...roles, "base", "authors"])}`);
    else if (problem !== undefined && !key.startsWith("$")) fault(key, `${key}: ${problem}`);
    else if (!key.startsWith("$")) styles[key as ThemeRole] = style as string;
  }
  return { palette: { base, styles, authors }, faults };
}

/** The parsed object, or the end of an error sentence that starts with the file name. */
function parseTheme(text: string): Record<string, unknown> | string {
  if (isExcessive(text, "item")) return ": it has far more values than a theme";
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isObject(value)) return value;
  } catch (error) {
    const at =
      /\(line (\d+) /.exec((error as Error).message) ?? /position (\d+)/.exec((error as Error).message);
    if (!at) return ": it is not valid JSON";
    const line = at[0].startsWith("(") ? Number(at[1]) : text.slice(0, Number(at[1])).split("\n").length;
    return ` line ${line}: it is not valid JSON from here on`;
  }
  return ": it must be one JSON object, roles to styles";
}
