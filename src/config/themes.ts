/** Themes by name: the built-in ones and the person's own files, whose mistakes are reported in words. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { didYouMean } from "../text/spelling.ts";
import { configDir } from "./places.ts";
import { isObject } from "../model/json-object.ts";

/** Name → what it is for. */
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

/** What has a colour of its own, and where it is met. */
export const ROLES = {
  dim: "lines, hints, times",
  accent: "the sign before the box, keys in help",
  link: "links",
  code: "code",
  codeBlock: "behind blocks of code",
  heading: "headings",
  quote: "quotes",
  spoiler: "hidden text",
  mention: "a mention of somebody",
  mentionMe: "a mention of you",
  good: "what goes well",
  warn: "what waits or needs a look",
  bad: "what failed",
  unread: "mentions and new messages that wait",
  own: "your own reaction or vote",
  selected: "the line that is chosen",
  open: "the open channel in the sidebar",
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

/** A style in words by role, such as `bold #7aa2f7 on #16161e`; a role without one is drawn as text is. */
export interface Palette {
  readonly styles: Readonly<Partial<Record<ThemeRole, string>>>;
  /** Names of people, one of these each. */
  readonly authors: readonly string[];
}

/** A palette of a file: what it leaves out is taken from `base`. */
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

/** What is wrong with a style; undefined for a good one. */
function styleProblem(style: string): string | undefined {
  const parts = style.split(/\s+/).filter(Boolean);
  for (let i = 0; i < parts.length; i++) {
    const word = parts[i]!;
    if (ATTRIBUTES.some((name) => name === word) || isColour(word)) continue;
    if (word === "on" && isColour(parts[i + 1])) i++;
    else if (word === "on") return "behind 'on' stands a colour";
    else return `'${word}' is no colour and no style${didYouMean(word, [...COLOURS, ...ATTRIBUTES])}`;
  }
  return undefined;
}

export const themesFolder = (env: Env): string => path.join(configDir(env), "themes");
export const themeFile = (env: Env, name: string): string => path.join(themesFolder(env), `${name}.json`);
type Env = Readonly<Record<string, string | undefined>>;

/** Names of the person's own themes, in alphabetical order. */
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

/** Whether a name may be chosen; in words why not. */
export function themeProblem(env: Env, name: string): string | undefined {
  if (name === "auto" || isBuiltInTheme(name)) return undefined;
  const own = ownThemes(env);
  if (own.includes(name)) return undefined;
  const known = ["auto", ...Object.keys(BUILT_IN_THEMES), ...own];
  return `theme must be one of ${known.join(", ")}, not "${name}". A file ${themeFile(env, name)} would make it one`;
}

interface ReadTheme {
  palette?: OwnPalette;
  /** Sentences with the file and the line. */
  faults: string[];
}

/** Where a value of a key stands in the text of a file, from 1. */
const lineOf = (text: string, key: string): number =>
  text.slice(0, Math.max(0, text.indexOf(JSON.stringify(key)))).split("\n").length;

/** Reads a theme file; with a fault in it the parts that are good still hold. */
export function readTheme(env: Env, name: string): ReadTheme {
  const file = themeFile(env, name);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { faults: [`${file} cannot be read: ${(error as Error).message}`] };
  }
  return readThemeText(text, file);
}

/** `file` names it in faults. */
export function readThemeText(text: string, file: string): ReadTheme {
  const value = parsed(text);
  if (typeof value === "string") return { faults: [`${file}${value}`] };
  const faults: string[] = [];
  const fault = (key: string, says: string): void =>
    void faults.push(`${file} line ${lineOf(text, key)}: ${says}`);
  const styles: Partial<Record<ThemeRole, string>> = {};
  let authors: string[] = [];
  let base: BuiltIn = "dark";
  for (const [key, given] of Object.entries(value)) {
    const wrong =
      typeof given === "string" ? styleProblem(given) : 'a style is a text such as "bold #7aa2f7"';
    if (key === "base") {
      if (typeof given === "string" && isBuiltInTheme(given)) base = given;
      else fault(key, `base must be one of ${Object.keys(BUILT_IN_THEMES).join(", ")}`);
    } else if (key === "authors") {
      const all = Array.isArray(given) ? (given as unknown[]) : [];
      authors = all.filter(
        (one): one is string => typeof one === "string" && styleProblem(one) === undefined,
      );
      if (all.length === 0 || authors.length < all.length) fault(key, "authors is a list of colours");
    } else if (!roles.some((role) => role === key) && !key.startsWith("$"))
      fault(key, `there is no '${key}' in a theme${didYouMean(key, [...roles, "base", "authors"])}`);
    else if (wrong !== undefined && !key.startsWith("$")) fault(key, `${key}: ${wrong}`);
    else if (!key.startsWith("$")) styles[key as ThemeRole] = given as string;
  }
  return { palette: { base, styles, authors }, faults };
}

/** The object of a text, or what is wrong with it, behind the name of its file. */
function parsed(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isObject(value)) return value;
  } catch (error) {
    const at =
      /\(line (\d+) /.exec((error as Error).message) ?? /position (\d+)/.exec((error as Error).message);
    if (!at) return ": it is no JSON";
    const line = at[0].startsWith("(") ? Number(at[1]) : text.slice(0, Number(at[1])).split("\n").length;
    return ` line ${line}: it is no JSON from here on`;
  }
  return ": it must be one JSON object, roles to styles";
}
