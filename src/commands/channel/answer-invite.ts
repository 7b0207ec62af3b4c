/** What `channel accept` and `channel reject` share. */
import type { Args, CommandCall } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

export const ANSWER_ARGS = {
  channel: { kind: "channel", place: "positional", here: true, help: "The channel" },
  say: { kind: "text", help: "Say this in the channel as well" },
} as const satisfies Args;

export async function answerInvite(
  call: CommandCall<typeof ANSWER_ARGS>,
  answer: { accept_invite: true } | { reject_invite: true },
) {
  const { channel: named, say } = call.args;
  const { channel } = await call.core.call("updateChannel", {
    path: pathOf(await cidOf(call, named)),
    body: { ...answer, ...(say !== undefined && { message: { text: say } }) },
  });
  return channel;
}
