/** Deletes users and their data; the long part runs as a task (specification/users.md §5). */
import { CommandError, command } from "../base/define-command.ts";
import { checkWaiting, NO_WAIT, WITHIN, waitForTask } from "../base/poll-task.ts";
import { nameOrCount } from "../base/bulk/bulk.ts";
import {
  changeUsers,
  USERS_ARGS,
  describeNames,
  confirmationHelp,
  confirmationWord,
} from "../base/bulk/names.ts";

export default command({
  summary: "Delete users",
  changes: "provider",
  examples: [
    "user delete bo",
    "user delete bo --messages pruning --conversations soft",
    "user delete bo --hard --new-owner ana --no-wait",
  ],
  aliases: ["rm"],
  args: {
    ...USERS_ARGS,
    hard: { kind: "flag", help: "Delete permanently, including their messages and direct channels" },
    prune: { kind: "flag", help: "Also empty their profile" },
    keepProfile: { kind: "flag", help: "Keep the user; delete only messages and conversations" },
    messages: {
      kind: "choice",
      choices: ["soft", "pruning", "hard"],
      help: "What happens to their messages",
    },
    conversations: {
      kind: "choice",
      choices: ["soft", "hard"],
      help: "What happens to their direct channels",
    },
    newOwner: { kind: "user", help: "New owner of their channels" },
    files: { kind: "flag", help: "Also delete the files they uploaded" },
    noWait: NO_WAIT,
    within: WITHIN,
  },
  confirmWord: {
    word: confirmationHelp("the id of the user"),
    only: "With --hard",
  },
  needs: "secret",
  confirm: (args) => ({
    level: args.hard ? "severe" : "moderate",
    question: `Delete ${args.keepProfile && !args.hard ? "data of " : ""}${describeNames(args.users, args)}${args.hard ? " permanently, with everything they wrote" : ""}?`,
    ...(args.hard ? { word: confirmationWord(args.users, args) } : {}),
  }),
  async *run(call) {
    const { hard, prune, keepProfile, messages, conversations, newOwner, files, noWait, within } = call.args;
    checkWaiting(call.args);
    if ([hard, prune, keepProfile].filter(Boolean).length > 1)
      throw new CommandError("usage", "--hard, --prune and --keep-profile cannot be combined.");
    if (keepProfile && !messages && !conversations && !files)
      throw new CommandError("usage", "--keep-profile needs --messages, --conversations or --files.");
    const options = {
      ...(keepProfile ? {} : { user: hard ? "hard" : prune ? "pruning" : "soft" }),
      ...(hard ? { messages: "hard", conversations: "hard" } : {}),
      ...(messages ? { messages } : {}),
      ...(conversations ? { conversations } : {}),
      ...(newOwner ? { new_channel_owner_id: newOwner } : {}),
      ...(files ? { files } : {}),
    } as object;
    for await (const { ids, reply } of changeUsers(call, {
      send: (user_ids) => call.core.call("deleteUsers", { body: { ...options, user_ids } }),
      result: "deleted",
      gone: !keepProfile,
    }))
      if (noWait) yield { task_id: reply.task_id, status: "waiting", users: ids };
      else {
        const { status } = await waitForTask(call, reply.task_id, { within, label: "deleting" });
        yield { task_id: reply.task_id, status, users: ids };
      }
  },
  show({ task_id, status, users }, { keepProfile }) {
    if (status === "waiting") return `${nameOrCount(users)}: task ${task_id}`;
    return keepProfile ? `data of ${nameOrCount(users)} deleted` : `${nameOrCount(users)} deleted`;
  },
});
