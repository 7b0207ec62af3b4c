/** `parley local robot say`: one message or several, in a channel or thread. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { ExitError } from "../../../base/exit.ts";
import { commandRobot, ROBOT_CHANNEL, ROBOT } from "./robot.ts";

export default command({
  shell: true,
  summary: "Make a robot write in a channel",
  examples: ["local robot say '#ops' hello", "local robot say '#ops' 'line {n}' --times 20 --every 500ms"],
  args: {
    channel: ROBOT_CHANNEL,
    text: { kind: "words", positional: "rest", help: "The text; {n} is the number of the message" },
    user: ROBOT,
    thread: { kind: "message", help: "Write in the thread of this message" },
    times: { kind: "number", from: 1, help: "How many messages" },
    every: { kind: "duration", value: "length", help: "Time between messages (1s)" },
  },
  run(shell: Shell, args) {
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
  },
});
