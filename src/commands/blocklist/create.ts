/** Makes a blocklist. */
import { BLOCKLIST_TYPES, type BlocklistType } from "../../wire/blocklist.ts";
import { count } from "../../text/words.ts";
import { command } from "../base/define-command.ts";
import { readWords, WORD_ARGS } from "./words.ts";

export default command({
  summary: "Create a blocklist",
  examples: ["blocklist create sweet sugar honey", "blocklist create rude --file words.txt"],
  args: {
    blocklist: { kind: "text", value: "name", place: "positional", help: "Its name" },
    ...WORD_ARGS,
    type: { kind: "choice", choices: BLOCKLIST_TYPES, help: "The kind of its words" },
  },
  needs: "secret",
  async run(call) {
    const { args, core } = call;
    const words = await readWords(call, args);
    const reply = await core.call("createBlocklist", {
      body: {
        name: args.blocklist,
        words,
        ...(args.type === undefined ? {} : { type: args.type as BlocklistType }),
      },
    });
    return reply.blocklist;
  },
  show: (list) => `${list.name} created with ${count(list.words.length, "word")}`,
});
