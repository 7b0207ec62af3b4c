/** `manifest.json` of an archive: its contents, their origin, and the checksum of the database. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { replaceOwn } from "../../model/files/own-files.ts";
import {
  channelCounts,
  archiveCounts,
  gapsOf,
  type ChannelCounts,
  type ArchiveCounts,
  type GapRow,
} from "./counts.ts";
import { readMeta, runsOf } from "./meta.ts";
import { archiveFile, manifestFile, type OpenArchive } from "./open.ts";

export interface Manifest {
  schema: 1;
  /** Version of Parley that wrote it. */
  version: string;
  provider: string;
  user: string;
  created_at: string;
  updated_at: string;
  counts: ArchiveCounts;
  channels: ChannelCounts[];
  gaps: GapRow[];
  /** SHA-256 of archive.sqlite. */
  sha256: string;
}

/** Also false when a run was killed just before writing the manifest, which comes last. */
export const hasManifest = (folder: string): boolean => existsSync(manifestFile(folder));

export async function hashOf(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  // One reused buffer: a stream would allocate a new one per read, which took 50 MiB for a large archive.
  const piece = Buffer.allocUnsafe(1024 * 1024);
  const handle = await open(file);
  try {
    for (let bytes = 0; ;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length);
      if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
      hash.update(piece.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Call it after the last write to the database: it stores the database's checksum. */
export async function writeManifest({ folder, db }: OpenArchive): Promise<Manifest> {
  const runs = runsOf(db);
  const manifest: Manifest = {
    schema: 1,
    version: runs.at(-1)?.version ?? "",
    provider: readMeta(db, "provider") ?? "",
    user: readMeta(db, "user") ?? "",
    created_at: runs[0]?.started_at ?? "",
    updated_at: runs.findLast((run) => run.ended_at !== null)?.ended_at ?? "",
    counts: archiveCounts(db),
    channels: [...channelCounts(db)],
    gaps: gapsOf(db),
    sha256: (await hashOf(archiveFile(folder))).sha256,
  };
  replaceOwn(manifestFile(folder), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return manifest;
}
