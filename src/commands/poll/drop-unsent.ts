/** Deletes a poll whose message was refused for good: nothing shows it, and the next try makes a poll of its own. */
import type { Core, SendOutcome } from "../../core/core.ts";
import type { Poll } from "../../wire/entities/poll.ts";

/** A message that can still be sent again keeps its poll. That the poll stays is no reason to hide why the send failed. */
export async function dropUnsentPoll(
  core: Core,
  { id }: Poll,
  outcome: SendOutcome & { state: "failed" },
): Promise<void> {
  if (outcome.gone) await core.call("deletePoll", { path: { poll_id: id }, query: {} }).catch(() => {});
}
