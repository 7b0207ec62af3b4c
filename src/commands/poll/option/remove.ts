/** Removes an option with its votes (V-10). */
import { command } from "../../base/define-command.ts";
import { POLL, optionOf, pollOf } from "../find-poll.ts";

export default command({
  summary: "Remove a poll option and its votes",
  changes: "provider",
  examples: ["poll option remove ana-7f3c Salad", "poll option remove ana-7f3c 2 --yes"],
  aliases: ["rm"],
  args: {
    poll: POLL,
    option: { kind: "words", positional: "rest", help: "The option: its number, text or id" },
  },
  confirm: (args) => ({ level: "mild", question: `Remove option '${args.option}' with its votes?` }),
  async run(call) {
    const poll = await pollOf(call, call.args.poll);
    const { id, text } = optionOf(poll, call.args.option);
    await call.core.call("deletePollOption", { path: { poll_id: poll.id, option_id: id }, query: {} });
    return { id, text, removed: true };
  },
  show: ({ text }) => `${text} removed`,
});
