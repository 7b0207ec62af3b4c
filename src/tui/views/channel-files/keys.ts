/** The keys of the list of a channel's files. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  down: "fileListDown",
  up: "fileListUp",
  j: "fileListDown",
  k: "fileListUp",
  home: "fileListFirst",
  end: "fileListLast",
  pagedown: "fileListPageDown",
  pageup: "fileListPageUp",
  "C-d": "fileListPageDown",
  "C-u": "fileListPageUp",
  G: "fileListLast",
  enter: "fileListOpen",
  o: "fileListOpen",
  O: "fileListSave",
  m: "fileListJump",
  i: "write",
  "?": "help",
};

export const channelFilesKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...common, g: "fileListFirst" },
  vim: { ...common, "g g": "fileListFirst" },
  emacs: {
    ...common,
    g: "fileListFirst",
    n: "fileListDown",
    p: "fileListUp",
    "C-n": "fileListDown",
    "C-p": "fileListUp",
    "C-v": "fileListPageDown",
    "A-v": "fileListPageUp",
  },
};
