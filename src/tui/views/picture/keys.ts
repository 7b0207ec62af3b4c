/** The keys of the picture in the panel. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  right: "pictureNext",
  left: "picturePrevious",
  down: "pictureNext",
  up: "picturePrevious",
  j: "pictureNext",
  k: "picturePrevious",
  pagedown: "pictureNext",
  pageup: "picturePrevious",
  l: "pictureNext",
  h: "picturePrevious",
  o: "pictureOpen",
  O: "pictureSave",
  enter: "pictureJump",
  m: "pictureJump",
  v: "pictureMessage",
  i: "write",
  "?": "help",
};

export const pictureKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: common,
  vim: common,
  emacs: {
    ...common,
    n: "pictureNext",
    p: "picturePrevious",
    "C-n": "pictureNext",
    "C-p": "picturePrevious",
  },
};
