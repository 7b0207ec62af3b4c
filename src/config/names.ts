/** Names for completion: channels and people seen lately, in one small file that a shell can be answered from at once. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheDir } from "./places.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `[id, name]`, the latest first. */
export interface Names {
  channels: [string, string][];
  users: [string, string][];
}

const KEPT = 500;

const file = (env: Env): string => path.join(cacheDir(env), "names.json");

/** Empty when there is no file or it is damaged: it is only a cache. */
export function readNames(env: Env): Names {
  try {
    const value = JSON.parse(readFileSync(file(env), "utf8")) as Partial<Names>;
    const pairs = (list: unknown): [string, string][] =>
      Array.isArray(list)
        ? list.filter(
            (pair): pair is [string, string] =>
              Array.isArray(pair) && pair.every((x) => typeof x === "string"),
          )
        : [];
    return { channels: pairs(value.channels), users: pairs(value.users) };
  } catch {
    return { channels: [], users: [] };
  }
}

/** Adds what was seen in front; failures are no failures of the command that saw them. */
export function noteNames(env: Env, seen: Names): void {
  if (seen.channels.length === 0 && seen.users.length === 0) return;
  try {
    const before = readNames(env);
    const merge = (fresh: [string, string][], old: [string, string][]): [string, string][] =>
      [...new Map([...fresh, ...old.filter(([id]) => !fresh.some(([known]) => known === id))])].slice(
        0,
        KEPT,
      );
    const text = JSON.stringify({
      channels: merge(seen.channels, before.channels),
      users: merge(seen.users, before.users),
    });
    if (text === JSON.stringify(before)) return;
    const target = file(env);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    const temporary = `${target}.${process.pid}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, target);
  } catch {
    // Completion is a comfort.
  }
}
