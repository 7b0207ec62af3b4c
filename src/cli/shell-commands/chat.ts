/** `parley chat`: hands over to the screen, which main.ts brings. */
import { ExitError } from "../base/exit.ts";
import type { OwnRun } from "./kit.ts";

const chat: OwnRun = async (shell, values) => {
  if (!shell.tty.in || !shell.tty.out)
    throw new ExitError(
      2,
      "The chat screen needs a terminal.",
      "parley tail and parley send work in a pipe.",
    );
  return shell.host.screen(typeof values.channel === "string" ? { channel: values.channel } : {});
};
export default chat;
