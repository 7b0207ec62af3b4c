/** `parley local robot vote`: a vote in a poll. */
import type { ShellRun } from "../../../base/shell-command.ts";
import type { VOTE_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

const vote: ShellRun<typeof VOTE_ARGS> = (shell, args) =>
  commandRobot(shell, "robot", {
    do: "vote",
    user_id: args.user,
    message_id: args.message,
    option: args.option,
  });
export default vote;
