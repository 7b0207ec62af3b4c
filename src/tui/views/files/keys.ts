/** The keys of the file chooser, besides those of every list. */
import type { KeyMap, FullProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  enter: "filesTake",
  space: "filesMark",
  tab: "filesComplete",
  right: "filesInto",
  left: "filesAbove",
  backspace: "filesErase",
};

export const chooseFilesKeys: Readonly<Record<FullProfile, KeyMap>> = {
  default: common,
  vim: common,
  emacs: common,
};
