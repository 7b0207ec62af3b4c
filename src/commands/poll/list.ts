/** Lists the user's polls and those in readable channels. */
import { POLLS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { filterWith } from "../base/lists/filter.ts";
import { CommandError, command } from "../base/define-command.ts";
import { pollAsRow } from "./poll-views.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List polls, newest first",
  changes: "nothing",
  chatAlias: "polls",
  examples: ["poll list --open --mine", `poll list --filter '{"allow_answers":true}' --all --json`],
  aliases: ["ls", "query"],
  args: {
    mine: { kind: "flag", help: "Only polls you created" },
    open: { kind: "flag", help: "Only open polls" },
    closed: { kind: "flag", help: "Only closed polls" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
  },
  async *run(call) {
    const { args, core } = call;
    if (args.open && args.closed) throw new CommandError("usage", "--open and --closed cannot be combined.");
    const filter = filterWith(args.filter, {
      ...(args.open || args.closed ? { is_closed: args.closed === true } : {}),
      ...(args.mine && core.userId !== undefined ? { created_by_id: core.userId } : {}),
    });
    yield* byCursor(call.page, POLLS_LIMIT[1], itemName("polls"), async (pageQuery, once) => {
      const reply = await core.call("queryPolls", { query: {}, body: { filter, ...pageQuery }, ...once });
      return { items: reply.polls, next: reply.next };
    });
  },
  show: pollAsRow,
});
