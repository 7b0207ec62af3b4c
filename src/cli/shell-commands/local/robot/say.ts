/** `parley local robot say`: one message or several, in a channel or thread. */
import type { ShellRun } from "../../../base/shell-command.ts";
import type { SAY_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

const say: ShellRun<typeof SAY_ARGS> = (shell, args) =>
  commandRobot(shell, "robot", {
    do: "say",
    user_id: args.user,
    cid: args.channel,
    text: args.text,
    parent_id: args.thread,
    times: args.times,
    every_ms: args.every,
  });
export default say;
