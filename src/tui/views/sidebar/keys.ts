/** The keys of the sidebar. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
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
  "/": "sidebarFilter",
  backspace: "filterErase",
  "C-u": "filterClear",
  J: "channelDown",
  K: "channelUp",
  s: "section",
  m: "sidebarMenu",
  "?": "help",
};

export const sidebarKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...common, g: "sidebarFirst", G: "sidebarLast" },
  vim: { ...common, "g g": "sidebarFirst", G: "sidebarLast", "z a": "fold", l: "sidebarOpen" },
  emacs: {
    ...common,
    "C-n": "sidebarDown",
    "C-p": "sidebarUp",
    "A-<": "sidebarFirst",
    "A->": "sidebarLast",
    g: "sidebarFirst",
    G: "sidebarLast",
  },
};
