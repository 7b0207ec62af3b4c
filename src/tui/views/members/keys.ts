/** The keys of the list of a channel's members. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";
import { navigationKeys } from "../../keys/navigation-keys.ts";

const common: KeyMap = {
  enter: "memberOpen",
  o: "memberOpen",
  i: "write",
  "?": "help",
};

export const membersKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...navigationKeys.default, ...common },
  vim: { ...navigationKeys.vim, ...common },
  emacs: { ...navigationKeys.emacs, ...common },
};
