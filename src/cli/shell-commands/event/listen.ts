/** `parley event listen`: prints events until stopped; no message is lost during a reconnect. */
import { TAIL_ARGS } from "../tail/options.ts";
import { command } from "../../../commands/base/define-command.ts";
import { LOCAL_EVENTS } from "../../../wire/events.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import { outputForm, endlessOutput } from "../../output/results.ts";
import { followEvents, fromNow } from "../tail/follow.ts";
import type { HandleEvent } from "../tail/follower.ts";
import { eventOutput } from "../tail/event-output.ts";

/** Events about the connection itself, which are not printed. */
const CONNECTION_EVENTS = new Set<string>([...LOCAL_EVENTS, "health.check"]);

/** `reaction.*` matches every type that begins with `reaction.`. */
function typeTest(types: readonly string[]): (type: string) => boolean {
  const unprinted = types.find((type) => CONNECTION_EVENTS.has(type));
  if (unprinted !== undefined)
    throw new ExitError(2, `${unprinted} is about the connection, and such events are not printed.`);
  if (types.length === 0) return (type) => !CONNECTION_EVENTS.has(type);
  const exact = new Set(types.filter((type) => !type.endsWith("*")));
  const prefixes = types.filter((type) => type.endsWith("*")).map((type) => type.slice(0, -1));
  return (type) =>
    !CONNECTION_EVENTS.has(type) && (exact.has(type) || prefixes.some((prefix) => type.startsWith(prefix)));
}

/** Defaults to one line of JSON per event. */
function asJsonLines(unchecked: Shell): Shell {
  const shell = endlessOutput(unchecked);
  const { flags, settings } = shell;
  if (flags.csv) throw new ExitError(2, "--csv cannot be used: events have no columns.", "Use --ndjson.");
  const form = outputForm(shell);
  const isChosen = settings.output !== "auto" || !["table", "tsv"].includes(form) || flags.table === true;
  return isChosen ? shell : { ...shell, flags: { ...flags, ndjson: "" } };
}

export default command({
  shell: true,
  summary: "Print live events, one line of JSON each",
  examples: [
    "event listen",
    "event listen message.new 'reaction.*' -c '#ops' --jq .type",
    "event listen 'poll.*' --exit-after 1h",
  ],
  allowsDryRun: true,
  args: {
    types: {
      kind: "list",
      positional: true,
      optional: true,
      help: "Only these types; reaction.* matches all that begin with it",
    },
    channel: { kind: "channel", short: "c", help: "Only events of this channel (default: all of yours)" },
    exec: TAIL_ARGS.exec,
    exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
  },
  run(shell: Shell, { types, channel, exec, exitAfter }) {
    const isSelected = typeTest(types);
    const { handle, done } = eventOutput(asJsonLines(shell), { exec });
    // After a reconnect the missed messages are delivered even if their type was not requested.
    const handleFitting: HandleEvent = async (event, ...context) =>
      isSelected(event.type) ? handle(event, ...context) : undefined;
    const options = {
      ...fromNow(channel === undefined ? [] : [channel], exitAfter),
      shows: ({ type }: { type: string }, hasNoChannel: boolean) =>
        isSelected(type) && !(hasNoChannel && channel !== undefined),
    };
    return followEvents(shell, "event listen", options, { handle: handleFitting, done });
  },
});
