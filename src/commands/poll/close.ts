/** Closes or reopens a poll. */
import { command } from "../base/define-command.ts";
import { POLL, pollOf } from "./find-poll.ts";
import { pollFields } from "./poll-views.ts";

export default command({
  summary: "Close a poll",
  changes: "provider",
  examples: ["poll close ana-7f3c", "poll close ana-7f3c --reopen"],
  args: {
    poll: POLL,
    reopen: { kind: "flag", help: "Reopen it instead" },
  },
  async run(call) {
    const { id } = await pollOf(call, call.args.poll);
    const reply = await call.core.call("updatePollPartial", {
      path: { poll_id: id },
      body: { set: { is_closed: !call.args.reopen } },
    });
    return reply.poll;
  },
  show: pollFields,
});
