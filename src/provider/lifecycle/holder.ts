/** Records which process holds a data folder, while it holds the folder's lock. */
import { rmSync } from "node:fs";
import path from "node:path";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";
import { isOwnerAlive, thisOwner } from "../../model/files/owner.ts";
import { DATA_FILES } from "./identity.ts";

interface Holder {
  pid: number;
  /** Started in the background by another command, not in a terminal. */
  background: boolean;
  version: string | undefined;
}

interface HolderFile {
  /** Pid and start time, so that a reused pid is not taken for the holder. */
  owner: string;
  background?: boolean;
  version?: string;
}

/** Call with the folder's lock held. */
export function writeHolder(
  folder: string,
  facts: { background: boolean; version: string | undefined },
): void {
  replaceOwn(path.join(folder, DATA_FILES.holder), `${JSON.stringify({ owner: thisOwner(), ...facts })}\n`);
}

/** Call before the lock is released. */
export function removeHolder(folder: string): void {
  rmSync(path.join(folder, DATA_FILES.holder), { force: true });
}

/** The running process that holds the folder; undefined without one, or for an older program that writes no such file. */
export function readHolder(folder: string): Holder | undefined {
  try {
    const { owner, background, version } = JSON.parse(
      readOwn(path.join(folder, DATA_FILES.holder)) ?? "",
    ) as HolderFile;
    if (typeof owner !== "string" || !isOwnerAlive(owner)) return undefined;
    return {
      pid: Number(owner.split(":")[0]),
      background: background === true,
      version: typeof version === "string" ? version : undefined,
    };
  } catch {
    return undefined;
  }
}
