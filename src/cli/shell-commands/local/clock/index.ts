/** `parley local clock …`: shows and moves the embedded provider's clock. */
import { shellCommand, type ShellCommand } from "../../../base/shell-command.ts";
import { ADVANCE_ARGS } from "./args.ts";

export const clockCommands: Readonly<Record<string, ShellCommand>> = {
  "local clock show": shellCommand({
    summary: "Show the embedded provider's time",
    group: "Local",
    examples: ["local clock show", "local clock show --json"],
    args: {},
    dry: true,
    load: () => import("./show.ts"),
  }),
  "local clock advance": shellCommand({
    summary: "Advance the embedded provider's clock",
    group: "Local",
    examples: ["local clock advance 2h", "local clock advance 7d --json"],
    args: ADVANCE_ARGS,
    load: () => import("./advance.ts"),
  }),
};
