/** The keys of the list of a channel's members. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  down: "memberDown",
  up: "memberUp",
  j: "memberDown",
  k: "memberUp",
  home: "memberFirst",
  end: "memberLast",
  pagedown: "memberPageDown",
  pageup: "memberPageUp",
  "C-d": "memberPageDown",
  "C-u": "memberPageUp",
  G: "memberLast",
  enter: "memberOpen",
  o: "memberOpen",
  i: "write",
  "?": "help",
};

export const membersKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...common, g: "memberFirst" },
  vim: { ...common, "g g": "memberFirst" },
  emacs: {
    ...common,
    g: "memberFirst",
    n: "memberDown",
    p: "memberUp",
    "C-n": "memberDown",
    "C-p": "memberUp",
    "C-v": "memberPageDown",
    "A-v": "memberPageUp",
  },
};
