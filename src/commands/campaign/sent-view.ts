/** Shows the results of a campaign sent from this machine. */
import { CommandError, fieldsView, type View } from "../base/define-command.ts";
import { namedIds } from "../../text/words.ts";
import type { MessagesSent } from "./flow/send-messages.ts";

export const sentView = ({
  campaign,
  receivers,
  sent,
  failed,
  left_out: left,
  waiting,
  seconds,
}: MessagesSent): View =>
  fieldsView({
    campaign,
    receivers,
    sent,
    failed: failed.length,
    ...(left.length > 0 ? { "left out": left.length } : {}),
    waiting,
    seconds,
  });

export function sentError({ campaign, failed, waiting, receivers }: MessagesSent): CommandError | undefined {
  if (failed.length === 0) return undefined;
  const reason = [...new Set(failed.map(({ reason }) => reason))].slice(0, 3).join("; ");
  const notTried = waiting > 0 ? `, and ${waiting} were not tried` : "";
  return new CommandError(
    "partial",
    `Campaign ${campaign} failed for ${namedIds(
      failed.map(({ user }) => user),
      `of ${receivers}`,
      `of ${receivers}`,
    )} (${reason})${notTried}.`,
    "The same command again sends it to those who are left.",
  );
}
