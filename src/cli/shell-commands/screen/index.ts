/** `parley screen …`: the chat screens that are open on this machine. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { RUN_ARGS } from "./args.ts";

export const screenCommands: Readonly<Record<string, ShellCommand>> = {
  "screen list": shellCommand({
    summary: "List the chat screens open on this machine",
    group: "Scripts",
    examples: ["screen list", "screen list --json"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "screen run": shellCommand({
    summary: "Run a command in an open chat screen",
    group: "Scripts",
    examples: ["screen run /search deploy", "screen run /join '#ops'"],
    args: RUN_ARGS,
    load: () => import("./run.ts"),
  }),
};
