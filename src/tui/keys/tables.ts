/** The key tables: three full profiles from chords to actions, looked up by context (specification/screen.md §4). */
import { ACTIONS, actionRow } from "./action-table.ts";
import type { ActionName, Where } from "./action-table.ts";

/** A screen action, or a command line to run as if it had been typed. */
export type Binding = ActionName | `/${string}`;
/** Chord (`C-k`), or two with a blank between them (`g g`), to what it does. */
type KeyMap = Readonly<Record<string, Binding>>;
export type KeyTable = Readonly<Record<Where, KeyMap>>;
export type KeyProfile = "default" | "vim" | "emacs";

/** Terminals cannot tell these from Tab, Enter, Backspace and Esc, or keep them for themselves (specification/screen.md §4). */
export const FORBIDDEN = ["C-i", "C-m", "C-h", "C-[", "C-s", "C-q"] as const;

const pinned: KeyMap = Object.fromEntries(
  Array.from({ length: 9 }, (_, i) => [`A-${i + 1}`, `pinned${i + 1}` as ActionName]),
);

const popup: KeyMap = {
  esc: "escape",
  "C-c": "escape",
  "C-g": "escape",
  enter: "popupAccept",
  down: "popupDown",
  up: "popupUp",
  tab: "popupDown",
  "S-tab": "popupUp",
  "C-n": "popupDown",
  "C-p": "popupUp",
  pagedown: "popupPageDown",
  pageup: "popupPageUp",
  backspace: "popupErase",
  "C-u": "popupClear",
};

const complete: KeyMap = {
  tab: "completeAccept",
  enter: "completeAccept",
  down: "completeNext",
  up: "completePrevious",
  "C-n": "completeNext",
  "C-p": "completePrevious",
  "S-tab": "completePrevious",
  esc: "escape",
};

const readline: KeyMap = {
  left: "left",
  right: "right",
  up: "up",
  down: "down",
  home: "lineStart",
  end: "lineEnd",
  "C-home": "textStart",
  "C-end": "textEnd",
  "C-left": "wordLeft",
  "C-right": "wordRight",
  "A-left": "wordLeft",
  "A-right": "wordRight",
  "C-a": "lineStart",
  "C-e": "lineEnd",
  "C-b": "left",
  "A-b": "wordLeft",
  "A-f": "wordRight",
  "A-d": "deleteWordRight",
  "C-d": "deleteRight",
  "C-w": "deleteWordLeft",
  "C-u": "killToStart",
  "C-y": "yank",
  "C-_": "undo",
  "A-_": "redo",
  backspace: "deleteLeft",
  delete: "deleteRight",
  "A-backspace": "deleteWordLeft",
  "C-backspace": "deleteWordLeft",
  "C-delete": "deleteWordRight",
  "C-up": "historyPrevious",
  "C-down": "historyNext",
  pageup: "pageUp",
  pagedown: "pageDown",
};

const writeCommon: KeyMap = {
  ...readline,
  enter: "send",
  "C-j": "newline",
  "A-enter": "newline",
  "S-enter": "newline",
  tab: "complete",
  "C-g": "externalEditor",
  "A-c": "alsoChannel",
};

const globalCommon: KeyMap = {
  esc: "escape",
  tab: "nextPane",
  "S-tab": "previousPane",
  "C-k": "goto",
  "C-p": "palette",
  f1: "help",
  "A-a": "nextUnread",
  "C-n": "nextUnread",
  "A-s": "lastChannel",
  "A-up": "previousChannel",
  "A-down": "nextChannel",
  "C-t": "panel",
  "C-\\": "sidebar",
  "C-l": "redraw",
  "C-c": "clear",
  "C-z": "suspend",
  ...pinned,
};

const browseCommon: KeyMap = {
  down: "browseDown",
  up: "browseUp",
  home: "browseFirst",
  end: "browseLast",
  pageup: "pageUp",
  pagedown: "pageDown",
  "[": "dayBefore",
  "]": "dayAfter",
  enter: "thread",
  delete: "remove",
  "?": "help",
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
  m: "menu",
  ":": "jump",
  i: "write",
};

const sidebarCommon: KeyMap = {
  down: "sidebarDown",
  up: "sidebarUp",
  j: "sidebarDown",
  k: "sidebarUp",
  home: "sidebarFirst",
  end: "sidebarLast",
  enter: "sidebarOpen",
  space: "fold",
  left: "fold",
  right: "sidebarOpen",
  "?": "help",
};

export const KEY_TABLES: Readonly<Record<KeyProfile, KeyTable>> = {
  default: {
    global: globalCommon,
    write: writeCommon,
    complete,
    browse: {
      ...browseCommon,
      ...letters,
      g: "browseFirst",
      G: "browseLast",
      d: "remove",
      y: "copy",
      "C-u": "halfPageUp",
      "C-d": "halfPageDown",
    },
    sidebar: { ...sidebarCommon, g: "sidebarFirst", G: "sidebarLast" },
    popup,
  },
  // Browsing is the normal mode: i and a write, Esc comes back, the doubled letters are vim's.
  vim: {
    global: globalCommon,
    write: writeCommon,
    complete,
    browse: {
      ...browseCommon,
      ...letters,
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
    sidebar: { ...sidebarCommon, "g g": "sidebarFirst", G: "sidebarLast", "z a": "fold", l: "sidebarOpen" },
    popup: { ...popup, "C-j": "popupDown", "C-k": "popupUp" },
  },
  // C-n, C-p and C-k belong to the text; going to channels moves to C-x, the palette to M-x.
  emacs: {
    global: {
      ...pinned,
      esc: "escape",
      "C-g": "escape",
      tab: "nextPane",
      "S-tab": "previousPane",
      "C-x b": "goto",
      "C-x o": "nextPane",
      "C-x k": "lastChannel",
      "C-x C-c": "quit",
      "C-x 1": "panel",
      "C-x d": "details",
      "A-x": "palette",
      f1: "help",
      "A-a": "nextUnread",
      "A-s": "lastChannel",
      "A-up": "previousChannel",
      "A-down": "nextChannel",
      "A-p": "previousChannel",
      "A-n": "nextChannel",
      "C-t": "panel",
      "C-\\": "sidebar",
      "C-l": "redraw",
      "C-c": "clear",
      "C-z": "suspend",
    },
    write: {
      ...readline,
      enter: "send",
      "C-j": "newline",
      "A-enter": "newline",
      "S-enter": "newline",
      tab: "complete",
      "A-c": "alsoChannel",
      "C-f": "right",
      "C-p": "up",
      "C-n": "down",
      "C-k": "killToEnd",
      "C-v": "pageDown",
      "A-v": "pageUp",
      "A-<": "textStart",
      "A->": "textEnd",
      "C-o": "externalEditor",
    },
    complete,
    browse: {
      ...browseCommon,
      ...letters,
      n: "browseDown",
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
    sidebar: {
      ...sidebarCommon,
      "C-n": "sidebarDown",
      "C-p": "sidebarUp",
      "A-<": "sidebarFirst",
      "A->": "sidebarLast",
      g: "sidebarFirst",
      G: "sidebarLast",
    },
    popup,
  },
};

type Lookup =
  | { kind: "binding"; binding: Binding }
  /** The first chord of a binding of two. */
  | { kind: "prefix" }
  | { kind: "none" };

/** What a chord does: the first of these contexts that knows it wins. */
export function lookup(table: KeyTable, contexts: readonly Where[], chord: string, pending?: string): Lookup {
  const sought = pending === undefined ? chord : `${pending} ${chord}`;
  for (const context of contexts) {
    const map = table[context];
    const binding = map[sought];
    if (binding !== undefined) return { kind: "binding", binding };
    if (pending === undefined && Object.keys(map).some((keys) => keys.startsWith(`${chord} `)))
      return { kind: "prefix" };
  }
  return { kind: "none" };
}

/** The chords of a context that do this, as they stand in the table; the first is the one to show. */
export function chordsFor(table: KeyTable, action: ActionName, contexts?: readonly Where[]): string[] {
  const wheres: readonly Where[] = contexts ?? actionRow(action).where;
  const found: string[] = [];
  for (const where of new Set<Where>([...wheres, "global"]))
    for (const [chord, binding] of Object.entries(table[where]))
      if (binding === action && !found.includes(chord)) found.push(chord);
  return found;
}

/** All that the palette offers in these contexts. */
export function paletteActions(contexts: readonly Where[]): ActionName[] {
  return (Object.keys(ACTIONS) as ActionName[]).filter((name) => {
    const row = actionRow(name);
    return !row.keyOnly && row.where.some((where) => contexts.includes(where));
  });
}
