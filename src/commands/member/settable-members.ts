/** How `set --file` reads and writes members of a channel: a page in a request. */
import type { Core } from "../../core/core.ts";
import { SETTABLE_OF_MEMBERS } from "../../wire/bodies/channels.ts";
import { QUERY_MEMBERS_LIMIT } from "../../wire/constants.ts";
import { builtInFields } from "../../wire/custom.ts";
import type { Member } from "../../wire/entities/channel.ts";
import { isUserId } from "../../wire/ids.ts";
import { askForRights, oneByOne, type Settable } from "../base/bulk/set-from-file.ts";
import type { PartialChange } from "../base/bulk/changed-fields.ts";
import { pathOf } from "../base/resolve-channel.ts";

/** A role in the channel gives rights: the app alone may change it, as by `member role`. */
const ROLE = "channel_role";

/** Whether a field, or `name=value`, is the role. */
export const isRoleField = (field: string): boolean => field.split("=", 1)[0] === ROLE;

const changesRole = ({ set = {}, unset = [] }: PartialChange): boolean =>
  [...Object.keys(set), ...unset].some(isRoleField);

export function settableMembers(core: Pick<Core, "call">, cid: string): Settable<Member> {
  const path = pathOf(cid);
  return {
    noun: "member",
    form: {
      ids: ["user_id", "id", "user"],
      known: ["user_id", ROLE],
      texts: [ROLE],
      readId: (text) => (isUserId(text) ? text : undefined),
    },
    isSettable: (name) => !builtInFields("member").has(name) || SETTABLE_OF_MEMBERS.has(name),
    ...askForRights([ROLE]),
    pageSize: QUERY_MEMBERS_LIMIT[1],
    async now(ids) {
      const query = { ...path, filter_conditions: { id: { $in: ids } }, limit: ids.length };
      const { members } = await core.call("queryMembers", { query });
      return new Map(members.map((member) => [member.user_id, member]));
    },
    ...oneByOne(async (user_id, body) => {
      const as = changesRole(body) ? { server: true as const } : {};
      const reply = await core.call("updateMemberPartial", { path: { ...path, user_id }, body, ...as });
      return reply.channel_member;
    }),
  };
}
