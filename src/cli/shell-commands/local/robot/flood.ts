/** `parley local robot flood`: many messages in a short time. */
import type { ShellRun } from "../../../base/shell-command.ts";
import type { FLOOD_ARGS } from "./args.ts";
import { order } from "./robot.ts";

const flood: ShellRun<typeof FLOOD_ARGS> = (shell, args) =>
  order(shell, "flood", { cid: args.channel, user_id: args.user, count: args.count, rate: args.rate });
export default flood;
