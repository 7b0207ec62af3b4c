/** Lists the members of a channel. */
import { byCursor } from "../base/cursor.ts";
import type { Member } from "../../wire/channel.ts";
import { QUERY_MEMBERS_LIMIT } from "../../wire/constants.ts";
import { readFilter } from "../base/filter.ts";
import { command, rowView } from "../base/define-command.ts";
import { cidOf } from "../base/place.ts";

export default command({
  summary: "List the members of a channel",
  examples: [
    "member list -c messaging:ops",
    "member list -c messaging:ops --all --json=user_id,channel_role",
  ],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
    name: { kind: "text", help: "Only members whose name begins with this" },
    role: { kind: "text", value: "role", help: "Only members with this channel role" },
    banned: { kind: "flag", help: "Only banned members" },
    invite: {
      kind: "choice",
      choices: ["pending", "accepted", "rejected"],
      help: "Only invited members with this answer",
    },
  },
  async *run(call): AsyncIterable<Member> {
    const { core, page, args } = call;
    const cid = await cidOf(call, args.channel);
    const filter = {
      ...(args.filter ? readFilter(args.filter) : {}),
      ...(args.name === undefined ? {} : { name: { $autocomplete: args.name } }),
      ...(args.role === undefined ? {} : { channel_role: args.role }),
      ...(args.banned ? { banned: true } : {}),
      ...(args.invite === undefined ? {} : { invite: args.invite }),
    };
    yield* byCursor(page, QUERY_MEMBERS_LIMIT[1], core.members(cid, { filter }).page);
  },
  show: (member) =>
    rowView(
      {
        user: member.user_id,
        name: member.user?.name,
        role: member.channel_role,
        online: member.user?.online ? "online" : "",
        since: member.created_at,
      },
      {
        user: "user_id",
        name: "user.name",
        role: "channel_role",
        online: "user.online",
        since: "created_at",
      },
    ),
});
