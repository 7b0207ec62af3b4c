/** `parley local robot vote`: a vote in a poll. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { commandRobot, ROBOT } from "./robot.ts";

export default command({
  shell: true,
  summary: "Make a robot vote in a poll",
  examples: ["local robot vote ana-7f3c Soup", "local robot vote ana-7f3c 1 --user bo"],
  args: {
    message: { kind: "message", positional: true, help: "The message that contains the poll" },
    option: { kind: "text", positional: true, help: "The option: its number, text or id" },
    user: ROBOT,
  },
  run: (shell: Shell, args) =>
    commandRobot(shell, "robot", {
      do: "vote",
      user_id: args.user,
      message_id: args.message,
      option: args.option,
    }),
});
