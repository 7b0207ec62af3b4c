/** Lists messages of a channel: the newest ones, or those in a time range. */
import type { Message } from "../../wire/entities/message.ts";
import { QUERY_MESSAGES_LIMIT, REACTIONS_LIMIT } from "../../wire/constants.ts";
import { byItem } from "../base/lists/cursor.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { isWithin, newest, pagesForward } from "../base/lists/paginate.ts";
import { EPOCH } from "../../wire/time.ts";

export default command({
  summary: "List messages of a channel, oldest first",
  changes: "nothing",
  examples: [
    "message list -c messaging:ops --limit 100",
    "message list -c '#ops' --since 2h --ndjson",
    "message list -c @ana --all --json",
  ],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    since: { kind: "time", help: "Only from this time on" },
    until: { kind: "time", help: "Only up to this time" },
    user: { kind: "user", help: "Only messages by this user" },
    pinned: { kind: "flag", help: "Only pinned messages, last pinned first" },
  },
  async *run(call): AsyncIterable<Message> {
    const { args, core, page } = call;
    const { user, since, until } = args;
    const byUser = user === undefined ? undefined : (message: Message) => message.user.id === user;
    const path = pathOf(await cidOf(call, args.channel));
    if (args.pinned) {
      yield* byItem<Message>(page, {
        maxPageSize: REACTIONS_LIMIT[1],
        fetch: async ({ limit, after }) => {
          const query = { limit, ...(after === undefined ? {} : { id_lt: after }) };
          return (await core.call("getPinnedMessages", { path, query })).messages;
        },
        cursorOf: ({ id }) => id,
        ...((byUser ?? since ?? until) !== undefined && {
          matches: (message) => isWithin(message, since, until) && (byUser?.(message) ?? true),
        }),
      });
      return;
    }
    // Checked first: queryChannel would create a missing channel.
    await core.call("getChannel", { path, query: { state: false } });
    const fetch = async (messages: object): Promise<Message[]> =>
      (await core.call("queryChannel", { path, body: { state: true, watch: false, messages } })).messages;
    const ranged = since !== undefined || until !== undefined || page.limit === Infinity;
    yield* ranged
      ? pagesForward(fetch, page, QUERY_MESSAGES_LIMIT[1], { since: since ?? EPOCH, until }, byUser)
      : newest(fetch, page, QUERY_MESSAGES_LIMIT[1], byUser);
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
