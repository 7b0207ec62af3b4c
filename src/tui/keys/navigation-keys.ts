/** The keys that move through lists and edit the line above one, the same in all of them. */
import type { KeyMap, FullProfile } from "./lookup.ts";

const named: KeyMap = { down: "lineDown", up: "lineUp", pagedown: "pageDown", pageup: "pageUp" };

const letters: KeyMap = {
  ...named,
  j: "lineDown",
  k: "lineUp",
  home: "firstLine",
  end: "lastLine",
  G: "lastLine",
  "C-d": "halfPageDown",
  "C-u": "halfPageUp",
};

const control: KeyMap = { "C-n": "lineDown", "C-p": "lineUp" };
const emacs: KeyMap = { ...control, "C-v": "pageDown", "A-v": "pageUp" };

/** In lists where letters are keys. */
export const navigationKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: { ...letters, g: "firstLine" },
  vim: { ...letters, "g g": "firstLine", "C-f": "pageDown", "C-b": "pageUp" },
  emacs: {
    ...letters,
    n: "lineDown",
    p: "lineUp",
    ...emacs,
    "A-<": "firstLine",
    "A->": "lastLine",
    g: "firstLine",
  },
};

const lineKeys: KeyMap = {
  esc: "escape",
  left: "left",
  right: "right",
  home: "lineStart",
  end: "lineEnd",
  "C-left": "wordLeft",
  "C-right": "wordRight",
  "A-left": "wordLeft",
  "A-right": "wordRight",
  "A-b": "wordLeft",
  "A-f": "wordRight",
  "C-a": "lineStart",
  "C-e": "lineEnd",
  "C-b": "left",
  backspace: "deleteLeft",
  delete: "deleteRight",
  "C-d": "deleteRight",
  "C-w": "deleteWordLeft",
  "A-backspace": "deleteWordLeft",
  "C-backspace": "deleteWordLeft",
  "A-d": "deleteWordRight",
  "C-u": "killToStart",
  "C-y": "yank",
  "C-c": "clear",
};

/** In lists below a line of text, where letters are typed. */
export const textNavigationKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: named,
  vim: { ...named, ...control },
  emacs: { ...named, ...emacs },
};

/** In a panel with such a line, which they also edit. */
export const panelLineKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: { ...textNavigationKeys.default, ...lineKeys },
  vim: { ...textNavigationKeys.vim, ...lineKeys },
  emacs: { ...textNavigationKeys.emacs, ...lineKeys, "C-f": "right", "C-k": "killToEnd" },
};
