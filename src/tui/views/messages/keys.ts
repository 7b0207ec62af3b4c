/** The keys of lists of messages while one browses them. */
import type { ActionName } from "../../keys/action-table.ts";
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  down: "browseDown",
  up: "browseUp",
  home: "browseFirst",
  end: "browseLast",
  pageup: "pageUp",
  pagedown: "pageDown",
  "[": "dayBefore",
  "]": "dayAfter",
  enter: "openMessage",
  delete: "remove",
  "?": "help",
  "/": "writeCommand",
};

const votes: KeyMap = Object.fromEntries(
  Array.from({ length: 9 }, (_, i) => [`${i + 1}`, `vote${i + 1}` as ActionName]),
);

const letters: KeyMap = {
  ...votes,
  j: "browseDown",
  k: "browseUp",
  u: "firstUnread",
  r: "reply",
  q: "quote",
  t: "thread",
  e: "edit",
  x: "drop",
  "+": "react",
  "=": "reactFirst",
  Y: "copyId",
  o: "openLink",
  v: "full",
  p: "pin",
  U: "markUnread",
  s: "save",
  R: "remind",
  m: "menu",
  ":": "jump",
  N: "previousFound",
  backspace: "jumpBack",
  i: "write",
};

export const browseKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: {
    ...common,
    ...letters,
    n: "nextFound",
    g: "browseFirst",
    G: "browseLast",
    d: "remove",
    y: "copy",
    "C-u": "halfPageUp",
    "C-d": "halfPageDown",
  },
  // Browsing is the normal mode: i and a write, Esc comes back, the doubled letters are vim's.
  vim: {
    ...common,
    ...letters,
    n: "nextFound",
    "C-o": "jumpBack",
    a: "write",
    "g g": "browseFirst",
    G: "browseLast",
    "d d": "remove",
    "y y": "copy",
    "C-u": "halfPageUp",
    "C-d": "halfPageDown",
    "C-b": "pageUp",
    "C-f": "pageDown",
    "{": "dayBefore",
    "}": "dayAfter",
    h: "sidebar",
    l: "panel",
    "Z Z": "quit",
  },
  emacs: {
    ...common,
    ...letters,
    n: "browseDown",
    // n goes down there.
    N: "nextFound",
    P: "previousFound",
    "C-n": "browseDown",
    "C-p": "browseUp",
    "C-v": "pageDown",
    "A-v": "pageUp",
    "A-<": "browseFirst",
    "A->": "browseLast",
    g: "browseFirst",
    G: "browseLast",
    d: "remove",
    y: "copy",
    "A-w": "copy",
    "C-u": "halfPageUp",
    "C-d": "halfPageDown",
  },
};
