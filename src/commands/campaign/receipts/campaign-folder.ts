/** Files of campaigns on this machine, in one folder per app: journals and the opt-out list. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { readOwn, replaceOwn } from "../../../model/files/own-files.ts";
import type { Machine } from "../../base/define-command.ts";

/** A safe file name for any id. */
const fileName = (id: string): string =>
  encodeURIComponent(id).replace(/[*!'()~]/g, (c) => `%${c.codePointAt(0)!.toString(16)}`);

const JOURNAL = ".journal.ndjson";

export const journalFile = ({ folder }: Pick<Machine, "folder">, id: string): string =>
  path.join(folder, `${fileName(id)}${JOURNAL}`);

/** The ids of all campaigns with a journal. */
export const journalIds = (machine: Pick<Machine, "folder"> | undefined): string[] =>
  machine === undefined || !existsSync(machine.folder)
    ? []
    : readdirSync(machine.folder)
        .filter((name) => name.endsWith(JOURNAL))
        .map((name) => decodeURIComponent(name.slice(0, -JOURNAL.length)));

export function makeFolder({ folder }: Pick<Machine, "folder">): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export interface OptOut {
  id: string;
  /** RFC 3339. */
  since: string;
  reason?: string;
}

/** Cannot clash with a journal, which has two extensions. */
const optOutFile = ({ folder }: Pick<Machine, "folder">): string => path.join(folder, "optouts.ndjson");

/** The opt-out list in order of time. */
export const readOptOuts = (machine: Pick<Machine, "folder"> | undefined): OptOut[] =>
  (machine === undefined ? "" : (readOwn(optOutFile(machine)) ?? ""))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as OptOut);

export function writeOptOuts(machine: Pick<Machine, "folder">, all: readonly OptOut[]): void {
  makeFolder(machine);
  replaceOwn(optOutFile(machine), all.map((one) => `${JSON.stringify(one)}\n`).join(""));
}
