/** Deletes messages: softly, permanently, or only for the current user. */
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command } from "../base/define-command.ts";
import { changeEach, MESSAGES, describeNames } from "../base/bulk/names.ts";

export default command({
  summary: "Delete messages",
  changes: "provider",
  chatAlias: "delete",
  examples: [
    "message delete ana-7f3c",
    "message delete --for-me ana-7f3c",
    "parley message list -c '#ops' --user bot --all --ndjson | parley message delete --file - --yes",
  ],
  args: {
    messages: {
      kind: "list",
      positional: true,
      optional: true,
      defaultMessage: "mine",
      help: "The messages",
    },
    ...BULK_ARGS,
    hard: { kind: "flag", help: "Delete permanently, without a trace" },
    forMe: { kind: "flag", help: "Delete it only for you" },
  },
  confirm: (args) => ({
    level: args.hard ? "moderate" : "mild",
    question: `Delete ${args.messages.length === 1 ? "message " : ""}${describeNames(args.messages, args, "messages")}${args.hard ? " permanently" : ""}?`,
  }),
  async *run(call) {
    const { hard, forMe, messages } = call.args;
    if (hard && forMe) throw new CommandError("usage", "--hard and --for-me cannot be combined.");
    const query = { ...(hard ? { hard: true } : {}), ...(forMe ? { delete_for_me: true } : {}) };
    yield* changeEach(call, {
      kind: MESSAGES,
      names: messages,
      send: async (id) => (await call.core.call("deleteMessage", { path: { id }, query })).message,
      result: "deleted",
      gone: true,
    });
  },
  show: (message) => `${message.id} deleted`,
});
