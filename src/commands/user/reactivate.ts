/** Reactivates users, optionally with their messages and channels (specification/users.md §5). */
import { CommandError, command } from "../base/define-command.ts";
import { nameOrCount } from "../base/bulk/bulk.ts";
import { userNow } from "../base/bulk/left-state.ts";
import { changeUsers, userIds, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Reactivate users",
  changes: "provider",
  examples: ["user reactivate bo", "user reactivate bo --messages --name Bo"],
  args: {
    ...USERS_ARGS,
    messages: { kind: "flag", help: "Restore the messages the deactivation deleted" },
    channels: { kind: "flag", help: "Restore the channels the deactivation deleted" },
    name: { kind: "text", help: "A new name (for one user)" },
    by: { kind: "user", actingUser: true, help: "On whose behalf (default: you)" },
  },
  needs: "secret",
  async *run(call) {
    const { messages, channels, by, name, users, file } = call.args;
    const options = {
      ...(messages ? { restore_messages: true } : {}),
      ...(channels ? { restore_channels: true } : {}),
      ...(by ? { created_by_id: by } : {}),
    };
    if (name !== undefined && (file !== undefined || new Set(userIds(users)).size !== 1))
      throw new CommandError("usage", "--name is for one user.");
    const send = async (user_ids: string[]): Promise<{ task_id?: string }> => {
      if (name === undefined) return call.core.call("reactivateUsers", { body: { ...options, user_ids } });
      await call.core.call("reactivateUser", { path: { id: user_ids[0]! }, body: { ...options, name } });
      return {};
    };
    const isDone = async (id: string): Promise<boolean> => {
      const user = await userNow(call.core, id);
      return user !== undefined && !user.deactivated_at;
    };
    for await (const { ids, reply } of changeUsers(call, { send, isDone, result: "reactivated" }))
      yield { ...reply, users: ids };
  },
  show: ({ users }) => `${nameOrCount(users)} reactivated`,
});
