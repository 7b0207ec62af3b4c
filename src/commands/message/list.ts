/** Lists messages of a channel: the newest ones, or those in a time range. */
import type { PageCall } from "../../model/page-size.ts";
import type { Message } from "../../wire/entities/message.ts";
import { QUERY_MESSAGES_LIMIT } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { isWithin, newest, pagesForward } from "../base/lists/paginate.ts";
import { listPins } from "./pinned.ts";
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
    const cid = await cidOf(call, args.channel);
    const path = pathOf(cid);
    if (args.pinned) {
      const isNarrowed = (byUser ?? since ?? until) !== undefined;
      const matches = (message: Message): boolean =>
        isWithin(message, since, until) && (byUser?.(message) ?? true);
      yield* listPins(core, cid, page, isNarrowed ? matches : undefined);
      return;
    }
    // Checked first: queryChannel would create a missing channel.
    await lookUpChannel(core, cid);
    const fetch = async (messages: object, once: PageCall): Promise<Message[]> =>
      (await core.call("queryChannel", { path, body: { state: true, watch: false, messages }, ...once }))
        .messages;
    const ranged = since !== undefined || until !== undefined || page.limit === Infinity;
    yield* ranged
      ? pagesForward(fetch, page, QUERY_MESSAGES_LIMIT[1], { since: since ?? EPOCH, until }, byUser)
      : newest(fetch, page, QUERY_MESSAGES_LIMIT[1], byUser);
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
