/** The keys of popups. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  esc: "escape",
  "C-c": "escape",
  "C-g": "escape",
  enter: "popupAccept",
  down: "popupDown",
  up: "popupUp",
  tab: "popupDown",
  "S-tab": "popupUp",
  "C-n": "popupDown",
  "C-p": "popupUp",
  pagedown: "popupPageDown",
  pageup: "popupPageUp",
  backspace: "popupErase",
  "C-u": "popupClear",
  "C-f": "popupFavourite",
};

export const popupKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: common,
  vim: { ...common, "C-j": "popupDown", "C-k": "popupUp" },
  emacs: common,
};
