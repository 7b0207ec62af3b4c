/** Caches ids and names of recently seen channels, users and other entities in one small file for shell completion. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readSmallFile } from "../model/files/small-file.ts";
import { parseObject } from "../model/json-object.ts";

/** Kinds of cached names, spelled like the arguments of commands. */
export const NAME_KINDS = ["channel", "user", "campaign", "segment", "poll", "role", "type"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** `[id, name]`, most recent first. */
export type Names = Record<NameKind, [string, string][]>;

/** False for channels made from their members: their id is generated and people type @user instead. */
export const isTypeable = (cid: string): boolean => !cid.includes(":!members");

export const emptyNames = (): Names =>
  Object.fromEntries(NAME_KINDS.map((kind) => [kind, [] as [string, string][]])) as Names;

export const MAX_NAMES_PER_KIND = 500;

/** Below the cache folder of an app. */
const fileIn = (cache: string): string => path.join(cache, "names.json");

/** Empty when the file is missing or damaged: it is only a cache. */
export function readNames(cache: string): Names {
  try {
    const value = (parseObject(readSmallFile(fileIn(cache))) ?? {}) as Partial<Record<NameKind, unknown>>;
    const isPair = (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && pair.every((x) => typeof x === "string");
    const cached = emptyNames();
    for (const kind of NAME_KINDS) if (Array.isArray(value[kind])) cached[kind] = value[kind].filter(isPair);
    return cached;
  } catch {
    return emptyNames();
  }
}

/** Puts seen names in front and removes those of what was deleted. Never throws: completion must not fail a command. */
export function saveNames(
  cache: string,
  seen: Names,
  isDeleted?: (kind: NameKind, id: string) => boolean,
): void {
  if (isDeleted === undefined && NAME_KINDS.every((kind) => seen[kind].length === 0)) return;
  try {
    const before = readNames(cache);
    const merge = (newer: [string, string][], older: [string, string][]): [string, string][] => {
      const names = new Map(newer);
      for (const [id, name] of older) if (!names.has(id)) names.set(id, name);
      return [...names].slice(0, MAX_NAMES_PER_KIND);
    };
    const merged = NAME_KINDS.map((kind) => [
      kind,
      merge(seen[kind], before[kind]).filter(([id]) => !isDeleted?.(kind, id)),
    ]);
    const text = JSON.stringify(Object.fromEntries(merged));
    if (text === JSON.stringify(before)) return;
    const target = fileIn(cache);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    const temporary = `${target}.${process.pid}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, target);
  } catch {
    // Only completion suffers.
  }
}
