/** The keys of a campaign in the panel. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  s: "campaignStop",
  r: "campaignResume",
  l: "campaigns",
  i: "write",
  "?": "help",
};

export const campaignKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: common,
  vim: common,
  emacs: common,
};
