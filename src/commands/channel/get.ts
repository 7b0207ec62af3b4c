/** Gets one channel with its current state. */
import { command, fieldsView } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { unreadOf } from "./list.ts";

export default command({
  summary: "Get one channel",
  changes: "nothing",
  examples: ["channel get messaging:ops", "channel get '#ops' --jq .member_count"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async run(call) {
    const cid = await cidOf(call, call.args.channel);
    const state = await lookUpChannel(call.core, cid, { state: true, message_limit: 1 });
    // As in a list, with what only the state has beside it.
    return { ...state.channel, ...state, unread: unreadOf(state, call.core.userId) };
  },
  show: ({ channel, unread, membership, watcher_count }) =>
    fieldsView({
      channel: channel.cid,
      name: channel.name,
      members: channel.member_count,
      watching: watcher_count,
      unread,
      "your role": membership?.channel_role,
      created: channel.created_at,
      "last message": channel.last_message_at,
      frozen: channel.frozen || undefined,
      "slow mode": channel.cooldown ? `${channel.cooldown} s` : undefined,
    }),
});
