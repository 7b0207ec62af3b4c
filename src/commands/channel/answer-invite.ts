/** Shared by `channel accept` and `channel reject`. */
import { withConflicts } from "../base/conflicts.ts";
import type { Args, Call } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export const ANSWER_ARGS = {
  channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
  say: { kind: "text", help: "Say this in the channel as well" },
} as const satisfies Args;

/** The error for somebody who is not invited. */
const noInvite = (cid: string): { message: string; hint: string } => ({
  message: `There is no open invite to ${cid} for you.`,
  hint: `parley member list -c ${cid} shows who is in it.`,
});

export async function answerInvite(
  call: Call<typeof ANSWER_ARGS>,
  answer: { accept_invite: true } | { reject_invite: true },
) {
  const { channel: named, say } = call.args;
  const cid = await cidOf(call, named);
  const notInvited = (): ReturnType<typeof noInvite> => noInvite(cid);
  const request = call.core.call("updateChannel", {
    path: pathOf(cid),
    body: { ...answer, ...(say !== undefined && { message: { text: say } }) },
  });
  const { channel } = await withConflicts(request, { accept_invite: notInvited, reject_invite: notInvited });
  return channel;
}
