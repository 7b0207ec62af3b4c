/** Names of channels, people and other things seen lately, in one small file for shell completion. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheDir } from "./places.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What is kept, by the word that commands have for it. */
export const NAME_KINDS = ["channel", "user", "campaign", "segment", "poll", "role", "type"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** `[id, name]`, the latest first. */
export type Names = Record<NameKind, [string, string][]>;

/** A conversation between people has an id that nobody types: it is written @user. */
export const isTyped = (cid: string): boolean => !cid.includes(":!members");

export const noNames = (): Names =>
  Object.fromEntries(NAME_KINDS.map((kind) => [kind, [] as [string, string][]])) as Names;

/** So many names are kept of each kind. */
export const KEPT_NAMES = 500;

const file = (env: Env): string => path.join(cacheDir(env), "names.json");

/** Empty when there is no file or it is damaged: it is only a cache. */
export function readNames(env: Env): Names {
  try {
    const value = JSON.parse(readFileSync(file(env), "utf8")) as Partial<Record<NameKind, unknown>>;
    const isPair = (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && pair.every((x) => typeof x === "string");
    const names = noNames();
    for (const kind of NAME_KINDS) if (Array.isArray(value[kind])) names[kind] = value[kind].filter(isPair);
    return names;
  } catch {
    return noNames();
  }
}

/** Adds what was seen in front and takes out the channels that are gone; failures are no failures of the command that saw them. */
export function noteNames(env: Env, seen: Names, gone: ReadonlySet<string> = new Set()): void {
  if (gone.size === 0 && NAME_KINDS.every((kind) => seen[kind].length === 0)) return;
  try {
    const before = readNames(env);
    const merge = (fresh: [string, string][], old: [string, string][]): [string, string][] => {
      const named = new Map(fresh);
      for (const [id, name] of old) if (!named.has(id)) named.set(id, name);
      return [...named].slice(0, KEPT_NAMES);
    };
    const kept = NAME_KINDS.map((kind) => [
      kind,
      merge(seen[kind], before[kind]).filter(([id]) => kind !== "channel" || !gone.has(id)),
    ]);
    const text = JSON.stringify(Object.fromEntries(kept));
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
