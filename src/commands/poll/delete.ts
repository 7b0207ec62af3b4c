/** Deletes a poll with its votes permanently; its message stays. */
import { command } from "../base/define-command.ts";
import { POLL, pollOf } from "./find-poll.ts";

export default command({
  summary: "Delete a poll and its votes",
  changes: "provider",
  examples: ["poll delete ana-7f3c", "poll delete ana-7f3c --yes"],
  args: {
    poll: POLL,
  },
  confirm: (args) => ({ level: "moderate", question: `Delete poll ${args.poll} with all its votes?` }),
  async run(call) {
    const { id } = await pollOf(call, call.args.poll);
    await call.core.call("deletePoll", { path: { poll_id: id }, query: {} });
    return { id, deleted: true };
  },
  show: ({ id }) => `${id} deleted`,
});
