/** The audit log: one line of JSON per start and end of a command that writes, each chained to the line before by a hash. */
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
import { stateDir, type Env } from "./paths.ts";

export interface AuditEntry {
  time: string;
  /** Id shared by the `begun` and `ended` lines of one run. */
  run: string;
  state: "begun" | "ended";
  os_user: string;
  host: string;
  pid: number;
  profile: string;
  /** Acting user; empty for the app itself. */
  user: string;
  command: string;
  /** Number of writing calls by operation. */
  operations?: Record<string, number>;
  /** The first of the affected ids. */
  ids?: string[];
  /** Number of all affected ids. */
  count?: number;
  /** SHA-256 of the input file. */
  input?: string;
  exit?: number;
  /** The command came through `parley mcp`. */
  via?: "mcp";
}

/** An entry as stored in the file. */
export type AuditLine = AuditEntry & { previous: string; hash: string };

export const auditFile = (env: Env): string => path.join(stateDir(env), "audit.ndjson");

/** `previous` of the first line. */
const FIRST_PREVIOUS = "0".repeat(64);

/** A lock older than this (ms) was left by a process that died and is removed. */
const STALE_AFTER = 5000;
const RETRY_DELAY = 5;

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
      if (since !== undefined && Date.now() - since > STALE_AFTER) rmSync(name, { force: true });
      else Atomics.wait(sleep, 0, 0, RETRY_DELAY);
    }
}

/** Bytes read from the end of the file to find its last line. */
const TAIL_BYTES = 64 * 1024;

/** The hash of the last line; `FIRST_PREVIOUS` when there is none. */
function lastHash(file: string): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return FIRST_PREVIOUS;
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
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
    // A damaged line: `readAudit` reports it, and the next line is chained to its raw text.
    return createHash("sha256").update(last).digest("hex");
  }
}

/** Appends the text completely or not at all: half a line would spoil the next one, too. */
function appendAtomically(file: string, text: string): void {
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
    appendAtomically(file, `${JSON.stringify(line)}\n`);
  } finally {
    release();
  }
}

/** `line` counts from 1. */
interface AuditProblem {
  line: number;
  reason: string;
}

/** All readable lines, and the first break of the chain. */
export function readAudit(env: Env): { lines: AuditLine[]; fault: AuditProblem | undefined } {
  const texts = (readOwn(auditFile(env)) ?? "").split("\n").filter(Boolean);
  const lines: AuditLine[] = [];
  let fault: AuditProblem | undefined;
  let before = FIRST_PREVIOUS;
  for (const [at, text] of texts.entries()) {
    const entry = readLine(text);
    const problem = entry === undefined ? "is not an entry" : faultOf(entry, before);
    if (problem !== undefined) fault ??= { line: at + 1, reason: problem };
    before = entry?.hash ?? createHash("sha256").update(text).digest("hex");
    if (entry) lines.push(entry);
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
