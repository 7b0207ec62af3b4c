/** Lists the blocklists of the app. */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List blocklists",
  examples: ["blocklist list", "blocklist list --json=name,type"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run({ core }) {
    yield* (await core.call("listBlocklists")).blocklists;
  },
  show: (list) =>
    rowView(
      { blocklist: list.name, type: list.type, words: list.words.length, changed: list.updated_at },
      { blocklist: "name", changed: "updated_at" },
    ),
});
