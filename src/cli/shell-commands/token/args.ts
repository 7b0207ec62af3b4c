/** Arguments of `parley token …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const DECODE_ARGS = {
  token: {
    kind: "text",
    positional: true,
    optional: true,
    default: "-",
    help: "The token; - reads standard input",
  },
} as const satisfies Args;
