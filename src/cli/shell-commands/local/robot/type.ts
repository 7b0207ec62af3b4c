/** `parley local robot type`: typing in a channel. */
import type { ShellRun } from "../../../base/shell-command.ts";
import type { TYPE_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

const type: ShellRun<typeof TYPE_ARGS> = (shell, args) =>
  commandRobot(shell, "robot", { do: "type", user_id: args.user, cid: args.channel, for_ms: args.for });
export default type;
