/** The keys of the search. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  esc: "escape",
  enter: "searchOpen",
  down: "searchDown",
  up: "searchUp",
  pagedown: "searchPageDown",
  pageup: "searchPageUp",
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
  default: common,
  vim: { ...common, "C-n": "searchDown", "C-p": "searchUp" },
  emacs: {
    ...common,
    "C-n": "searchDown",
    "C-p": "searchUp",
    "C-v": "searchPageDown",
    "A-v": "searchPageUp",
    "C-f": "right",
    "C-k": "killToEnd",
  },
};
