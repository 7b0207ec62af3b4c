/** Applies the current user's votes from answers, because events of anonymous polls never name the voter (specification/polls.md §5). */
import type { Poll } from "../../wire/entities/poll.ts";
import type { ApiCall } from "../base/api-types.ts";
import type { StateMachine } from "../state/machine.ts";

const VOTES: ReadonlySet<string> = new Set(["castPollVote", "removePollVote"]);

/** The same calls; the answer to a vote updates the poll in the state. */
export function withVotes(call: ApiCall, machine: Pick<StateMachine, "apply" | "revision">): ApiCall {
  return (async (name, args) => {
    if (!VOTES.has(name)) return call(name, args);
    const since = machine.revision();
    const reply = await call(name, args);
    const { poll } = reply as { poll?: Poll };
    if (poll) machine.apply({ kind: "poll", poll, since });
    return reply;
  }) as ApiCall;
}
