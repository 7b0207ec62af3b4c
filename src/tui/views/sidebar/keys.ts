/** The keys of the sidebar. */
import type { KeyMap, FullProfile } from "../../keys/lookup.ts";
import { navigationKeys } from "../../keys/navigation-keys.ts";

const common: KeyMap = {
  enter: "sidebarOpen",
  space: "fold",
  left: "fold",
  right: "sidebarOpen",
  "/": "sidebarFilter",
  u: "unreadOnly",
  backspace: "filterErase",
  "C-u": "filterClear",
  J: "channelDown",
  K: "channelUp",
  s: "section",
  m: "sidebarMenu",
  "?": "help",
};

export const sidebarKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: { ...navigationKeys.default, ...common },
  vim: { ...navigationKeys.vim, ...common, "z a": "fold", l: "sidebarOpen" },
  emacs: { ...navigationKeys.emacs, ...common },
};
