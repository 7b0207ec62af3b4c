/** `parley local robot flood`: many messages in a short time. */
import type { ShellRun } from "../../../base/shell-command.ts";
import type { FLOOD_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

const flood: ShellRun<typeof FLOOD_ARGS> = (shell, args) =>
  commandRobot(shell, "flood", { cid: args.channel, user_id: args.user, count: args.count, rate: args.rate });
export default flood;
