/** Arguments of `parley local snapshot …`. */
import type { Args } from "../../../../commands/base/define-command.ts";

export const SAVE_ARGS = {
  name: { kind: "text", positional: true, help: "Letters, digits, _ and -" },
} as const satisfies Args;

export const SNAPSHOT_NAME_ARGS = {
  name: { kind: "text", positional: true, help: "Its name" },
} as const satisfies Args;
