/** `parley screen …`: controls the chat screens open on this machine. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { RUN_ARGS } from "./args.ts";

const scripts = commandInGroup("Scripts");

export const screenCommands: Readonly<Record<string, ShellCommand>> = {
  "screen list": scripts({
    summary: "List the chat screens open on this machine",
    examples: ["screen list", "screen list --json"],
    aliases: ["ls"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "screen run": scripts({
    summary: "Run a command in an open chat screen",
    examples: ["screen run /search deploy", "screen run /join '#ops'"],
    args: RUN_ARGS,
    load: () => import("./run.ts"),
  }),
};
