/** Arguments of `parley config …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const ONE_SETTING = {
  key: { kind: "text", positional: true, help: "The setting" },
} as const satisfies Args;

export const SET_ARGS = {
  ...ONE_SETTING,
  value: { kind: "words", positional: true, help: "The value" },
} as const satisfies Args;
