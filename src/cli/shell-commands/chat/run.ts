/** `parley chat`: opens the chat screen, which main.ts starts. */
import { ExitError } from "../../base/exit.ts";
import type { CHAT_ARGS } from "./args.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const chat: ShellRun<typeof CHAT_ARGS> = async (shell, { channel, readOnly }) => {
  if (!shell.tty.in || !shell.tty.out)
    throw new ExitError(
      2,
      "The chat screen needs a terminal.",
      "parley tail and parley send work in a pipe.",
    );
  return shell.host.screen({ ...(channel !== undefined && { channel }), readOnly });
};
export default chat;
