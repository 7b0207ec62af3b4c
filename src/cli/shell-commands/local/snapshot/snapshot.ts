/** Helpers for the snapshot commands. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { ExitError } from "../../../base/exit.ts";

export const SNAPSHOT_NAME_ARGS = {
  name: { kind: "text", positional: true, help: "Its name" },
} as const satisfies Args;

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

export const snapshotNotFound = (name: string): ExitError =>
  new ExitError(3, `There is no snapshot '${name}'.`, "parley local snapshot list");
