/** Changes the text of a message. */
import { CommandError, command } from "../base/define-command.ts";
import { textOf } from "../base/text.ts";

export default command({
  summary: "Edit the text of a message",
  changes: "provider",
  examples: [
    "message edit ana-7f3c the release is at eleven",
    'echo "the release is at noon" | parley message edit ana-7f3c -',
  ],
  args: {
    message: { kind: "message", positional: true, defaultMessage: "mine", help: "The message" },
    text: { kind: "words", positional: "rest", help: "The new text, or - for standard input" },
  },
  async run(call) {
    const text = await textOf(call, call.args.text);
    if (text.trim() === "")
      throw new CommandError("usage", "The new text is empty.", "parley message delete <message>");
    const reply = await call.core.call("updateMessagePartial", {
      path: { id: call.args.message },
      body: { set: { text } },
    });
    return reply.message;
  },
});
