/** Arguments of `parley config …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const ONE_SETTING = {
  key: { kind: "text", place: "positional", help: "The setting" },
} as const satisfies Args;

export const SET_ARGS = {
  ...ONE_SETTING,
  value: { kind: "words", place: "positional", help: "The value" },
} as const satisfies Args;
