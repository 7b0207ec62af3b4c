/** How `set --file` reads and writes members of a channel: a page in a request. */
import type { Core } from "../../core/core.ts";
import { SETTABLE_OF_MEMBERS } from "../../wire/bodies/channels.ts";
import { QUERY_MEMBERS_LIMIT } from "../../wire/constants.ts";
import { builtInFields } from "../../wire/custom.ts";
import type { Member } from "../../wire/entities/channel.ts";
import { isUserId } from "../../wire/ids.ts";
import { askForRights, oneByOne, type Settable } from "../base/bulk/set-from-file.ts";
import { pathOf } from "../base/resolve-channel.ts";

export function settableMembers(core: Pick<Core, "call">, cid: string): Settable<Member> {
  const path = pathOf(cid);
  return {
    noun: "member",
    form: {
      ids: ["user_id", "id", "user"],
      known: ["user_id", "channel_role"],
      texts: ["channel_role"],
      readId: (text) => (isUserId(text) ? text : undefined),
    },
    isSettable: (name) => !builtInFields("member").has(name) || SETTABLE_OF_MEMBERS.has(name),
    ...askForRights(["channel_role"]),
    pageSize: QUERY_MEMBERS_LIMIT[1],
    async now(ids) {
      const query = { ...path, filter_conditions: { id: { $in: ids } }, limit: ids.length };
      const { members } = await core.call("queryMembers", { query });
      return new Map(members.map((member) => [member.user_id, member]));
    },
    ...oneByOne(async (user_id, body) => {
      const reply = await core.call("updateMemberPartial", { path: { ...path, user_id }, body });
      return reply.channel_member;
    }),
  };
}
