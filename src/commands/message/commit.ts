/** Commits pending messages; needs the app's secret. */
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { command, idView } from "../base/define-command.ts";
import { changeEach, MESSAGES } from "../base/bulk/names.ts";

export default command({
  summary: "Make pending messages visible to everybody",
  changes: "provider",
  examples: ["message commit ana-7f3c", "message commit ana-7f3c bo-7f3c"],
  args: {
    messages: { kind: "list", positional: true, optional: true, help: "The pending messages" },
    ...BULK_ARGS,
  },
  needs: "secret",
  run: (call) =>
    changeEach(call, {
      kind: MESSAGES,
      names: call.args.messages,
      send: async (id) => (await call.core.call("commitMessage", { path: { id }, body: {} })).message,
      result: "committed",
    }),
  show: (message) => idView(message),
});
