/** The audit log: one line of JSON for each change this program made, chained to the line before it by a hash. */
import { createHash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { appendOwn, readOwn } from "../model/files/own-files.ts";
import type { Env } from "./load.ts";
import { stateDir } from "./places.ts";

export interface AuditEntry {
  time: string;
  /** Of the run: its beginning and its end have the same. */
  run: string;
  state: "begun" | "ended";
  os_user: string;
  host: string;
  pid: number;
  profile: string;
  /** As whom; empty for the app itself. */
  user: string;
  command: string;
  /** Calls that change something, by operation. */
  operations?: Record<string, number>;
  /** What they were about: the first of them. */
  ids?: string[];
  /** How many there were in all. */
  count?: number;
  /** SHA-256 of the file that was read. */
  input?: string;
  exit?: number;
  /** Came through an assistant. */
  via?: "mcp";
}

/** As it stands in the file. */
export type AuditLine = AuditEntry & { previous: string; hash: string };

export const auditFile = (env: Env): string => path.join(stateDir(env), "audit.ndjson");

/** What stands before the first line. */
const START = "0".repeat(64);

/** Whoever writes holds the file alone; one that died holding it is overruled after this long, milliseconds. */
const STALE = 5000;
const PAUSE = 5;

const hashOf = (previous: string, entry: object): string =>
  createHash("sha256")
    .update(`${previous}\n${JSON.stringify(entry)}`)
    .digest("hex");

function lock(file: string): () => void {
  const name = `${file}.lock`;
  const sleep = new Int32Array(new SharedArrayBuffer(4));
  for (;;)
    try {
      closeSync(openSync(name, "wx", 0o600));
      return () => rmSync(name, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const since = statSync(name, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > STALE) rmSync(name, { force: true });
      else Atomics.wait(sleep, 0, 0, PAUSE);
    }
}

/** Bytes at the end of the file among which its last line is. */
const TAIL = 64 * 1024;

/** The hash of the last line; START when there is none. */
function lastHash(file: string): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return START;
  const bytes = Buffer.alloc(Math.min(size, TAIL));
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
  } finally {
    closeSync(descriptor);
  }
  const last = bytes.toString("utf8").trimEnd().split("\n").at(-1)!;
  try {
    return (JSON.parse(last) as AuditLine).hash;
  } catch {
    // Half a line, or none of ours: the check will say so, and what comes is bound to it as it is.
    return createHash("sha256").update(last).digest("hex");
  }
}

/** Whole or not at all: half a line would run into the next one, and both would be no entries. */
function appendWhole(file: string, text: string): void {
  const descriptor = appendOwn(file);
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Throws what the file system throws. */
export function appendAudit(env: Env, entry: AuditEntry): void {
  const file = auditFile(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const release = lock(file);
  try {
    const previous = lastHash(file);
    const line = { ...entry, previous, hash: hashOf(previous, entry) };
    appendWhole(file, `${JSON.stringify(line)}\n`);
  } finally {
    release();
  }
}

/** What is wrong with a line; counted from 1. */
interface AuditProblem {
  line: number;
  why: string;
}

/** All lines that can be read, and the first place where the chain is broken. */
export function readAudit(env: Env): { lines: AuditLine[]; fault: AuditProblem | undefined } {
  const texts = (readOwn(auditFile(env)) ?? "").split("\n").filter(Boolean);
  const lines: AuditLine[] = [];
  let fault: AuditProblem | undefined;
  let before = START;
  for (const [at, text] of texts.entries()) {
    const found = readLine(text);
    const wrong = found === undefined ? "is no entry" : faultOf(found, before);
    if (wrong !== undefined) fault ??= { line: at + 1, why: wrong };
    before = found?.hash ?? createHash("sha256").update(text).digest("hex");
    if (found) lines.push(found);
  }
  return { lines, fault };
}

function readLine(text: string): AuditLine | undefined {
  try {
    const value = JSON.parse(text) as Partial<AuditLine>;
    return typeof value.hash === "string" && typeof value.time === "string"
      ? (value as AuditLine)
      : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(line: AuditLine, before: string): string | undefined {
  const { hash, previous, ...entry } = line;
  if (previous !== before) return "does not follow the one before it: lines were taken out or put in";
  return hash === hashOf(previous, entry) ? undefined : "was changed after it was written";
}
