/** `parley chat`: opens the chat screen, which main.ts starts. */
import type { Shell } from "../base/shell.ts";
import { command } from "../../commands/base/define-command.ts";
import { ExitError } from "../base/exit.ts";

export default command({
  shell: true,
  group: "Daily",
  summary: "Open the chat screen, as `parley` by itself does",
  examples: ["", "chat team:ops", "--as bob", "--plain", "--read-only"],
  args: {
    channel: { kind: "channel", positional: true, optional: true, help: "Open this channel first" },
    theme: {
      kind: "text",
      help: "Theme of the screen: auto, dark, light, contrast … (parley help screen)",
    },
    readOnly: {
      kind: "flag",
      help: "Only read: send, change and mark nothing, and show no typing; others still see you online",
    },
    plain: { kind: "flag", help: "Print plain lines and never redraw" },
  },
  async run(shell: Shell, { channel, readOnly }) {
    if (!shell.tty.in || !shell.tty.out)
      throw new ExitError(
        2,
        "The chat screen needs a terminal.",
        "parley tail and parley send work in a pipe.",
      );
    return shell.host.screen({ ...(channel !== undefined && { channel }), readOnly });
  },
});
