/** Lists people who have opted out of campaigns. */
import { command, rowOf } from "../../base/define-command.ts";
import type { OptOut } from "../receipts/campaign-folder.ts";

export default command({
  summary: "List people who have opted out of campaigns",
  changes: "nothing",
  examples: ["campaign optout list", "campaign optout list --jq .id"],
  aliases: ["ls"],
  shellOnly: "works on files",
  async *run(call): AsyncIterable<OptOut> {
    const { readOptOuts } = await import("../receipts/campaign-folder.ts");
    yield* readOptOuts(call.machine);
  },
  show: (person) => rowOf(person, { user: "id", since: "since", reason: "reason" }),
});
