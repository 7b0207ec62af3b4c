/** `parley tail`: what is said in channels, as it is said. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const TAIL_ARGS = {
  channels: {
    kind: "list",
    place: "positional",
    optional: true,
    help: "The channels; --all for every one of yours",
  },
  since: { kind: "time", help: "Begin with messages from this time on" },
  last: { kind: "number", help: "Begin with this many messages a channel (10; 0 with --all)" },
  noFollow: flag("Stop after what is there"),
  events: { kind: "text", value: "types", help: "Event types to show, with commas; * for all" },
  typing: flag("Show who types"),
  threads: flag("Begin with the replies under those messages, too"),
  exec: {
    kind: "text",
    value: "command",
    help: "Run this for each, with the event as JSON on its standard input, instead of printing it",
  },
  untilMatch: { kind: "text", value: "regexp", help: "End with 0 when a message's text matches" },
  exitAfter: { kind: "duration", value: "time", help: "End after this time (with --until-match: code 8)" },
} as const satisfies Args;

export const tail = shellCommand({
  summary: "Print what is said in channels, as it is said",
  group: "Daily",
  examples: [
    "tail messaging:ops",
    "tail --all --ndjson | jq -r .message.text",
    "tail '#ops' --until-match 'deploy done' --exit-after 10m",
    "tail '#ops' --last 0 --exec './on-message.sh'",
  ],
  args: TAIL_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
