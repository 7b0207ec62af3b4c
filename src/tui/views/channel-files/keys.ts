/** The keys of the list of a channel's files. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";
import { navigationKeys } from "../../keys/navigation-keys.ts";

const common: KeyMap = {
  enter: "fileListOpen",
  o: "fileListOpen",
  O: "fileListSave",
  m: "fileListJump",
  i: "write",
  "?": "help",
};

export const channelFilesKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...navigationKeys.default, ...common },
  vim: { ...navigationKeys.vim, ...common },
  emacs: { ...navigationKeys.emacs, ...common },
};
