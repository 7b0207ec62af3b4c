/** Gets one channel with its current state. */
import { briefFields } from "../app/setting-changes.ts";
import { command, fieldsView } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { SERVER } from "../base/server-flag.ts";
import { unreadOf } from "./list.ts";
import { overridesOf } from "./overrides.ts";

export default command({
  summary: "Get one channel",
  changes: "nothing",
  examples: [
    "channel get messaging:ops",
    "channel get '#ops' --jq .member_count",
    "channel get messaging:ops --server",
  ],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    server: { ...SERVER, help: "Ask as the app, with its secret: shows what the channel overrides, too" },
  },
  asApp: (args) => args.server,
  async run(call) {
    const { core } = call;
    const cid = await cidOf(call, call.args.channel);
    const state = await lookUpChannel(core, cid, { state: true, message_limit: 1 });
    // As in a list, with what only the state has beside it.
    return {
      ...state.channel,
      ...state,
      unread: unreadOf(state, core.userId),
      // Only the app may read the type.
      ...(core.userId === undefined && {
        config_overrides: await overridesOf(core, cid, state.channel.config),
      }),
    };
  },
  show: ({ channel, unread, membership, watcher_count, config_overrides: overrides }) =>
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
      ...(overrides && { overrides: overridesLine(overrides) }),
    }),
});

const overridesLine = (overrides: object): string =>
  Object.entries(briefFields(overrides))
    .map(([name, value]) => `${name}=${value}`)
    .join(" ") || "none";
