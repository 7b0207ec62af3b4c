/** Colours and styles of the screen by meaning, for one explicit colour level. */
import { Chalk, type ChalkInstance } from "chalk";

export type ThemeName = "dark" | "light";
type Styler = (text: string) => string;

export interface Theme {
  /** Tells caches apart: two themes with one key draw the same. */
  readonly key: string;
  readonly level: 0 | 1 | 2 | 3;
  /** What is no colour stays without colours, too. */
  readonly styled: boolean;
  readonly chalk: ChalkInstance;
  readonly dim: Styler;
  readonly bold: Styler;
  readonly italic: Styler;
  readonly strike: Styler;
  readonly inverse: Styler;
  readonly accent: Styler;
  readonly link: Styler;
  readonly code: Styler;
  readonly heading: Styler;
  readonly quote: Styler;
  /** Text hidden until it is asked for. */
  readonly spoiler: Styler;
  /** A mention of somebody, and of me. */
  readonly mention: Styler;
  readonly mentionMe: Styler;
  readonly good: Styler;
  readonly warn: Styler;
  readonly bad: Styler;
  readonly unread: Styler;
  /** My own reaction or vote. */
  readonly own: Styler;
  readonly selected: Styler;
  /** Letters over what can be pressed. */
  readonly hint: Styler;
  readonly authors: readonly Styler[];
  readonly tones: Readonly<
    Record<"keyword" | "string" | "number" | "comment" | "name" | "type" | "plain", Styler>
  >;
}

const AUTHORS: Record<ThemeName, readonly string[]> = {
  dark: ["#7aa2f7", "#9ece6a", "#e0af68", "#bb9af7", "#7dcfff", "#f7768e", "#73daca", "#ff9e64"],
  light: ["#2e5cb8", "#3b7a1e", "#8f5e15", "#7847bd", "#0f6e8c", "#b3304c", "#1c7a68", "#a5500f"],
};
const SIXTEEN = ["blue", "green", "yellow", "magenta", "cyan", "red", "blueBright", "greenBright"] as const;

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

/**
 * The theme at a colour level (color.ts decides it). At 0 there are no escapes at all, or with `styled` those that are no
 * colours: bold, dim, italic, inverse, struck and underlined. Chalk's default instance is never used: it reads argv and
 * the environment by itself.
 */
export function makeTheme(
  level: 0 | 1 | 2 | 3,
  name: ThemeName = "dark",
  { styled = false }: { styled?: boolean } = {},
): Theme {
  const chalk = new Chalk({ level });
  const plain = level === 0 && styled;
  const style = plain ? new Chalk({ level: 1 }) : chalk;
  const light = name === "light";
  const c = compiled;
  const authors =
    level >= 2 ? AUTHORS[name].map((hex) => c(chalk.hex(hex))) : SIXTEEN.map((color) => c(chalk[color]));
  const code = level >= 2 ? (light ? chalk.hex("#8f5e15") : chalk.hex("#e0af68")) : chalk.yellow;
  return {
    key: `${name}${level}${plain ? "s" : ""}`,
    level,
    styled,
    chalk,
    dim: c(style.dim),
    bold: c(style.bold),
    italic: c(style.italic),
    strike: c(style.strikethrough),
    inverse: c(style.inverse),
    accent: c(chalk.cyan),
    link: c(plain ? style.underline : chalk.blue.underline),
    code: c(code),
    heading: c(style.bold.underline),
    quote: c(style.dim),
    spoiler: c(style.dim),
    mention: c(chalk.cyan),
    mentionMe: c(plain ? style.bold.inverse : light ? chalk.black.bgYellow : chalk.bold.black.bgYellow),
    good: c(chalk.green),
    warn: c(chalk.yellow),
    bad: c(plain ? style.bold : chalk.red),
    unread: c(plain ? style.bold : chalk.red),
    own: c(plain ? style.bold : chalk.bold.cyan),
    selected: c(style.inverse),
    hint: c(plain ? style.bold.inverse : chalk.bold.black.bgYellow),
    authors,
    tones: {
      keyword: c(chalk.magenta),
      string: c(chalk.green),
      number: c(chalk.yellow),
      comment: c(style.dim),
      name: c(chalk.blue),
      type: c(chalk.cyan),
      plain: (text) => text,
    },
  };
}

/** Light for dark and dark for light, in as many colours. */
export const otherTheme = ({ level, key, styled }: Theme): Theme =>
  makeTheme(level, key.startsWith("dark") ? "light" : "dark", { styled });

/** The colour of a person: the same in every channel and every run, from the user id. */
export function authorColor(theme: Theme, userId: string): Styler {
  let hash = 2166136261;
  for (let i = 0; i < userId.length; i++) hash = Math.imul(hash ^ userId.charCodeAt(i), 16777619) >>> 0;
  // The low bits of this hash hardly differ for `u1` and `u2`.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
  return theme.authors[(hash >>> 8) % theme.authors.length]!;
}
