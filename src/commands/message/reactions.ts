/** Lists the reactions to a message. */
import type { Filter } from "../../wire/entities/query.ts";
import type { Reaction } from "../../wire/entities/message.ts";
import { QUERY_REACTIONS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { command, rowOf } from "../base/define-command.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List the reactions to a message, newest first",
  changes: "nothing",
  chatAlias: "reactions",
  examples: ["message reactions ana-7f3c", "message reactions ana-7f3c --type like --all --jq .user_id"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    type: { kind: "text", help: "Only this reaction" },
    user: { kind: "user", help: "Only reactions of this user" },
  },
  async *run(call): AsyncIterable<Reaction> {
    const { message: id, type, user } = call.args;
    const filter: Filter = {
      ...(type === undefined ? {} : { type }),
      ...(user === undefined ? {} : { user_id: user }),
    };
    yield* byCursor(call.page, QUERY_REACTIONS_LIMIT[1], itemName("reactions"), async (pageQuery, once) => {
      const reply = await call.core.call("queryReactions", {
        path: { id },
        body: { filter, ...pageQuery },
        ...once,
      });
      return { items: reply.reactions, next: reply.next };
    });
  },
  show: (reaction) =>
    rowOf(reaction, {
      reaction: "type",
      user: { field: "user_id", cell: reaction.user?.name ?? reaction.user_id },
      score: "score",
      time: "created_at",
    }),
});
