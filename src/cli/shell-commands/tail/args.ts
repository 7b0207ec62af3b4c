/** Arguments of `parley tail`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const TAIL_ARGS = {
  channels: {
    kind: "list",
    positional: true,
    optional: true,
    help: "The channels (--all: every channel of yours)",
  },
  since: { kind: "time", help: "Start with messages from this time on" },
  last: { kind: "number", from: 0, help: "Start with this many messages per channel (10; 0 with --all)" },
  noFollow: flagRow("Stop after the existing messages"),
  events: { kind: "text", value: "types", help: "Event types to show, separated by commas; * for all" },
  typing: flagRow("Show who types"),
  threads: flagRow("Also start with the replies to those messages"),
  exec: {
    kind: "text",
    value: "command",
    help: "Run this command for each event, with the event as JSON on its standard input, instead of printing it",
  },
  untilMatch: { kind: "text", value: "regexp", help: "Exit with 0 once the text of a message matches" },
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time (with --until-match: exit 8)" },
} as const satisfies Args;
