/** Helpers for the snapshot commands. */
import { ExitError } from "../../../base/exit.ts";

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

export const snapshotNotFound = (name: string): ExitError =>
  new ExitError(3, `There is no snapshot '${name}'.`, "parley local snapshot list");
