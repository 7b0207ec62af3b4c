/** `parley local robot move`: a live location that moves from one place to another. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { ExitError } from "../../../base/exit.ts";
import { commandRobot, ROBOT_CHANNEL, ROBOT } from "./robot.ts";

function readPlace(text: string, end: "from" | "to"): Record<string, number> {
  const [latitude, longitude, ...more] = text.split(",").map(Number);
  if (more.length || !Number.isFinite(latitude) || !Number.isFinite(longitude))
    throw new ExitError(2, `--${end} must be latitude,longitude`, "For example 59.3251,18.0711");
  return { [`${end}_latitude`]: latitude!, [`${end}_longitude`]: longitude! };
}

export default command({
  shell: true,
  summary: "Make a robot share a moving location",
  examples: [
    "local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --for 5m",
    "local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --every 5s",
  ],
  args: {
    channel: ROBOT_CHANNEL,
    from: { kind: "text", value: "lat,lon", required: true, help: "Starting point" },
    to: { kind: "text", value: "lat,lon", required: true, help: "End point" },
    for: { kind: "duration", value: "length", help: "For how long, at least 1m (10m)" },
    every: { kind: "duration", value: "length", help: "Time between two positions (3s)" },
    user: ROBOT,
  },
  run: async (shell: Shell, args) =>
    commandRobot(shell, "robot", {
      do: "move",
      user_id: args.user,
      cid: args.channel,
      ...readPlace(args.from, "from"),
      ...readPlace(args.to, "to"),
      for_ms: args.for,
      every_ms: args.every,
    }),
});
