/** `parley local clock …`: shows and moves the embedded provider's clock. */
import { commandInGroup, type ShellCommand } from "../../../base/shell-command.ts";
import { ADVANCE_ARGS } from "./args.ts";

const local = commandInGroup("Local");

export const clockCommands: Readonly<Record<string, ShellCommand>> = {
  "local clock show": local({
    summary: "Show the embedded provider's time",
    examples: ["local clock show", "local clock show --json"],
    allowsDryRun: true,
    load: () => import("./show.ts"),
  }),
  "local clock advance": local({
    summary: "Advance the embedded provider's clock",
    examples: ["local clock advance 2h", "local clock advance 7d --json"],
    args: ADVANCE_ARGS,
    load: () => import("./advance.ts"),
  }),
};
