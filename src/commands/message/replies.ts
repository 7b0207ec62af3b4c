/** Lists the replies of a thread. */
import type { PageCall } from "../../model/page-size.ts";
import type { Message } from "../../wire/entities/message.ts";
import { QUERY_MESSAGES_LIMIT } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { pagesForward, newest } from "../base/lists/paginate.ts";
import { EPOCH } from "../../wire/time.ts";

export default command({
  summary: "List the replies of a thread, oldest first",
  changes: "nothing",
  chatAlias: "replies",
  examples: ["message replies ana-7f3c", "message replies ana-7f3c --all --ndjson=id,text"],
  args: { message: { kind: "message", positional: true, help: "The first message of the thread" } },
  async *run(call): AsyncIterable<Message> {
    const { core, page } = call;
    const path = { parent_id: call.args.message };
    const fetch = async (query: object, once: PageCall): Promise<Message[]> =>
      (await core.call("getReplies", { path, query, ...once })).messages;
    yield* page.limit === Infinity
      ? pagesForward(fetch, page, QUERY_MESSAGES_LIMIT[1], { since: EPOCH })
      : newest(fetch, page, QUERY_MESSAGES_LIMIT[1]);
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
