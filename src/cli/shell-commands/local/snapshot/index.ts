/** `parley local snapshot …`: saves and restores states of the embedded provider. */
import { commandInGroup, type ShellCommand } from "../../../base/shell-command.ts";
import { SAVE_ARGS, SNAPSHOT_NAME_ARGS } from "./args.ts";

const local = commandInGroup("Local");

export const snapshotCommands: Readonly<Record<string, ShellCommand>> = {
  "local snapshot save": local({
    summary: "Save a snapshot of the embedded provider",
    examples: ["local snapshot save before", "local snapshot save monday --json"],
    args: SAVE_ARGS,
    load: () => import("./save.ts"),
  }),
  "local snapshot load": local({
    summary: "Restore a snapshot; everything after it is lost",
    examples: ["local snapshot load before", "local snapshot load before --yes"],
    args: SNAPSHOT_NAME_ARGS,
    load: () => import("./load.ts"),
  }),
  "local snapshot list": local({
    summary: "List snapshots",
    examples: ["local snapshot list", "local snapshot list --json"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "local snapshot delete": local({
    summary: "Delete a snapshot",
    examples: ["local snapshot delete before", "local snapshot delete before --yes"],
    args: SNAPSHOT_NAME_ARGS,
    load: () => import("./delete.ts"),
  }),
};
