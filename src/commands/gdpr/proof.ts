/** The proof of an export or deletion of a person's data: counts, hashes and times, no contents. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";
import { CommandError, type Args, type Call, type Machine } from "../base/define-command.ts";

import type { Trace } from "../../jobs/traces.ts";

/** Numbers of messages, reactions and so on. */
type Counts = Readonly<Record<string, number>>;

/** What is looked for after a deletion: hashes of texts, and the ids of messages and channels. */
export interface Traces {
  texts: readonly Trace[];
  /** Texts that are too short to be recognised. */
  short: number;
  messages: readonly string[];
  cids: readonly string[];
}

export interface SearchedPlace {
  /** `bytes` of files, or the answers of calls. */
  by: "bytes" | "get" | "search" | "sync";
  place: "provider" | "state" | "cache";
  /** Files, or answers. */
  looked_at: number;
  bytes: number;
  found: number;
}

export interface Proof {
  /** Nothing was written or sent. */
  dry_run?: true;
  kind: "export" | "delete";
  user: string;
  /** `begun`: the run is active or was interrupted. */
  state: "begun" | "done";
  profile: string;
  provider: string;
  /** Who did it: the user of the profile, or the OS user when the app's secret was used. */
  by: string;
  /** Version of Parley. */
  version: string;
  /** RFC 3339. */
  begun_at: string;
  ended_at?: string;
  counts: Counts;
  /** Files of the export; for a deletion, the hashes an export would have had. */
  files: { name: string; bytes: number; sha256: string }[];
  /** For an export: files that could not be downloaded. */
  missing?: number;
  /** For a deletion: the provider's task, and whether the user is gone and no text of theirs was found. */
  task_id?: string;
  gone?: boolean;
  /** What a run that was interrupted looks for; removed at the end. */
  traces?: Traces;
  /** For a deletion: where what is gone was looked for, and what still holds it. */
  searched?: SearchedPlace[];
  remaining?: { place: string; file: string; texts: number }[];
  /** Files on this machine that were removed because they held texts. */
  removed?: string[];
  /** Texts that were too short to be told from others. */
  short_texts?: number;
  /** What no run can look into. */
  not_reached?: readonly string[];
  /** Hash of the proof as JSON without this key. */
  sha256?: string;
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The machine of a shell. Throws `CommandError` (notAllowed) without one. */
export function requireShell({ machine }: Pick<Call<Args>, "machine">): Machine {
  if (machine) return machine;
  throw new CommandError("notAllowed", "A proof is written from a shell.");
}

export async function newProof(
  machine: Machine,
  now: number,
  { kind, user }: Pick<Proof, "kind" | "user">,
): Promise<Proof> {
  const { profile, provider, user: named } = await machine.about();
  const by = named || userInfo().username;
  const begun_at = new Date(now).toISOString();
  const { version } = machine;
  return { kind, user, state: "begun", profile, provider, by, version, begun_at, counts: {}, files: [] };
}

/** Writes the proof atomically, readable by its owner only; returns it with its hash. */
export function writeProof(file: string, unsigned: Proof): Proof {
  const { sha256: _before, ...proof } = unsigned;
  const signed = { ...proof, sha256: sha256(JSON.stringify(proof)) };
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  replaceOwn(file, `${JSON.stringify(signed, null, 2)}\n`);
  return signed;
}

/** The unfinished proof of an earlier run. Throws `CommandError` for a finished one, one about something else, or another file. */
export function readProof(file: string, expected: Pick<Proof, "kind" | "user">): Proof | undefined {
  if (!existsSync(file)) return undefined;
  const hint = "Name another file for this one.";
  let proof: Proof;
  try {
    proof = JSON.parse(readOwn(file) ?? "") as Proof;
  } catch {
    throw new CommandError("conflict", `${file} is not a proof file.`, hint);
  }
  const { sha256: hash, ...content } = proof;
  if (hash !== sha256(JSON.stringify(content)))
    throw new CommandError("conflict", `${file} is not a proof file, or was changed.`, hint);
  if (proof.kind !== expected.kind || proof.user !== expected.user)
    throw new CommandError("conflict", `${file} proves the ${proof.kind} of ${proof.user}.`, hint);
  if (proof.state === "done")
    throw new CommandError("conflict", `${file} says that this was done at ${proof.ended_at}.`, hint);
  return proof;
}
