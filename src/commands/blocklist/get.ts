/** Shows the words of a blocklist. */
import { command } from "../base/define-command.ts";
import { CSV_HEAD } from "./words.ts";

export default command({
  summary: "Show the words of a blocklist",
  changes: "nothing",
  examples: ["blocklist get sweet", "blocklist get sweet --jq '.words[]'"],
  args: { blocklist: { kind: "text", value: "name", positional: true, help: "The blocklist" } },
  needs: "secret",
  run: async ({ args, core }) =>
    (await core.call("getBlocklist", { path: { name: args.blocklist } })).blocklist,
  show: (list) => ({ kind: "table", columns: [CSV_HEAD], rows: list.words.map((word) => [word]) }),
});
