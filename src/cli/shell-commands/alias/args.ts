/** Arguments of `parley alias …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const SET_ALIAS_ARGS = {
  name: { kind: "text", positional: true, help: "Name of the alias" },
  line: {
    kind: "words",
    positional: "rest",
    help: "The command line without parley; $1, $2 … are its arguments",
  },
} as const satisfies Args;

export const NAMED_ALIAS = {
  name: { kind: "text", positional: true, help: "Name of the alias" },
} as const satisfies Args;
