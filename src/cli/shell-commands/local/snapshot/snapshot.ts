/** A saved state of the embedded provider in words. */
import { ExitError } from "../../../base/exit.ts";

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

export const noSnapshot = (name: string): ExitError =>
  new ExitError(3, `There is no saved state '${name}'.`, "parley local snapshot list");
