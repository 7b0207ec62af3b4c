/** Makes pending messages normal ones; only servers may. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Make pending messages visible to everybody",
  examples: ["message commit ana-7f3c"],
  args: { messages: { kind: "list", place: "positional", help: "The pending messages" } },
  needs: "secret",
  async *run(call) {
    for (const id of call.args.messages)
      yield (await call.core.call("commitMessage", { path: { id }, body: {} })).message;
  },
  show: (message) => message.id,
});
