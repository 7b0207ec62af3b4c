/** The keys of lists of messages. */
import type { KeyMap, FullProfile } from "../../keys/lookup.ts";
import { navigationKeys } from "../../keys/navigation-keys.ts";
import { numbered } from "../../keys/numbered.ts";

const common: KeyMap = {
  "[": "dayBefore",
  "]": "dayAfter",
  enter: "openMessage",
  "?": "help",
  "/": "writeCommand",
};

const letters: KeyMap = {
  ...numbered("", (n) => `vote${n}` as const),
  u: "firstUnread",
  r: "reply",
  q: "quote",
  t: "thread",
  e: "edit",
  x: "drop",
  "+": "react",
  "=": "reactFirst",
  Y: "copyLink",
  F: "forward",
  V: "selectRange",
  w: "about",
  z: "reveal",
  T: "translate",
  "!": "flag",
  "@": "person",
  b: "playSound",
  o: "openLink",
  O: "saveFile",
  v: "full",
  p: "pin",
  P: "pins.show",
  L: "links.show",
  U: "markUnread",
  s: "save",
  R: "remind",
  m: "menu",
  f: "hints",
  ":": "jump",
  N: "previousFound",
  backspace: "jumpBack",
  i: "write",
};

/** Listed behind the letters, because hints name the first key of an action. */
const wordKeys: KeyMap = { delete: "remove" };

export const browseKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: {
    ...navigationKeys.default,
    ...common,
    ...letters,
    n: "nextFound",
    d: "remove",
    ...wordKeys,
    y: "copy",
  },
  // Browsing is vim's normal mode: i and a go to the composer, Esc comes back.
  vim: {
    ...navigationKeys.vim,
    ...common,
    ...letters,
    n: "nextFound",
    "C-o": "jumpBack",
    a: "write",
    "d d": "remove",
    ...wordKeys,
    "y y": "copy",
    "{": "dayBefore",
    "}": "dayAfter",
    h: "sidebar",
    l: "panel",
    "Z Z": "quit",
  },
  emacs: {
    ...navigationKeys.emacs,
    ...common,
    ...letters,
    n: "lineDown",
    // Here n moves down, so N goes to the next match.
    N: "nextFound",
    P: "previousFound",
    d: "remove",
    ...wordKeys,
    y: "copy",
    "A-w": "copy",
  },
};
