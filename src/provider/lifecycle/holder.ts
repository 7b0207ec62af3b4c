/** Records which process holds a data folder, from taking its lock until letting it go. */
import { rmSync } from "node:fs";
import path from "node:path";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";
import { isOwnerAlive, thisOwner } from "../../model/files/owner.ts";
import { DATA_FILES } from "./identity.ts";

interface Holder {
  pid: number;
  /** Runs in the background for whoever needs it, not in somebody's foreground. */
  background: boolean;
  version: string | undefined;
}

interface HolderFile {
  /** Pid and start time: a pid that another process got since names nobody. */
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

/** Call before the lock is let go. */
export function removeHolder(folder: string): void {
  rmSync(path.join(folder, DATA_FILES.holder), { force: true });
}

/** The living process that has the folder; undefined when there is none, or an older program that wrote no such file. */
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
