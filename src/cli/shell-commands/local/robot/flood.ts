/** `parley local robot flood`: many messages in a short time. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { commandRobot, ROBOT_CHANNEL, ROBOT } from "./robot.ts";

export default command({
  shell: true,
  summary: "Make a robot flood a channel with messages",
  examples: ["local robot flood '#ops' 10000 --rate 200", "local robot flood '#ops' 100 --user bo"],
  args: {
    channel: ROBOT_CHANNEL,
    count: { kind: "number", positional: true, help: "How many messages" },
    rate: { kind: "number", help: "Messages per second (default: as fast as clients accept them)" },
    user: ROBOT,
  },
  run: (shell: Shell, args) =>
    commandRobot(shell, "flood", {
      cid: args.channel,
      user_id: args.user,
      count: args.count,
      rate: args.rate,
    }),
});
