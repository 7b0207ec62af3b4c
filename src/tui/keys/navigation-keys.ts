/** The keys that move through lists, the same in all of them. */
import type { KeyMap, KeyProfile } from "./lookup.ts";

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
export const navigationKeys: Readonly<Record<KeyProfile, KeyMap>> = {
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

/** In lists below a line of text, where letters are typed. */
export const textNavigationKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: named,
  vim: { ...named, ...control },
  emacs: { ...named, ...emacs },
};
