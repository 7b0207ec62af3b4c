/** The built-in themes as styles by role (config/themes.ts says which roles there are and how a style is written). */
import type { BuiltIn, Palette } from "../../config/themes.ts";

/** What is the same with the terminal's own sixteen colours on any background; fills are left out, since none fits every terminal. */
const OWN_COLOURS = {
  dim: "dim",
  line: "dim",
  behind: "dim",
  heading: "bold underline",
  quote: "dim",
  spoiler: "dim",
  mentionMe: "bold inverse",
  button: "bold inverse",
  marked: "inverse",
  notice: "inverse",
  selected: "bold",
  open: "bold",
  comment: "dim",
} as const;

/** The terminal's named colours on a dark background. */
export const TERMINAL: Palette = {
  styles: {
    ...OWN_COLOURS,
    accent: "cyan",
    coast: "cyan",
    link: "cyan underline",
    code: "yellow",
    mention: "cyan",
    good: "cyan",
    warn: "yellow",
    bad: "bold redBright",
    unread: "redBright",
    own: "bold cyan",
    keyword: "magentaBright",
    string: "green",
    number: "yellow",
    name: "cyan",
    type: "cyan",
  },
  authors: ["green", "yellow", "greenBright", "magentaBright", ""],
};

/** The terminal's named colours on a light background, without those that are hardly seen there. */
export const TERMINAL_LIGHT: Palette = {
  styles: {
    ...OWN_COLOURS,
    accent: "blue",
    coast: "blue",
    link: "blue underline",
    code: "bold",
    mention: "blue",
    good: "blue",
    warn: "bold",
    bad: "bold red",
    unread: "red",
    own: "bold blue",
    keyword: "magenta",
    name: "blue",
    type: "blue",
  },
  authors: ["magenta", "blueBright", ""],
};

/** Without colours: only bold, dim, underlined and inverse. */
export const MONO: Palette = {
  styles: {
    ...OWN_COLOURS,
    accent: "bold",
    link: "underline",
    bad: "bold",
    unread: "bold",
    own: "bold",
    selected: "inverse",
  },
  authors: [""],
};

/** The colours of a theme by meaning. */
interface Colours {
  /** On the fills; elsewhere the terminal's own. */
  text: string;
  /** Times, hints, headings. */
  soft: string;
  /** Rules and thumbs; never text. */
  line: string;
  /** What is behind a popup. */
  behind: string;
  /** What is open, focused, one's own, online. */
  accent: string;
  /** Only mentions, what is new, and failures. */
  red: string;
  warn: string;
  code?: string;
  link: string;
  coast: string;
  keyword: string;
  string?: string;
  /** Behind the open and the selected row. */
  fill: string;
  /** Behind popups' fields, chips and blocks of code. */
  surface: string;
  sea: string;
  /** Text of the mention of oneself and of the main button; on `warn` and `accent`. */
  onBright: string;
  marked: string;
  authors: string;
}

const made = (c: Colours): Palette => ({
  styles: {
    dim: c.soft,
    line: c.line,
    behind: c.behind,
    accent: c.accent,
    link: `${c.link} underline`,
    code: c.code ?? c.warn,
    codeBlock: `on ${c.surface}`,
    heading: "bold underline",
    quote: c.soft,
    spoiler: c.soft,
    mention: c.accent,
    mentionMe: `bold ${c.onBright} on ${c.warn}`,
    good: c.accent,
    warn: c.warn,
    bad: `bold ${c.red}`,
    unread: c.red,
    own: `bold ${c.accent}`,
    selected: `${c.text} on ${c.fill}`,
    open: `bold ${c.accent} on ${c.fill}`,
    surface: `${c.text} on ${c.surface}`,
    button: `bold ${c.onBright} on ${c.accent}`,
    marked: c.marked,
    notice: `${c.text} on ${c.surface}`,
    coast: c.coast,
    sea: `on ${c.sea}`,
    keyword: c.keyword,
    string: c.string ?? c.accent,
    number: c.warn,
    comment: c.soft,
    name: c.link,
    type: c.accent,
  },
  authors: c.authors.split(" "),
});

const DARK: Colours = {
  text: "#e4e7eb",
  soft: "#a3adba",
  line: "#4a5361",
  behind: "#707a88",
  accent: "#5ccfc0",
  red: "#ff8c96",
  warn: "#ecb65c",
  link: "#86b4ff",
  coast: "#4f8a84",
  keyword: "#bb98ff",
  string: "#8fd16a",
  fill: "#26344a",
  surface: "#20262e",
  sea: "#16262b",
  onBright: "#0d1416",
  marked: "#ffffff on #2f5fa8",
  authors: "#86a8ff #8fd16a #ecb65c #eb9be3 #7cc7ff #d3d85f #bb98ff #ff9f6b #b4bfd0 #d8b99a",
};

const LIGHT: Colours = {
  text: "#1f2328",
  soft: "#55606c",
  line: "#b8c0ca",
  behind: "#858e98",
  accent: "#0b6b66",
  red: "#b3203a",
  warn: "#7a4b00",
  link: "#1f56b5",
  coast: "#3f7a75",
  keyword: "#6a35b8",
  string: "#2f6d12",
  fill: "#d8e6f0",
  surface: "#f0f3f6",
  sea: "#e3eff2",
  onBright: "#ffffff",
  marked: "#000000 on #a9cdf5",
  authors: "#2448b5 #2f6d12 #855000 #8f2a86 #0a6396 #646000 #6a35b8 #9a3f00 #4a5568 #6d5440",
};

const CONTRAST: Colours = {
  text: "#ffffff",
  soft: "#d0d0d0",
  line: "#8a8a8a",
  behind: "#8a8a8a",
  accent: "#00ffff",
  red: "#ff9f9f",
  warn: "#ffd700",
  code: "#ffff5f",
  link: "#9fd0ff",
  coast: "#5fd7d7",
  keyword: "#ffafff",
  string: "#5fff87",
  fill: "#000080",
  surface: "#1c1c1c",
  sea: "#00213a",
  onBright: "#000000",
  marked: "#000000 on #ffff5f",
  authors: "#ffffff #ffff5f #ffafff #5fff87 #9fd0ff #ffbf7f #d7afff #d7ff87 #87ffd7 #ffd7af",
};

const CONTRAST_LIGHT: Colours = {
  text: "#000000",
  soft: "#303030",
  line: "#6a6a6a",
  behind: "#767676",
  accent: "#00429d",
  red: "#a00000",
  warn: "#6b4400",
  code: "#5f3700",
  link: "#0000c0",
  coast: "#00557a",
  keyword: "#6a0080",
  string: "#005f00",
  fill: "#ffef9f",
  surface: "#f0f0f0",
  sea: "#dcecff",
  onBright: "#ffffff",
  marked: "#ffffff on #000000",
  authors: "#000000 #6b4400 #6a0080 #005f00 #0000c0 #7a2f00 #00557a #5f005f #404000 #3a3a80",
};

/** Blue against orange, and light against dark: no meaning depends on telling red from green. */
const RED_GREEN: Colours = {
  text: "#ffffff",
  soft: "#9fa6b4",
  line: "#4c566a",
  behind: "#727b8c",
  accent: "#56b4e9",
  red: "#ff9f1c",
  warn: "#f0e442",
  link: "#7cc4f5",
  coast: "#4b86ab",
  keyword: "#cc9fe0",
  fill: "#1f3a5f",
  surface: "#1b2430",
  sea: "#13263a",
  onBright: "#000000",
  marked: "#000000 on #9ac7ff",
  authors: "#f0e442 #cfd8e3 #9ac7ff #e69f00 #b8a9ff #ffd08a #7fd3c8 #e8b7d4 #a7b4c4 #d6c2a6",
};

const RED_GREEN_LIGHT: Colours = {
  text: "#000000",
  soft: "#5a626e",
  line: "#b4bfca",
  behind: "#858e98",
  accent: "#005a9c",
  red: "#a84300",
  warn: "#6b4e00",
  link: "#00509d",
  coast: "#3d76a0",
  keyword: "#5b3a8e",
  fill: "#cfe4f7",
  surface: "#eef3f8",
  sea: "#dfeefa",
  onBright: "#ffffff",
  marked: "#ffffff on #005a9c",
  authors: "#875800 #30363d #2863a2 #5b3a8e #4a5568 #006d6a #7a4060 #6b5d00 #3f4ab0 #5f4a3a",
};

/** Red against teal: no meaning depends on telling blue from yellow. */
const BLUE_YELLOW: Colours = {
  text: "#ffffff",
  soft: "#9e9ea5",
  line: "#565059",
  behind: "#7a757d",
  accent: "#4fd1c5",
  red: "#ff6f7b",
  warn: "#ff9eb5",
  code: "#ffb3c1",
  link: "#66e0d5",
  coast: "#4f8a84",
  keyword: "#ff9eb5",
  fill: "#4a1d2a",
  surface: "#261c20",
  sea: "#12292a",
  onBright: "#000000",
  marked: "#000000 on #66e0d5",
  authors: "#ff9e9e #e2e2e6 #9be8df #ffb3c1 #c0c0c8 #7fd6a8 #e88fd0 #ffc9a8 #b9d8d4 #d0a0a8",
};

const DUSK: Colours = {
  text: "#eceff4",
  soft: "#a8b0c1",
  line: "#4c566a",
  behind: "#79839a",
  accent: "#88c0d0",
  red: "#e0a0a5",
  warn: "#ebcb8b",
  link: "#9ab4cd",
  coast: "#6f9ba8",
  keyword: "#c5a7bf",
  string: "#a3be8c",
  fill: "#3b4252",
  surface: "#343b49",
  sea: "#2a3848",
  onBright: "#242933",
  marked: "#242933 on #9ab4cd",
  authors: "#9ab4cd #a3be8c #ebcb8b #c5a7bf #8fbcbb #dba492 #c9d1e0 #d3a3b5 #b0a9e2 #cdbfa3",
};

const PAPER: Colours = {
  text: "#3c3836",
  soft: "#665e53",
  line: "#c9bb96",
  behind: "#948a76",
  accent: "#076678",
  red: "#9d0006",
  warn: "#845405",
  link: "#076678",
  coast: "#3f7a75",
  keyword: "#8f3f71",
  string: "#50660c",
  fill: "#ebdbb2",
  surface: "#f5ebc8",
  sea: "#e2e6c8",
  onBright: "#fdf6e3",
  marked: "#fdf6e3 on #076678",
  authors: "#50660c #845405 #8f3f71 #37674a #396481 #a83803 #5d4a9e #6b5c4d #6e5f00 #3c3836",
};

/** By theme name; with 16 or no colours {@link TERMINAL}, {@link TERMINAL_LIGHT} and {@link MONO} are used instead. */
export const PALETTES: Readonly<Record<BuiltIn, Palette>> = {
  dark: made(DARK),
  light: made(LIGHT),
  terminal: TERMINAL,
  contrast: made(CONTRAST),
  "contrast-light": made(CONTRAST_LIGHT),
  "red-green": made(RED_GREEN),
  "red-green-light": made(RED_GREEN_LIGHT),
  "blue-yellow": made(BLUE_YELLOW),
  dusk: made(DUSK),
  paper: made(PAPER),
};

/** Themes made for a light background. */
export const LIGHT_THEMES: ReadonlySet<BuiltIn> = new Set<BuiltIn>([
  "light",
  "contrast-light",
  "red-green-light",
  "paper",
]);
