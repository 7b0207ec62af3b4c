/** Mutes users: their messages no longer count as unread (specification/moderation.md §3). */
import { userNotFound } from "../base/user-not-found.ts";
import { CommandError, command } from "../base/define-command.ts";
import { changeUsers, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Mute users",
  changes: "provider",
  examples: ["user mute bo", "user mute bo --until 8h"],
  args: {
    ...USERS_ARGS,
    until: { kind: "time", direction: "future", measured: true, help: "When the mute ends" },
  },
  async *run(call) {
    const { until } = call.args;
    // The provider counts whole minutes; rounded up, so that the mute does not end early.
    const timeout = until === undefined ? undefined : Math.ceil(until.ms / 60_000);
    if (timeout !== undefined && timeout < 1)
      throw new CommandError("usage", "--until must be in the future.");
    const muted = changeUsers(call, {
      send: (target_ids) =>
        call.core.call("muteUser", { body: { target_ids, ...(timeout === undefined ? {} : { timeout }) } }),
      result: "muted",
      leftOut: ({ non_existing_users: unknown = [] }) =>
        unknown.map((id) => ({ id, error: userNotFound(id) })),
    });
    for await (const { reply } of muted) yield* reply.mutes ?? [];
  },
  show: (mute) => `${mute.target.id} muted${mute.expires ? ` until ${mute.expires}` : ""}`,
});
