/** Lists the messages of a channel: the newest ones, or all from a time on. */
import type { Message } from "../../wire/message.ts";
import { QUERY_MESSAGES_LIMIT } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";
import { forward, newest } from "../base/paginate.ts";

const START = "1970-01-01T00:00:00Z";

export default command({
  summary: "List messages of a channel, oldest first",
  examples: [
    "message list -c messaging:ops --limit 100",
    "message list -c '#ops' --since 2h --ndjson",
    "message list -c @ana --all --json",
  ],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
    since: { kind: "time", help: "From this time on" },
    until: { kind: "time", help: "Up to this time" },
    user: { kind: "user", help: "Only messages of this user" },
    pinned: { kind: "flag", help: "Only pinned messages" },
  },
  async *run(call): AsyncIterable<Message> {
    const { args, core, page } = call;
    const path = pathOf(await cidOf(call, args.channel));
    if (args.pinned) {
      const reply = await core.call("getPinnedMessages", {
        path,
        query: { limit: Math.min(page.limit, 300) },
      });
      yield* reply.messages;
      return;
    }
    // Looked up first: the query that pages would create a channel that is not there.
    await core.call("getChannel", { path, query: { state: false } });
    const fetch = async (messages: object): Promise<Message[]> =>
      (await core.call("queryChannel", { path, body: { state: true, watch: false, messages } })).messages;
    const ranged = args.since !== undefined || args.until !== undefined || page.limit === Infinity;
    const all = ranged
      ? forward(fetch, { ...page, ...(args.user ? { limit: Infinity } : {}) }, QUERY_MESSAGES_LIMIT[1], {
          since: args.since ?? START,
          ...(args.until === undefined ? {} : { until: args.until }),
        })
      : newest(fetch, page, QUERY_MESSAGES_LIMIT[1]);
    let given = 0;
    for await (const message of all) {
      if (args.user !== undefined && message.user.id !== args.user) continue;
      yield message;
      // somebody's next message may be far away: the walk does not go on to look for it
      if (args.user !== undefined && ranged && ++given >= page.limit) return page.more?.(message.id);
    }
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
