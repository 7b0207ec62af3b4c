/** `parley local robot say`: one message or several, in a channel or thread. */
import type { ShellRun } from "../../../base/shell-command.ts";
import { ExitError } from "../../../base/exit.ts";
import type { SAY_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

const say: ShellRun<typeof SAY_ARGS> = (shell, args) => {
  if (args.every !== undefined && args.times === undefined)
    throw new ExitError(2, "--every is the time between several messages: add --times.");
  return commandRobot(shell, "robot", {
    do: "say",
    user_id: args.user,
    cid: args.channel,
    text: args.text,
    parent_id: args.thread,
    times: args.times,
    every_ms: args.every,
  });
};
export default say;
