/** `parley local robot move`: a live location that moves from one place to another. */
import { ExitError } from "../../../base/exit.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import type { MOVE_ARGS } from "./args.ts";
import { commandRobot } from "./robot.ts";

function readPlace(text: string, end: "from" | "to"): Record<string, number> {
  const [latitude, longitude, ...more] = text.split(",").map(Number);
  if (more.length || !Number.isFinite(latitude) || !Number.isFinite(longitude))
    throw new ExitError(2, `--${end} must be latitude,longitude`, "For example 59.3251,18.0711");
  return { [`${end}_latitude`]: latitude!, [`${end}_longitude`]: longitude! };
}

const move: ShellRun<typeof MOVE_ARGS> = async (shell, args) =>
  commandRobot(shell, "robot", {
    do: "move",
    user_id: args.user,
    cid: args.channel,
    ...readPlace(args.from, "from"),
    ...readPlace(args.to, "to"),
    for_ms: args.for,
    every_ms: args.every,
  });
export default move;
