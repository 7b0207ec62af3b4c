/** Lists the read state of each member of a channel. */
import type { Read } from "../../wire/entities/channel.ts";
import { command, rowOf } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { cidOf } from "../base/resolve-channel.ts";

export default command({
  summary: "List how far the members of a channel have read",
  changes: "nothing",
  examples: [
    "channel read-state messaging:ops",
    "channel read-state messaging:ops --json=user,unread_messages",
  ],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async *run(call): AsyncIterable<Read> {
    const cid = await cidOf(call, call.args.channel);
    const { read } = await lookUpChannel(call.core, cid, { state: true, message_limit: 1, member_limit: 1 });
    yield* read;
  },
  show: (read) =>
    rowOf(read, {
      user: "user.id",
      unread: "unread_messages",
      "last read": "last_read",
      "up to": "last_read_message_id",
      delivered: "last_delivered_message_id",
    }),
});
