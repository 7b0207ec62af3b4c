/** `parley local snapshot …`: states of the embedded provider, saved and brought back. */
import { shellCommand, type ShellCommand } from "../../../base/shell-command.ts";
import { SAVE_ARGS, NAMED } from "./args.ts";

export const snapshotCommands: Readonly<Record<string, ShellCommand>> = {
  "local snapshot save": shellCommand({
    summary: "Save a snapshot of the embedded provider",
    group: "Local",
    examples: ["local snapshot save before", "local snapshot save monday --json"],
    args: SAVE_ARGS,
    load: () => import("./save.ts"),
  }),
  "local snapshot load": shellCommand({
    summary: "Restore a snapshot; everything after it is lost",
    group: "Local",
    examples: ["local snapshot load before", "local snapshot load before --yes"],
    args: NAMED,
    load: () => import("./load.ts"),
  }),
  "local snapshot list": shellCommand({
    summary: "List snapshots",
    group: "Local",
    examples: ["local snapshot list", "local snapshot list --json"],
    args: {},
    dry: true,
    load: () => import("./list.ts"),
  }),
  "local snapshot delete": shellCommand({
    summary: "Delete a snapshot",
    group: "Local",
    examples: ["local snapshot delete before", "local snapshot delete before --yes"],
    args: NAMED,
    load: () => import("./delete.ts"),
  }),
};
