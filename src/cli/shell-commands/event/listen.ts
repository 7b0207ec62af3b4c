/** `parley event listen`: prints every event without an end; after a reconnect no message is missing. */
import { LOCAL_EVENTS } from "../../../wire/events.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { outputForm, neverEnds } from "../../output/results.ts";
import { followEvents, fromNow } from "../tail/follow.ts";
import type { Take } from "../tail/follower.ts";
import { eventOutput } from "../tail/event-output.ts";
import type { LISTEN_ARGS } from "./args.ts";

/** What says nothing but that the connection stands. */
const OWN = new Set<string>([...LOCAL_EVENTS, "health.check"]);

/** `reaction.*` → whatever begins with `reaction.`. */
function typeTest(types: readonly string[]): (type: string) => boolean {
  if (types.length === 0) return (type) => !OWN.has(type);
  const whole = new Set(types.filter((type) => !type.endsWith("*")));
  const begins = types.filter((type) => type.endsWith("*")).map((type) => type.slice(0, -1));
  return (type) => !OWN.has(type) && (whole.has(type) || begins.some((begin) => type.startsWith(begin)));
}

/** Lines of JSON unless another form is asked for. */
function asLines(shell: Shell): Shell {
  const { flags, settings } = shell;
  if (flags.json !== undefined && flags.jq === undefined) throw neverEnds();
  if (flags.csv) throw new ExitError(2, "--csv cannot be used: events have no columns.", "Use --ndjson.");
  const form = outputForm(shell);
  const isChosen = settings.output !== "auto" || !["table", "tsv"].includes(form) || flags.table === true;
  return isChosen ? shell : { ...shell, flags: { ...flags, ndjson: "" } };
}

const listen: ShellRun<typeof LISTEN_ARGS> = (shell, { types, channel, exec, exitAfter }) => {
  const fits = typeTest(types);
  const { take, enough } = eventOutput(asLines(shell), { exec });
  // Messages that were missed in a break come as well; they may not be wanted.
  const wanted: Take = async (event, where) => (fits(event.type) ? take(event, where) : undefined);
  const options = {
    ...fromNow(channel === undefined ? [] : [channel], exitAfter),
    shows: ({ type }: { type: string }, alone: boolean) => fits(type) && !(alone && channel !== undefined),
  };
  return followEvents(shell, "event listen", options, { take: wanted, enough });
};
export default listen;
