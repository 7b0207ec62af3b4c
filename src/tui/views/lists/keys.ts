/** The keys of Inbox, Threads, Later and Drafts. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  down: "listDown",
  up: "listUp",
  j: "listDown",
  k: "listUp",
  home: "listFirst",
  end: "listLast",
  pagedown: "listPageDown",
  pageup: "listPageUp",
  enter: "listOpen",
  right: "listOpen",
  r: "listReply",
  x: "listClear",
  delete: "listClear",
  A: "listAllRead",
  R: "remind",
  i: "write",
  "/": "writeCommand",
  "?": "help",
};

export const listKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...common, g: "listFirst", G: "listLast", "C-d": "listPageDown", "C-u": "listPageUp" },
  vim: {
    ...common,
    "g g": "listFirst",
    G: "listLast",
    "C-f": "listPageDown",
    "C-b": "listPageUp",
    "C-d": "listPageDown",
    "C-u": "listPageUp",
    "d d": "listClear",
    l: "listOpen",
  },
  emacs: {
    ...common,
    n: "listDown",
    "C-n": "listDown",
    "C-p": "listUp",
    "C-v": "listPageDown",
    "A-v": "listPageUp",
    "A-<": "listFirst",
    "A->": "listLast",
    g: "listFirst",
    G: "listLast",
  },
};
