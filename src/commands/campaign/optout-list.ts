/** Lists the people who opted out of campaigns. */
import { command, rowView } from "../base/define-command.ts";
import type { OptOut } from "./flow/campaign-folder.ts";

export default command({
  summary: "List people who have opted out of campaigns",
  examples: ["campaign optout list", "campaign optout list --jq .id"],
  aliases: ["ls"],
  args: {},
  shellOnly: "works on files",
  async *run(call): AsyncIterable<OptOut> {
    const { readOptOuts } = await import("./flow/campaign-folder.ts");
    yield* readOptOuts(call.machine);
  },
  show: ({ id, since, reason }) => rowView({ user: id, since, reason }, { user: "id" }),
});
