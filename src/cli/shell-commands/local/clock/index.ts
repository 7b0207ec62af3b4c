/** `parley local clock …`: shows and moves the embedded provider's clock. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { shellCommand } from "../../../base/shell-command.ts";
import type { ShellCommand } from "../../../base/shell-command.ts";

export const ADVANCE_ARGS = {
  by: { kind: "duration", value: "length", place: "positional", help: "By how much: 90s, 15m, 2h, 7d" },
} as const satisfies Args;

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
