/** Applies guards and the opt-out list to a campaign started by its id, without a file. */
import { CommandError, type Args, type CommandCall, type ArgValues } from "../../base/define-command.ts";
import { audienceOf, isForChannels } from "../audience/missed.ts";
import { channelsOfSegments } from "../audience/targets.ts";
import { countProblem, readGuards, timeProblem } from "../file/guards.ts";
import type { GUARD_ARGS } from "../args/guards.ts";
import { namedIds } from "./findings.ts";
import { readOptOuts } from "./campaign-folder.ts";

type GuardCall = Pick<CommandCall<Args>, "core" | "signal" | "progress" | "now" | "machine">;

/** Throws `CommandError` if the start is not allowed; it is planned in `later` milliseconds. */
export async function guardById(
  call: GuardCall,
  id: string,
  flags: ArgValues<typeof GUARD_ARGS>,
  delay = 0,
): Promise<void> {
  const guards = readGuards({}, flags);
  const timeFault = timeProblem(guards, call.now() + delay);
  if (timeFault !== undefined)
    throw new CommandError("conflict", `Campaign ${id} is not sent at this time: ${timeFault}.`);
  const optedOut = new Set(readOptOuts(call.machine).map((one) => one.id));
  if (optedOut.size === 0 && guards.expect === undefined && guards.most === undefined) return;
  const { campaign } = await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
  const toChannels = isForChannels(campaign);
  const audience = toChannels ? new Set<string>() : await audienceOf(call, campaign);
  const size = toChannels ? (await channelsOfSegments(call, campaign.segments)).channels : audience.size;
  const countFault = countProblem(guards, size);
  if (countFault !== undefined)
    throw new CommandError("rejected", `Campaign ${id} is not sent: ${countFault}.`);
  const excluded = [...audience].filter((user) => optedOut.has(user));
  if (excluded.length > 0)
    throw new CommandError(
      "rejected",
      `Campaign ${id} is not sent: ${namedIds(excluded, "person in it opted out", "people in it opted out")}.`,
      "A campaign file leaves them out by itself: parley campaign new.",
    );
}
