/** Arguments of `parley event listen`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { TAIL_ARGS } from "../tail/args.ts";

export const LISTEN_ARGS = {
  types: {
    kind: "list",
    positional: true,
    optional: true,
    help: "Only these types; reaction.* matches all that begin with it",
  },
  channel: { kind: "channel", short: "c", help: "Only events of this channel (default: all of yours)" },
  exec: TAIL_ARGS.exec,
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;
