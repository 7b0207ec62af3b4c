/** Adds words to a blocklist and removes some. */
import { count } from "../../text/words.ts";
import { CommandError, command } from "../base/define-command.ts";
import { describeList } from "./words.ts";

export default command({
  summary: "Add words to a blocklist, or remove some",
  changes: "provider",
  examples: ["blocklist set sweet --add syrup --remove honey", "blocklist set sweet --add jam --add candy"],
  args: {
    blocklist: { kind: "text", value: "name", positional: true, help: "The blocklist" },
    add: { kind: "list", value: "word", help: "Add these words" },
    remove: { kind: "list", value: "word", help: "Remove these words" },
  },
  needs: "secret",
  confirm: ({ blocklist, remove }) =>
    remove.length === 0
      ? undefined
      : {
          level: "moderate",
          question: `Remove ${count(remove.length, "word")} from blocklist ${blocklist}?`,
        },
  async run(call) {
    const { args, core } = call;
    if (args.add.length + args.remove.length === 0)
      throw new CommandError(
        "usage",
        "Nothing to change.",
        `Give --add or --remove; parley blocklist replace ${args.blocklist} takes all its words anew.`,
      );
    const path = { name: args.blocklist };
    const { blocklist } = await core.call("getBlocklist", { path });
    const removed = new Set(args.remove.flatMap((word) => [word, word.toLowerCase()]));
    const held = new Set(blocklist.words);
    const missing = args.remove.filter((word) => !held.has(word) && !held.has(word.toLowerCase()));
    if (missing.length > 0) call.note?.(`not in ${args.blocklist}: ${missing.join(", ")}`);
    const words = [...blocklist.words.filter((word) => !removed.has(word)), ...args.add];
    return (await core.call("updateBlocklist", { path, body: { words } })).blocklist;
  },
  show: describeList,
});
