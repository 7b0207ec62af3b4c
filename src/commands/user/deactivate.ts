/** Deactivates users: they cannot connect and are not listed until reactivated (specification/users.md §5). */
import { command } from "../base/define-command.ts";
import { nameOrCount } from "../base/bulk/bulk.ts";
import { userNow } from "../base/bulk/left-state.ts";
import { changeUsers, USERS_ARGS, describeNames } from "../base/bulk/names.ts";

export default command({
  summary: "Deactivate users; they cannot sign in until reactivated",
  changes: "provider",
  examples: ["user deactivate bo", "user deactivate bo cy --messages"],
  args: {
    ...USERS_ARGS,
    messages: { kind: "flag", help: "Also soft-delete their messages" },
    channels: { kind: "flag", help: "Also soft-delete the channels they created" },
    by: { kind: "user", actingUser: true, help: "On whose behalf (default: you)" },
  },
  needs: "secret",
  confirm: (args) => ({ level: "mild", question: `Deactivate ${describeNames(args.users, args)}?` }),
  async *run(call) {
    const { messages, channels, by } = call.args;
    const options = {
      ...(messages ? { mark_messages_deleted: true } : {}),
      ...(channels ? { mark_channels_deleted: true } : {}),
      ...(by ? { created_by_id: by } : {}),
    };
    for await (const { ids, reply } of changeUsers(call, {
      send: (user_ids) => call.core.call("deactivateUsers", { body: { ...options, user_ids } }),
      isDone: async (id) => Boolean((await userNow(call.core, id))?.deactivated_at),
      result: "deactivated",
    }))
      yield { task_id: reply.task_id, users: ids };
  },
  show: ({ users }) => `${nameOrCount(users)} deactivated`,
});
