/** Arguments of `parley user token`. */
import { DURATION } from "../../../commands/base/args.ts";
import type { Args } from "../../../commands/base/define-command.ts";

export const USER_TOKEN_ARGS = {
  user: { kind: "user", positional: true, help: "The user" },
  for: { ...DURATION, help: "How long it is valid (default: for ever)" },
} as const satisfies Args;
