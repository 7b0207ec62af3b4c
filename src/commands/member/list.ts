/** Lists the members of a channel. */
import type { Core } from "../../core/core.ts";
import type { Filter } from "../../wire/entities/query.ts";
import { byOffset, withinBound } from "../base/lists/by-offset.ts";
import { afterId, byItem } from "../base/lists/cursor.ts";
import type { Member } from "../../wire/entities/channel.ts";
import { QUERY_MEMBERS_LIMIT } from "../../wire/constants.ts";
import { filterWith } from "../base/lists/filter.ts";
import { command, rowOf, type PageRequest } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { itemName } from "../../wire/reading.ts";

/** Members ordered by the time they joined. */
const membersByDate = (
  core: Core,
  page: PageRequest,
  { cid, filter, direction }: { cid: string; filter: Filter; direction: 1 | -1 },
): AsyncIterable<Member> =>
  byOffset<Member>(
    page,
    QUERY_MEMBERS_LIMIT[1],
    itemName("members"),
    async (span, bound, once) => {
      const withinDate = bound && "at" in bound ? bound : undefined;
      const { sort, filter_conditions } = withinBound({ filter, field: "created_at", direction }, bound);
      const byId = { field: "user_id", direction: 1 as const };
      const query = withinDate
        ? {
            filter_conditions: { $and: [filter, { created_at: withinDate.at }] },
            sort: [byId],
            user_id_gte: withinDate.after,
          }
        : { filter_conditions, sort: [...sort, byId] };
      return (await core.call("queryMembers", { query: { ...pathOf(cid), ...span, ...query }, ...once }))
        .members;
    },
    { dateOf: ({ created_at }) => created_at, byKey: true },
  );

export default command({
  summary: "List the members of a channel",
  changes: "nothing",
  chatAlias: "members",
  examples: [
    "member list -c messaging:ops",
    "member list -c messaging:ops --all --json=user_id,channel_role",
    "member list -c messaging:ops --sort newest --limit 5",
  ],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
    name: { kind: "text", help: "Only members whose name begins with this" },
    role: { kind: "text", value: "role", help: "Only members with this channel role" },
    banned: { kind: "flag", help: "Only banned members" },
    invite: {
      kind: "choice",
      choices: ["pending", "accepted", "rejected"],
      help: "Only invited members with this answer",
    },
    sort: {
      kind: "choice",
      choices: ["newest", "oldest"],
      help: "Sort by the time they joined (default: by id)",
    },
  },
  async *run(call): AsyncIterable<Member> {
    const { core, page, args } = call;
    const cid = await cidOf(call, args.channel);
    const filter = filterWith(args.filter, {
      ...(args.name === undefined ? {} : { name: { $autocomplete: args.name } }),
      ...(args.role === undefined ? {} : { channel_role: args.role }),
      ...(args.banned ? { banned: true } : {}),
      ...(args.invite === undefined ? {} : { invite: args.invite }),
    });
    if (args.sort !== undefined)
      yield* membersByDate(core, page, { cid, filter, direction: args.sort === "oldest" ? 1 : -1 });
    else {
      const { page: fetch } = core.members(cid, { filter });
      yield* byItem<Member>(afterId(page), {
        maxPageSize: QUERY_MEMBERS_LIMIT[1],
        fetch: async ({ limit, after }, once) =>
          (await fetch({ limit, ...(after !== undefined && { next: after }), ...once })).items,
        cursorOf: ({ user_id }) => user_id,
        compare: (a, b) => (a.user_id < b.user_id ? -1 : 1),
      });
    }
  },
  show: (member) =>
    rowOf(member, {
      user: "user_id",
      name: "user.name",
      role: "channel_role",
      online: { field: "user.online", cell: member.user?.online ? "online" : "" },
      since: "created_at",
    }),
});
