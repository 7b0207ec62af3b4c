/** `parley local robot type`: typing in a channel. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { commandRobot, ROBOT_CHANNEL, ROBOT } from "./robot.ts";

export default command({
  shell: true,
  summary: "Make a robot type in a channel",
  examples: ["local robot type '#ops' --for 10s", "local robot type '#ops' --user bo"],
  args: {
    channel: ROBOT_CHANNEL,
    for: { kind: "duration", value: "length", help: "For how long (5s)" },
    user: ROBOT,
  },
  run: (shell: Shell, args) =>
    commandRobot(shell, "robot", { do: "type", user_id: args.user, cid: args.channel, for_ms: args.for }),
});
