/** Hides a channel from the user's list until its next message. */
import { command } from "../base/define-command.ts";
import { changeChannels, CHANNEL_OR_FILE, describeNames } from "../base/bulk/names.ts";
import { pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Hide a channel until its next message",
  changes: "provider",
  chatAlias: "hide",
  examples: ["channel hide messaging:ops", "channel hide '#ops' --clear-history"],
  args: {
    ...CHANNEL_OR_FILE,
    clearHistory: { kind: "flag", help: "Hide earlier messages from you as well" },
  },
  confirm: ({ channel, clearHistory, ...args }) =>
    clearHistory
      ? {
          level: "moderate",
          question: `Hide ${describeNames(channel === undefined ? [] : [channel], args, "channels")} and clear its history for you?`,
        }
      : undefined,
  run: (call) =>
    changeChannels(call, {
      async send(cid) {
        const body = { clear_history: call.args.clearHistory };
        await call.core.call("hideChannel", { path: pathOf(cid), body });
        return { channel: cid, hidden: true };
      },
      result: "hidden",
    }),
});
