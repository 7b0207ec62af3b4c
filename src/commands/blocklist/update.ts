/** Replaces the words of a blocklist, or adds and removes some. */
import { count } from "../../text/words.ts";
import { CommandError, command } from "../base/define-command.ts";
import { readWords, WORD_ARGS } from "./words.ts";

export default command({
  summary: "Change the words of a blocklist",
  changes: "provider",
  examples: [
    "blocklist update sweet sugar honey",
    "blocklist update sweet --add syrup --remove honey",
    "blocklist update rude --file words.txt",
  ],
  args: {
    blocklist: { kind: "text", value: "name", positional: true, help: "The blocklist" },
    ...WORD_ARGS,
    add: { kind: "list", value: "word", help: "Add these words" },
    remove: { kind: "list", value: "word", help: "Remove these words" },
  },
  needs: "secret",
  confirm: ({ blocklist, words, file, remove }) =>
    words.length === 0 && file === undefined && remove.length === 0
      ? undefined
      : {
          level: "moderate",
          question:
            remove.length > 0
              ? `Remove ${count(remove.length, "word")} from blocklist ${blocklist}?`
              : `Replace all words of blocklist ${blocklist}?`,
        },
  async run(call) {
    const { args, core } = call;
    const path = { name: args.blocklist };
    const newWords = await readWords(call, args);
    const isPartial = args.add.length + args.remove.length > 0;
    if (isPartial && newWords.length > 0)
      throw new CommandError("usage", "New words and --add or --remove cannot be combined.");
    if (!isPartial && newWords.length === 0 && args.file === undefined)
      throw new CommandError("usage", "Nothing to change.", "Give words, --file, --add or --remove.");
    // Rather the end of a broken pipe than a wish to have no words.
    if (!isPartial && newWords.length === 0)
      throw new CommandError(
        "rejected",
        "There are no words in the input.",
        `parley blocklist delete ${args.blocklist} removes the list.`,
      );
    let words = newWords;
    if (isPartial) {
      const removed = new Set(args.remove.flatMap((word) => [word, word.toLowerCase()]));
      const { blocklist } = await core.call("getBlocklist", { path });
      words = [...blocklist.words.filter((word) => !removed.has(word)), ...args.add];
      const held = new Set(blocklist.words);
      const missing = args.remove.filter((word) => !held.has(word) && !held.has(word.toLowerCase()));
      if (missing.length > 0) call.note?.(`not in ${args.blocklist}: ${missing.join(", ")}`);
    }
    return (await core.call("updateBlocklist", { path, body: { words } })).blocklist;
  },
  show: (list) => `${list.name} has ${count(list.words.length, "word")}`,
});
