/** The flags of `parley tail` as checked options. */
import { readChannel } from "../../../commands/base/args.ts";
import type { ArgValues, Args } from "../../../commands/base/define-command.ts";
import { readPattern } from "../../../commands/base/pattern.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import { requireKnownFields } from "../../output/fields.ts";
import { outputForm } from "../../output/results.ts";
import { readPage } from "../../run/page.ts";
import type { FollowOptions } from "./follow.ts";

export const TAIL_ARGS = {
  channels: {
    kind: "list",
    positional: true,
    optional: true,
    help: "The channels (--all: every channel of yours)",
  },
  since: { kind: "time", help: "Start with messages from this time on" },
  last: { kind: "number", from: 0, help: "Start with this many messages per channel (10; 0 with --all)" },
  noFollow: { kind: "flag", help: "Stop after the existing messages" },
  events: { kind: "text", value: "types", help: "Event types to show, separated by commas; * for all" },
  typing: { kind: "flag", help: "Show who types" },
  threads: { kind: "flag", help: "Also start with the replies to those messages" },
  exec: {
    kind: "text",
    value: "command",
    help: "Run this command for each event, with the event as JSON on its standard input, instead of printing it",
  },
  untilMatch: { kind: "text", value: "regexp", help: "Exit with 0 once the text of a message matches" },
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time (with --until-match: exit 8)" },
} as const satisfies Args;

interface TailOptions extends FollowOptions {
  match: RegExp | undefined;
  exec: string | undefined;
}

/** Throws `ExitError` 2 for flags that cannot be combined. */
export function readTailOptions(shell: Shell, args: ArgValues<typeof TAIL_ARGS>): TailOptions {
  const { flags, settings } = shell;
  const channels = args.channels.map((text) => readChannel(text, settings.channelType));
  const all = flags.all === true;
  if (flags.csv)
    throw new ExitError(
      2,
      "--csv cannot be used: events have no columns.",
      "Use --ndjson, or a pipe for TSV.",
    );
  if (channels.length === 0 && !all)
    throw new ExitError(2, "No channel was given.", "Name channels, or use --all for all of yours.");
  outputForm(shell);
  readPage(shell);
  // Custom events may have any field; the fields of messages are known.
  if (args.events === undefined) requireKnownFields(shell, "tail");
  const types = typesOf(args.events ?? "", args.typing === true);
  return {
    channels,
    all,
    follow: args.noFollow !== true,
    last: args.last ?? (all ? 0 : 10),
    since: args.since,
    threads: args.threads === true,
    match: args.untilMatch === undefined ? undefined : readPattern(args.untilMatch, "--until-match"),
    exec: args.exec,
    exitAfter: args.exitAfter,
    timeoutExit: args.untilMatch === undefined ? 0 : 8,
    shows: ({ type }, hasNoChannel) => types.has(type) || (types.has("*") && !hasNoChannel),
  };
}

const typesOf = (events: string, typing: boolean): Set<string> =>
  new Set([
    "message.new",
    ...(typing ? ["typing.start", "typing.stop"] : []),
    ...events
      .split(",")
      .map((type) => type.trim())
      .filter(Boolean),
  ]);
