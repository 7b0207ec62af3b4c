/** The keys of the search. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";
import { textNavigationKeys } from "../../keys/navigation-keys.ts";

const common: KeyMap = {
  esc: "escape",
  enter: "searchOpen",
  left: "left",
  right: "right",
  home: "lineStart",
  end: "lineEnd",
  "C-left": "wordLeft",
  "C-right": "wordRight",
  "A-left": "wordLeft",
  "A-right": "wordRight",
  "A-b": "wordLeft",
  "A-f": "wordRight",
  "C-a": "lineStart",
  "C-e": "lineEnd",
  "C-b": "left",
  backspace: "deleteLeft",
  delete: "deleteRight",
  "C-d": "deleteRight",
  "C-w": "deleteWordLeft",
  "A-backspace": "deleteWordLeft",
  "C-backspace": "deleteWordLeft",
  "A-d": "deleteWordRight",
  "C-u": "killToStart",
  "C-y": "yank",
  "C-c": "clear",
};

export const searchKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: { ...textNavigationKeys.default, ...common },
  vim: { ...textNavigationKeys.vim, ...common },
  emacs: { ...textNavigationKeys.emacs, ...common, "C-f": "right", "C-k": "killToEnd" },
};
