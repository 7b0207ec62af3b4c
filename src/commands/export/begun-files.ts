/** The files of an export that has not ended: the same line again replaces them, and no others. */
import { appendFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { OutputPlace } from "../../jobs/export/sink.ts";
import { acquireLock } from "../../model/files/lock-file.ts";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";
import { CommandError } from "../base/define-command.ts";

/** Which file is there, and that nobody has changed it since; a file keeps it when it is renamed. */
function stateOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

/** What is noted of an interrupted run: the first line is the run, each other one a file and its state. */
function filesOf(list: string, run: string): Map<string, string> | undefined {
  const [first, ...lines] = (readOwn(list) ?? "").split("\n");
  if (first !== run) return undefined;
  const files = new Map<string, string>();
  // A killed run may have cut the last line.
  for (const line of lines.slice(0, -1)) {
    const [file, state] = JSON.parse(line) as [string, string];
    files.set(file, state);
  }
  return files;
}

export interface BegunFiles extends OutputPlace {
  /** An equal run was interrupted, or every file may be replaced. */
  continues: boolean;
  /** Notes the files that `work` finishes, until it is complete. Throws `CommandError` (conflict) while another run writes to the same place. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** `list`: where they are noted; `run`: what tells this run from others to the same place; `force`: every file may be replaced. */
export function begunFiles(
  list: string,
  { run, out, force }: { run: string; out: string; force: boolean },
): BegunFiles {
  const before = filesOf(list, run);
  const noted = new Map<string, string>();
  const note = (file: string, state: string): void => {
    noted.set(file, state);
    appendFileSync(list, `${JSON.stringify([file, state])}\n`);
  };
  const mayReplace = (file: string): boolean => {
    const state = before?.get(path.resolve(file));
    return force || (state !== undefined && state === stateOf(file));
  };
  return {
    continues: force || before !== undefined,
    mayReplace,
    finishes: (file, part) => note(path.resolve(file), stateOf(part)!),
    async during(work) {
      mkdirSync(path.dirname(list), { recursive: true, mode: 0o700 });
      const release = acquireLock(`${list}.lock`);
      if (!release)
        throw new CommandError(
          "conflict",
          `Another export is writing to ${out}.`,
          "Wait until it has ended, or give --out another place.",
        );
      try {
        replaceOwn(list, `${run}\n`);
        for (const [file, state] of before ?? []) note(file, state);
        const done = await work();
        noted.clear();
        return done;
      } finally {
        if (noted.size === 0) rmSync(list, { force: true });
        release();
      }
    },
  };
}
