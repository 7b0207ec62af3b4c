/** Makes pending messages normal ones; only servers may. */
import { command } from "../base/define-command.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Make pending messages visible to everybody",
  examples: ["message commit ana-7f3c", "message commit ana-7f3c bo-7f3c"],
  args: { messages: { kind: "list", place: "positional", help: "The pending messages" } },
  needs: "secret",
  async *run(call) {
    const several = new Several();
    for (const id of call.args.messages) {
      const reply = await several.try(id, () => call.core.call("commitMessage", { path: { id }, body: {} }));
      if (reply) yield reply.message;
    }
    several.end();
  },
  show: (message) => message.id,
});
