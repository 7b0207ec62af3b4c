/** Hides a channel from the user's list until its next message. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Hide a channel until its next message",
  changes: "provider",
  chatAlias: "hide",
  examples: ["channel hide messaging:ops", "channel hide '#ops' --clear-history"],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    clearHistory: { kind: "flag", help: "Hide earlier messages from you as well" },
  },
  confirm: ({ channel, clearHistory }) =>
    clearHistory
      ? { level: "moderate", question: `Hide ${channel} and clear its history for you?` }
      : undefined,
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    await call.core.call("hideChannel", { path, body: { clear_history: call.args.clearHistory } });
    return { channel: `${path.type}:${path.id}`, hidden: true };
  },
});
