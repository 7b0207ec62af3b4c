/** File names of an export: a pattern with placeholders, made valid on every file system and unique. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Channel } from "../../wire/entities/channel.ts";
import { cleanFileName, cutFileName } from "../../text/file-name.ts";
import type { Partition } from "./form.ts";

/** The pattern cannot be used; the message explains why. */
export class BadPattern extends Error {}

const PLACEHOLDERS = ["type", "id", "cid", "name", "date", "format", "ext", "part"];

/** Bytes of a file name, less those of `.part-journal` while it is written. */
const NAME_BYTES = 242;

const PER_CHANNEL = /\{(type|id|cid|name)\}/;

export interface FileNames {
  perChannel: boolean;
  /** Common folder of all files. */
  root: string;
  fileFor(of: { channel?: Channel; format: string; ext: string; part?: string }): string;
  /** Where a copied attachment is, below the root; default: in the folder `files`. */
  copyName?(hash: string, name: string | null): string;
}

interface NameOptions {
  formats: number;
  /** A month or a day implies one file per channel. */
  partition?: Partition["kind"] | undefined;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** `out` is a pattern such as `ops/{type}/{id}.{ext}`, or a folder for one file per channel. Throws `BadPattern`. */
export function namesOf(out: string, { formats, partition, date }: NameOptions): FileNames {
  const isFolder = /[/\\]$/.test(out) || (existsSync(out) && statSync(out).isDirectory());
  let pattern = isFolder ? path.join(out, "{type}_{id}.{ext}") : out;
  for (const [, placeholder] of pattern.matchAll(/\{([^{}]*)\}/g))
    if (!PLACEHOLDERS.includes(placeholder!))
      throw new BadPattern(
        `Unknown placeholder {${placeholder}} in --out; use ${PLACEHOLDERS.map((one) => `{${one}}`).join(" ")}.`,
      );
  if (formats > 1 && !/\{(ext|format)\}/.test(pattern))
    throw new BadPattern("Several formats need several files: write {ext} in --out.");
  const insert = (placeholder: string): void => {
    const { dir, name, ext } = path.parse(pattern);
    pattern = path.join(dir, `${name}-${placeholder}${ext}`);
  };
  if ((partition === "month" || partition === "day") && !PER_CHANNEL.test(pattern)) insert("{cid}");
  if (partition !== undefined && !pattern.includes("{part}")) insert("{part}");
  const used = new Map<string, string>();
  const literalPrefix = pattern.slice(0, pattern.search(/\{|$/));
  return {
    perChannel: PER_CHANNEL.test(pattern),
    root: path.dirname(`${literalPrefix}x`),
    fileFor({ channel, format, ext, part = "1" }) {
      const values: Record<string, string> = {
        type: channel?.type ?? "all",
        id: channel?.id ?? "all",
        cid: channel ? `${channel.type}_${channel.id}` : "all",
        name: channel ? (channel.name ?? channel.id) : "all",
        date,
        format,
        ext,
        part,
      };
      const file = pattern.replace(/\{([^{}]*)\}/g, (_, placeholder: string) =>
        // A name such as "a/b" is one part of a path, and keeps both of its own.
        cleanFileName(values[placeholder]!.replace(/[/\\]/g, "_"), "_"),
      );
      return uniqueName(used, file, `${channel?.cid ?? ""} ${format} ${part}`);
    },
  };
}

/** `a.md`, then `a (2).md` for another owner; names are compared case-insensitively. */
function uniqueName(used: Map<string, string>, file: string, owner: string): string {
  const { dir, name, ext } = path.parse(file);
  const folder = dir
    .split(path.sep)
    .map((part) => cutFileName(part, NAME_BYTES))
    .join(path.sep);
  for (let n = 1; ; n++) {
    const ending = `${n === 1 ? "" : ` (${n})`}${ext}`;
    const stem = cutFileName(name, NAME_BYTES - Buffer.byteLength(ending));
    const candidate = path.join(folder, `${stem}${ending}`);
    const before = used.get(candidate.toLowerCase());
    if (before === undefined || before === owner) {
      used.set(candidate.toLowerCase(), owner);
      return candidate;
    }
  }
}
