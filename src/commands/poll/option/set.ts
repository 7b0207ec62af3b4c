/** Changes the text of a poll option; its votes stay. */
import { command, idView } from "../../base/define-command.ts";
import { CUSTOM, readPairs } from "../../base/custom-fields.ts";
import { POLL, optionOf, pollOf } from "../find-poll.ts";

export default command({
  summary: "Change the text of a poll option",
  changes: "provider",
  aliases: ["update"],
  examples: ["poll option set ana-7f3c 2 Green salad", "poll option set ana-7f3c Soup Hot soup"],
  args: {
    poll: POLL,
    option: { kind: "text", positional: true, help: "The option: its number, text or id" },
    text: { kind: "words", positional: "rest", help: "The new text" },
    custom: CUSTOM,
  },
  async run(call) {
    const { args } = call;
    const poll = await pollOf(call, args.poll);
    const { text: _before, ...option } = optionOf(poll, args.option);
    const reply = await call.core.call("updatePollOption", {
      path: { poll_id: poll.id },
      body: { ...option, ...readPairs(args.custom, "--custom"), text: args.text },
    });
    return reply.poll_option;
  },
  show: (option) => idView(option),
});
