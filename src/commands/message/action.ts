/** Presses a button of a message, such as send, shuffle or cancel of a command's preview. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Press a button under a message",
  changes: "provider",
  examples: ["message action mira-7f3c send", "message action mira-7f3c shuffle"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    value: {
      kind: "text",
      value: "value",
      positional: true,
      help: "The button: send, shuffle, cancel or whatever the message offers",
    },
    name: { kind: "text", value: "name", default: "image_action", help: "Name of the button's field" },
  },
  async run({ args, core, currentChannel }) {
    const { message: id, name, value } = args;
    // With `act`, the open channel shows the result at once.
    const message = await core.act({ id, cid: currentChannel ?? "" }, { name, value });
    return message ?? { id, gone: true };
  },
});
