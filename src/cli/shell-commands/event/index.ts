/** `parley event listen`: everything the live connection brings, for programs. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";
import { TAIL_ARGS } from "../tail/index.ts";

export const LISTEN_ARGS = {
  types: {
    kind: "list",
    place: "positional",
    optional: true,
    help: "Only these types; reaction.* matches all that begin with it",
  },
  channel: { kind: "channel", short: "c", help: "Only events of this channel (default: all of yours)" },
  exec: TAIL_ARGS.exec,
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;

export const eventCommands: Readonly<Record<string, ShellCommand>> = {
  "event listen": shellCommand({
    summary: "Print live events, one line of JSON each",
    group: "Scripts",
    examples: [
      "event listen",
      "event listen message.new 'reaction.*' -c '#ops' --jq .type",
      "event listen 'poll.*' --exit-after 1h",
    ],
    args: LISTEN_ARGS,
    dry: true,
    load: () => import("./listen.ts"),
  }),
};
