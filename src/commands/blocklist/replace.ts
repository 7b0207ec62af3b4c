/** Replaces all words of a blocklist. */
import { CommandError, command } from "../base/define-command.ts";
import { describeList, readWords, WORD_ARGS } from "./words.ts";

export default command({
  summary: "Replace all words of a blocklist",
  changes: "provider",
  examples: [
    "blocklist replace sweet sugar honey",
    "blocklist replace rude --file words.txt",
    "parley blocklist get rude --csv | parley blocklist replace polite --file - --yes",
  ],
  aliases: ["update"],
  args: {
    blocklist: { kind: "text", value: "name", positional: true, help: "The blocklist" },
    ...WORD_ARGS,
  },
  needs: "secret",
  confirm: ({ blocklist, words, file }) =>
    words.length === 0 && file === undefined
      ? undefined
      : { level: "moderate", question: `Replace all words of blocklist ${blocklist}?` },
  async run(call) {
    const { args, core } = call;
    const words = await readWords(call, args);
    if (words.length === 0 && args.file === undefined)
      throw new CommandError(
        "usage",
        "No words are given.",
        `Give words or --file; parley blocklist set ${args.blocklist} --add WORD adds one.`,
      );
    // Rather the end of a broken pipe than a wish to have no words.
    if (words.length === 0)
      throw new CommandError(
        "rejected",
        "There are no words in the input.",
        `parley blocklist delete ${args.blocklist} removes the list.`,
      );
    return (await core.call("updateBlocklist", { path: { name: args.blocklist }, body: { words } }))
      .blocklist;
  },
  show: describeList,
});
