/** The keys of forms. */
import type { KeyMap, FullProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  esc: "escape",
  "C-c": "escape",
  "C-g": "escape",
  enter: "formEnter",
  "C-j": "formCreate",
  "A-enter": "formCreate",
  down: "formNext",
  tab: "formComplete",
  "C-n": "formNext",
  up: "formPrevious",
  "S-tab": "formPrevious",
  "C-p": "formPrevious",
  "A-up": "formOptionUp",
  "C-up": "formOptionUp",
  "A-down": "formOptionDown",
  "C-down": "formOptionDown",
  "C-k": "formOptionRemove",
  left: "formLeft",
  right: "formRight",
  home: "formStart",
  "C-a": "formStart",
  end: "formEnd",
  "C-e": "formEnd",
  backspace: "formErase",
  delete: "formDelete",
  "C-d": "formDelete",
  "C-w": "formEraseWord",
  "C-u": "formClear",
};

export const formKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: common,
  vim: common,
  emacs: { ...common, "C-b": "formLeft", "C-f": "formRight" },
};
