/** Lists the blocklists of the app. */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List blocklists",
  changes: "nothing",
  examples: ["blocklist list", "blocklist list --json=name,type"],
  aliases: ["ls"],
  needs: "secret",
  async *run({ core }) {
    yield* (await core.call("listBlocklists")).blocklists;
  },
  show: (list) =>
    rowOf(list, {
      blocklist: "name",
      type: "type",
      size: { cell: list.words.length },
      changed: "updated_at",
    }),
});
