/** Lists the blocklists of the app. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "List the blocklists",
  examples: ["blocklist list"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run({ core }) {
    yield* (await core.call("listBlocklists")).blocklists;
  },
  show: (list) => ({
    kind: "table",
    columns: ["blocklist", "type", "words", "changed"],
    rows: [[list.name, list.type, list.words.length, list.updated_at]],
  }),
});
