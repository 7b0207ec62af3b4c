/** Creates a blocklist. */
import { BLOCKLIST_TYPES, type BlocklistType } from "../../wire/entities/blocklist.ts";
import { count } from "../../text/words.ts";
import { unlessTaken } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { readWords, WORD_ARGS } from "./words.ts";

export default command({
  summary: "Create a blocklist",
  changes: "provider",
  examples: ["blocklist create sweet sugar honey", "blocklist create rude --file words.txt"],
  args: {
    blocklist: { kind: "text", value: "name", positional: true, help: "Its name" },
    ...WORD_ARGS,
    type: { kind: "choice", choices: BLOCKLIST_TYPES, help: "The kind of its words" },
  },
  needs: "secret",
  async run(call) {
    const { args, core } = call;
    const words = await readWords(call, args);
    const request = core.call("createBlocklist", {
      body: {
        name: args.blocklist,
        words,
        ...(args.type === undefined ? {} : { type: args.type as BlocklistType }),
      },
    });
    const findExisting = (): Promise<unknown> =>
      core.call("getBlocklist", { path: { name: args.blocklist } });
    const message = `Blocklist ${args.blocklist} already exists.`;
    return (await unlessTaken(request, findExisting, { message, hint: "parley blocklist set changes it." }))
      .blocklist;
  },
  show: (list) => `${list.name} created with ${count(list.words.length, "word")}`,
});
