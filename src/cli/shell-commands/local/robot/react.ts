/** `parley local robot react`: a reaction to a message. */
import type { ShellRun } from "../../../base/shell-command.ts";
import type { REACT_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

const react: ShellRun<typeof REACT_ARGS> = (shell, args) =>
  commandRobot(shell, "robot", {
    do: "react",
    user_id: args.user,
    message_id: args.message,
    type: args.type,
  });
export default react;
