/** The keys of Inbox, Threads, Later and Drafts. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";
import { navigationKeys } from "../../keys/navigation-keys.ts";

const common: KeyMap = {
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
  default: { ...navigationKeys.default, ...common },
  vim: { ...navigationKeys.vim, ...common, "d d": "listClear", l: "listOpen" },
  emacs: { ...navigationKeys.emacs, ...common },
};
