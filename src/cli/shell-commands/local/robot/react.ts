/** `parley local robot react`: a reaction to a message. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { commandRobot, ROBOT } from "./robot.ts";

export default command({
  shell: true,
  summary: "Make a robot react to a message",
  examples: ["local robot react ana-7f3c like", "local robot react ana-7f3c love --user bo"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    type: { kind: "text", positional: true, help: "The reaction, such as like" },
    user: ROBOT,
  },
  run: (shell: Shell, args) =>
    commandRobot(shell, "robot", {
      do: "react",
      user_id: args.user,
      message_id: args.message,
      type: args.type,
    }),
});
