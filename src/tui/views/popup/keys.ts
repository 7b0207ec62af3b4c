/** The keys of popups. */
import type { KeyMap, FullProfile } from "../../keys/lookup.ts";
import { textNavigationKeys } from "../../keys/navigation-keys.ts";

const common: KeyMap = {
  esc: "escape",
  "C-c": "escape",
  "C-g": "escape",
  enter: "popupAccept",
  tab: "lineDown",
  "S-tab": "lineUp",
  "C-n": "lineDown",
  "C-p": "lineUp",
  home: "firstLine",
  end: "lastLine",
  backspace: "popupErase",
  "C-u": "popupClear",
  "C-f": "popupFavourite",
};

export const popupKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: { ...textNavigationKeys.default, ...common },
  vim: { ...textNavigationKeys.vim, ...common, "C-j": "lineDown", "C-k": "lineUp" },
  emacs: { ...textNavigationKeys.emacs, ...common },
};
