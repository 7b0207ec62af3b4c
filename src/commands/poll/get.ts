/** Gets one poll. */
import { command } from "../base/define-command.ts";
import { pollOf } from "./find.ts";
import { pollFields } from "./show.ts";

export default command({
  summary: "Get one poll with its options",
  examples: ["poll get ana-7f3c"],
  args: {
    poll: {
      kind: "text",
      place: "positional",
      means: "poll",
      help: "The poll, or the message that carries it",
    },
  },
  run: (call) => pollOf(call, call.args.poll),
  show: pollFields,
});
