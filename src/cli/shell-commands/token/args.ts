/** Arguments of `parley token …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const DECODE_ARGS = {
  token: {
    kind: "text",
    place: "positional",
    optional: true,
    default: "-",
    help: "The token; - reads standard input",
  },
} as const satisfies Args;
