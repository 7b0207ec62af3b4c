/** The keys of the box, and of the completions over it. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const readline: KeyMap = {
  left: "left",
  right: "right",
  up: "up",
  down: "down",
  home: "lineStart",
  end: "lineEnd",
  "C-home": "textStart",
  "C-end": "textEnd",
  "C-left": "wordLeft",
  "C-right": "wordRight",
  "A-left": "wordLeft",
  "A-right": "wordRight",
  "C-a": "lineStart",
  "C-e": "lineEnd",
  "C-b": "left",
  "A-b": "wordLeft",
  "A-f": "wordRight",
  "A-d": "deleteWordRight",
  "C-d": "deleteRight",
  "C-w": "deleteWordLeft",
  "C-u": "killToStart",
  "C-y": "yank",
  "C-_": "undo",
  "A-_": "redo",
  backspace: "deleteLeft",
  delete: "deleteRight",
  "A-backspace": "deleteWordLeft",
  "C-backspace": "deleteWordLeft",
  "C-delete": "deleteWordRight",
  "C-up": "historyPrevious",
  "C-down": "historyNext",
  pageup: "pageUp",
  pagedown: "pageDown",
  "A-l": "dismissPreviews",
  "A-g": "sendLater",
};

const common: KeyMap = {
  ...readline,
  enter: "send",
  "C-j": "newline",
  "A-enter": "newline",
  "S-enter": "newline",
  tab: "complete",
  "C-g": "externalEditor",
  "A-c": "alsoChannel",
  "A-x": "takeOff",
  "A-u": "retryUpload",
};

export const writeKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: common,
  vim: common,
  emacs: {
    ...readline,
    enter: "send",
    "C-j": "newline",
    "A-enter": "newline",
    "S-enter": "newline",
    tab: "complete",
    "A-c": "alsoChannel",
    "C-f": "right",
    "C-p": "up",
    "C-n": "down",
    "C-k": "killToEnd",
    "C-v": "pageDown",
    "A-v": "pageUp",
    "A-<": "textStart",
    "A->": "textEnd",
    "C-o": "externalEditor",
    // M-x is the palette.
    "C-x x": "takeOff",
    "C-x r": "retryUpload",
  },
};

const completion: KeyMap = {
  tab: "completeAccept",
  enter: "completeEnter",
  down: "completeNext",
  up: "completePrevious",
  "C-n": "completeNext",
  "C-p": "completePrevious",
  "S-tab": "completePrevious",
  esc: "escape",
};

export const completeKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: completion,
  vim: completion,
  emacs: completion,
};
