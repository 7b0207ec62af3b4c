/** Adds an option to a poll: allowed for its creator, and for voters if suggestions are on (V-9). */
import { command, idView } from "../../base/define-command.ts";
import { CUSTOM, readPairs } from "../../base/custom-fields.ts";
import { POLL, pollOf } from "../find-poll.ts";

export default command({
  summary: "Add an option to a poll",
  changes: "provider",
  examples: ["poll option add ana-7f3c Salad", "poll option add ana-7f3c Green salad --custom price=4"],
  args: {
    poll: POLL,
    text: { kind: "words", positional: "rest", help: "The option" },
    custom: CUSTOM,
  },
  async run(call) {
    const { args } = call;
    const { id } = await pollOf(call, args.poll);
    const reply = await call.core.call("createPollOption", {
      path: { poll_id: id },
      body: { ...readPairs(args.custom, "--custom"), text: args.text },
    });
    return reply.poll_option;
  },
  show: (option) => idView(option),
});
