/** File names of an export: a pattern with placeholders, made valid on every file system and unique. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Channel } from "../../wire/entities/channel.ts";
import { cleanFileName } from "../../text/file-name.ts";

/** A pattern that cannot be used; the message says why. */
export class BadPattern extends Error {}

const PLACES = ["type", "id", "cid", "name", "date", "format", "ext", "part"];

const PER_CHANNEL = /\{(type|id|cid|name)\}/;

export interface FileNames {
  /** A file for each channel. */
  perChannel: boolean;
  /** What all files lie in. */
  root: string;
  fileFor(of: { channel?: Channel; format: string; ext: string; part?: string }): string;
}

interface Asked {
  formats: number;
  /** Month by month is channel by channel. */
  partition?: "messages" | "bytes" | "month" | undefined;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** `ops/{type}/{id}.{ext}`; a folder stands for a file a channel in it. Throws `BadPattern`. */
export function namesOf(out: string, { formats, partition, date }: Asked): FileNames {
  const isFolder = /[/\\]$/.test(out) || (existsSync(out) && statSync(out).isDirectory());
  let pattern = isFolder ? path.join(out, "{type}_{id}.{ext}") : out;
  for (const [, place] of pattern.matchAll(/\{([^{}]*)\}/g))
    if (!PLACES.includes(place!))
      throw new BadPattern(
        `--out has no place {${place}}: there are ${PLACES.map((one) => `{${one}}`).join(" ")}.`,
      );
  if (formats > 1 && !/\{(ext|format)\}/.test(pattern))
    throw new BadPattern("Several formats need several files: write {ext} in --out.");
  const insert = (place: string): void => {
    const { dir, name, ext } = path.parse(pattern);
    pattern = path.join(dir, `${name}-${place}${ext}`);
  };
  if (partition === "month" && !PER_CHANNEL.test(pattern)) insert("{cid}");
  if (partition !== undefined && !pattern.includes("{part}")) insert("{part}");
  const used = new Map<string, string>();
  const fixed = pattern.slice(0, pattern.search(/\{|$/));
  return {
    perChannel: PER_CHANNEL.test(pattern),
    root: path.dirname(`${fixed}x`),
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
      const file = pattern.replace(/\{([^{}]*)\}/g, (_, place: string) => cleanFileName(values[place]!, "_"));
      return unique(used, file, `${channel?.cid ?? ""} ${format} ${part}`);
    },
  };
}

/** `a.md`, and `a (2).md` for another thing of that name, also where upper and lower case are one. */
function unique(used: Map<string, string>, file: string, owner: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let n = 1; ; n++) {
    const tried = n === 1 ? file : path.join(dir, `${name} (${n})${ext}`);
    const before = used.get(tried.toLowerCase());
    if (before === undefined || before === owner) {
      used.set(tried.toLowerCase(), owner);
      return tried;
    }
  }
}
