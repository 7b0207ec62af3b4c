/** The built-in themes as styles by role (config/themes.ts says which roles there are and how a style is written). */
import type { BuiltIn, Palette } from "../../config/themes.ts";

/** Shared by the themes that use the terminal's own colours, readable on any background. */
const OWN_COLOURS = {
  dim: "dim",
  accent: "cyan",
  link: "blue underline",
  code: "yellow",
  heading: "bold underline",
  quote: "dim",
  spoiler: "dim",
  mention: "cyan",
  mentionMe: "bold black on yellow",
  good: "green",
  warn: "yellow",
  bad: "red",
  unread: "red",
  own: "bold cyan",
  selected: "inverse",
  open: "bold cyan",
  keyword: "magenta",
  string: "green",
  number: "yellow",
  comment: "dim",
  name: "blue",
  type: "cyan",
} as const;

/** Uses only the terminal's named colours. */
export const TERMINAL: Palette = {
  styles: OWN_COLOURS,
  authors: ["blue", "green", "yellow", "magenta", "cyan", "red", "blueBright", "greenBright"],
};

/** Without colours: only bold, dim, underlined and inverse. */
export const MONO: Palette = {
  styles: {
    dim: "dim",
    link: "underline",
    heading: "bold underline",
    quote: "dim",
    spoiler: "dim",
    mentionMe: "bold inverse",
    bad: "bold",
    unread: "bold",
    own: "bold",
    selected: "inverse",
    open: "bold",
    comment: "dim",
  },
  authors: [""],
};

/** The colours of a theme by meaning; `soft` is for lines and hints. */
interface Colours {
  text: string;
  soft: string;
  accent: string;
  link: string;
  code: string;
  good: string;
  warn: string;
  bad: string;
  keyword: string;
  name: string;
  /** Background of the open channel. */
  open: string;
  /** Background of code blocks. */
  shade: string;
  authors: readonly string[];
}

const made = (c: Colours, over: Palette["styles"] = {}): Palette => ({
  styles: {
    dim: c.soft,
    accent: c.accent,
    link: `${c.link} underline`,
    code: c.code,
    codeBlock: `on ${c.shade}`,
    heading: "bold underline",
    quote: c.soft,
    spoiler: c.soft,
    mention: c.accent,
    mentionMe: `bold ${c.open} on ${c.warn}`,
    good: c.good,
    warn: c.warn,
    bad: `bold ${c.bad}`,
    unread: c.bad,
    own: `bold ${c.accent}`,
    selected: "inverse",
    open: `bold ${c.text} on ${c.open}`,
    keyword: c.keyword,
    string: c.good,
    number: c.warn,
    comment: c.soft,
    name: c.name,
    type: c.accent,
    ...over,
  },
  authors: c.authors,
});

const CONTRAST: Colours = {
  text: "#ffffff",
  soft: "#d0d0d0",
  accent: "#00ffff",
  link: "#9fd0ff",
  code: "#ffff5f",
  good: "#5fff87",
  warn: "#ffd700",
  bad: "#ff9f9f",
  keyword: "#ffafff",
  name: "#9fd0ff",
  open: "#000080",
  shade: "#1c1c1c",
  authors: ["#ffffff", "#00ffff", "#ffff5f", "#ffafff", "#5fff87", "#9fd0ff", "#ffbf7f", "#ff9f9f"],
};

const CONTRAST_LIGHT: Colours = {
  text: "#000000",
  soft: "#303030",
  accent: "#00429d",
  link: "#0000c0",
  code: "#5f3700",
  good: "#005f00",
  warn: "#6b4400",
  bad: "#a00000",
  keyword: "#6a0080",
  name: "#0000c0",
  open: "#ffef9f",
  shade: "#f0f0f0",
  authors: ["#000000", "#00429d", "#6b4400", "#6a0080", "#005f00", "#0000c0", "#7a2f00", "#a00000"],
};

/** Blue against orange, and light against dark: no meaning depends on telling red from green. */
const RED_GREEN: Colours = {
  text: "#ffffff",
  soft: "#8f98a8",
  accent: "#56b4e9",
  link: "#7cc4f5",
  code: "#f0e442",
  good: "#56b4e9",
  warn: "#f0e442",
  bad: "#ff9f1c",
  keyword: "#cc9fe0",
  name: "#7cc4f5",
  open: "#1f3a5f",
  shade: "#1b2430",
  authors: ["#56b4e9", "#f0e442", "#e69f00", "#cfd8e3", "#9ac7ff", "#ffd08a", "#b8a9ff", "#a7b4c4"],
};

const RED_GREEN_LIGHT: Colours = {
  text: "#000000",
  soft: "#5c6470",
  accent: "#005a9c",
  link: "#00509d",
  code: "#6b4e00",
  good: "#005a9c",
  warn: "#8a5a00",
  bad: "#b34700",
  keyword: "#5b3a8e",
  name: "#00509d",
  open: "#cfe4f7",
  shade: "#eef3f8",
  authors: ["#005a9c", "#8a5a00", "#b34700", "#30363d", "#2b6cb0", "#7a4a00", "#5b3a8e", "#4a5568"],
};

/** Red against teal: no meaning depends on telling blue from yellow. */
const BLUE_YELLOW: Colours = {
  text: "#ffffff",
  soft: "#98989f",
  accent: "#4fd1c5",
  link: "#66e0d5",
  code: "#ffb3c1",
  good: "#4fd1c5",
  warn: "#ff9eb5",
  bad: "#ff4f5e",
  keyword: "#ff9eb5",
  name: "#66e0d5",
  open: "#4a1d2a",
  shade: "#261c20",
  authors: ["#4fd1c5", "#ff7a8a", "#e2e2e6", "#9be8df", "#ffb3c1", "#c0c0c8", "#2fb5a8", "#ff5d6c"],
};

const DUSK: Colours = {
  text: "#eceff4",
  soft: "#7b88a1",
  accent: "#88c0d0",
  link: "#81a1c1",
  code: "#ebcb8b",
  good: "#a3be8c",
  warn: "#ebcb8b",
  bad: "#d3777f",
  keyword: "#b48ead",
  name: "#81a1c1",
  open: "#3b4252",
  shade: "#343b49",
  authors: ["#81a1c1", "#a3be8c", "#ebcb8b", "#b48ead", "#88c0d0", "#d3777f", "#8fbcbb", "#d08770"],
};

const PAPER: Colours = {
  text: "#3c3836",
  soft: "#8a7f70",
  accent: "#076678",
  link: "#076678",
  code: "#8f5902",
  good: "#5f7a0e",
  warn: "#9a6206",
  bad: "#9d0006",
  keyword: "#8f3f71",
  name: "#076678",
  open: "#ebdbb2",
  shade: "#f5ebc8",
  authors: ["#076678", "#5f7a0e", "#9a6206", "#8f3f71", "#427b58", "#9d0006", "#3f6f8f", "#af3a03"],
};

/** By theme name; with 16 or no colours {@link TERMINAL} and {@link MONO} are used instead. */
export const PALETTES: Readonly<Record<BuiltIn, Palette>> = {
  dark: {
    styles: { ...OWN_COLOURS, code: "#e0af68", codeBlock: "on #1e2330", open: "bold cyan on #24304a" },
    authors: ["#7aa2f7", "#9ece6a", "#e0af68", "#bb9af7", "#7dcfff", "#f7768e", "#73daca", "#ff9e64"],
  },
  light: {
    styles: {
      ...OWN_COLOURS,
      code: "#8f5e15",
      codeBlock: "on #eef2f6",
      mentionMe: "black on yellow",
      open: "bold #0f5e7a on #d8e6f0",
    },
    authors: ["#2e5cb8", "#3b7a1e", "#8f5e15", "#7847bd", "#0f6e8c", "#b3304c", "#1c7a68", "#a5500f"],
  },
  terminal: TERMINAL,
  contrast: made(CONTRAST, { selected: "bold #000000 on #ffff5f", mentionMe: "bold #000000 on #ffd700" }),
  "contrast-light": made(CONTRAST_LIGHT, {
    selected: "bold #ffffff on #000000",
    mentionMe: "bold #ffffff on #a00000",
  }),
  "red-green": made(RED_GREEN, { mentionMe: "bold #000000 on #f0e442" }),
  "red-green-light": made(RED_GREEN_LIGHT, { mentionMe: "bold #ffffff on #b34700" }),
  "blue-yellow": made(BLUE_YELLOW, { mentionMe: "bold #000000 on #4fd1c5" }),
  dusk: made(DUSK),
  paper: made(PAPER, { mentionMe: "bold #fbf1c7 on #9a6206" }),
};
