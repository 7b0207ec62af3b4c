/** Gets one poll. */
import { command } from "../base/define-command.ts";
import { POLL, pollOf } from "./find-poll.ts";
import { pollFields } from "./poll-views.ts";

export default command({
  summary: "Get one poll with its options",
  changes: "nothing",
  examples: ["poll get ana-7f3c", "poll get ana-7f3c --jq '.options[].text'"],
  args: {
    poll: POLL,
  },
  run: (call) => pollOf(call, call.args.poll),
  show: pollFields,
});
