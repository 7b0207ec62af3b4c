/** Changes many members of a channel in several requests. */
import type { UpdateChannelBody } from "../../wire/endpoints/index.ts";
import type { Member } from "../../wire/entities/channel.ts";
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import type { BulkCall } from "../base/bulk/bulk.ts";
import { changeUsers, USERS_ARGS } from "../base/bulk/names.ts";
import { memberIs } from "../base/bulk/left-state.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

/** Arguments: members and their channel. */
export const MEMBERS_ARGS = {
  ...USERS_ARGS,
  channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
} as const;

/** Returns the channel after the last request. The system message `say` is posted with the first one only, also of those of an earlier run; `isDone` is how a member is left. */
export async function changeMembersInParts(
  call: BulkCall<typeof USERS_ARGS>,
  channel: string,
  result: string,
  bodyOf: (part: string[]) => UpdateChannelBody,
  { say, isDone }: { say?: string | undefined; isDone: (member: Member | undefined) => boolean },
): Promise<object> {
  const cid = await cidOf(call, channel);
  const path = pathOf(cid);
  let isPosted = say === undefined;
  const parts = changeUsers(call, {
    batchSize: MEMBERS_PER_CALL,
    result,
    isDone: memberIs(call.core, cid, isDone),
    async send(part, goesOn) {
      const message = isPosted || goesOn ? {} : { message: { text: say! } };
      const reply = await call.core.call("updateChannel", { path, body: { ...bodyOf(part), ...message } });
      isPosted = true;
      return reply;
    },
  });
  let after: object = {};
  for await (const { reply } of parts) after = reply.channel;
  return after;
}
