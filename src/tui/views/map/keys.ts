/** The keys of the map in the panel. */
import type { KeyMap, KeyProfile } from "../../keys/lookup.ts";

const common: KeyMap = {
  "+": "mapIn",
  "=": "mapIn",
  "-": "mapOut",
  left: "mapLeft",
  right: "mapRight",
  up: "mapUp",
  down: "mapDown",
  h: "mapLeft",
  l: "mapRight",
  k: "mapUp",
  j: "mapDown",
  c: "mapCentre",
  a: "mapAll",
  n: "mapNext",
  o: "mapOpen",
  y: "mapCopy",
  x: "stopLocation",
  i: "write",
  "?": "help",
};

export const mapKeys: Readonly<Record<KeyProfile, KeyMap>> = {
  default: common,
  vim: common,
  emacs: { ...common, "C-b": "mapLeft", "C-f": "mapRight", "C-p": "mapUp", "C-n": "mapDown" },
};
