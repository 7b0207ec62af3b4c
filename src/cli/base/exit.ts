/** Exit codes: what each number means and which error ends with it (specification/command-line.md §2); never renumbered. */

import { isOutcomeUnknown } from "../../wire/errors.ts";
import type { RateLimited } from "../../wire/rate-limits.ts";

export const EXITS = [
  { code: 0, name: "done", words: "Done; also nothing found, and a dry run that would succeed." },
  { code: 1, name: "error", words: "Unexpected error." },
  {
    code: 2,
    name: "usage",
    words: "Wrong usage: unknown flag, invalid value, or a prompt without a terminal.",
  },
  { code: 3, name: "not_found", words: "Not found; with --exit-status also an empty result." },
  { code: 4, name: "authentication", words: "Not signed in, or the token or key was refused." },
  { code: 5, name: "not_allowed", words: "Not allowed for this user, or only with the app's secret." },
  { code: 6, name: "conflict", words: "Already exists, or is in the wrong state for this." },
  { code: 7, name: "rejected", words: "Input rejected: too long, too big, blocked or invalid." },
  { code: 8, name: "pending", words: "Still pending when the time limit was reached." },
  { code: 9, name: "partial", words: "Some of several items failed." },
  { code: 10, name: "unavailable", words: "Temporarily unavailable: run the same command again unchanged." },
  { code: 11, name: "unknown", words: "Outcome unknown: check before repeating." },
  { code: 12, name: "storage", words: "Local storage failed: disk full, read-only or damaged." },
  {
    code: 14,
    name: "different",
    words: "Differences were found (plan, diff, profile test --full).",
  },
  { code: 15, name: "other_answer", words: "An answer other than the expected one (ask)." },
  { code: 130, name: "interrupted", words: "Interrupted (Ctrl-C), or a cancelled question." },
  { code: 143, name: "terminated", words: "Terminated." },
] as const;

export type ExitCode = (typeof EXITS)[number]["code"];

export function exitName(code: number): string {
  return EXITS.find((row) => row.code === code)?.name ?? "error";
}

/** Ends the command with the given exit code; `because` and `hint` are printed below the message. */
export class ExitError extends Error {
  readonly exit: ExitCode;
  readonly hint: string | undefined;
  readonly because: string | undefined;
  constructor(exit: ExitCode, message: string, hint?: string, because?: string) {
    super(message);
    this.name = "ExitError";
    this.exit = exit;
    this.hint = hint;
    this.because = because;
  }
}

/** The hint of an error after a change. */
export const DONE_HINT = "it is done: the same line would do it again";

/** Turns exit code → numbers into number → exit code. */
const exitByNumber = (
  numbers: Partial<Record<ExitCode, readonly number[]>>,
): Readonly<Record<number, ExitCode>> =>
  Object.fromEntries(
    Object.entries(numbers).flatMap(([exit, list]) => list.map((n) => [n, Number(exit) as ExitCode])),
  );

/** By the provider's error code; codes that are not listed use the HTTP status. */
const BY_CODE = exitByNumber({
  3: [16],
  4: [2, 3, 5, 40, 41, 42, 43],
  5: [17, 60, 70, 99],
  6: [6, 19, 44],
  7: [4, 18, 20, 21, 22, 24, 73],
  10: [9, 23, 45, -1],
});

const BY_STATUS = exitByNumber({
  3: [404],
  4: [401],
  5: [403, 405, 501],
  6: [409],
  7: [400, 413, 415, 431],
  10: [408, 429],
});

const BY_FAULT: Readonly<Record<string, ExitCode>> = {
  usage: 2,
  notFound: 3,
  notAllowed: 5,
  conflict: 6,
  rejected: 7,
  unavailable: 10,
  unknown: 11,
  pending: 8,
  partial: 9,
  failed: 1,
  different: 14,
  otherAnswer: 15,
};

/** The fields of every kind of error, readable without importing core. */
export interface ErrorFacts extends RateLimited {
  name?: string;
  message: string;
  status?: number;
  code?: number | string;
  kind?: string;
  exit?: ExitCode;
  hint?: string;
  /** Of an `ExitError`: the reason. */
  because?: string | undefined;
  requestId?: string;
  /** Of a failed call: the same call may succeed later. */
  retryable?: boolean;
  /** Of a transport error: the request never left, so the provider cannot have changed anything. */
  neverSent?: boolean;
  /** Set by the guard: the failed call addressed a channel. */
  about?: "channel";
  /** Set by the guard: a write that a dry run tried was refused. */
  tried?: boolean;
  /** Set by the guard: the failed call changes something, and is not idempotent or was answered unreadably: looking comes before repeating. */
  unsafe?: boolean;
  cause?: unknown;
  /** Of an upload that was blocked or failed. */
  upload?: { name: string; reason?: string };
  /** Of such an upload: the message that the specification fixes. */
  sentence?: string;
  /** Of a connection: the proxy, portal or certificate that blocks it. */
  obstacle?: unknown;
  /** Of the file system: the system call that failed, and its path. */
  syscall?: string;
  path?: string;
}

/** The refused call of an upload, marked as one that addresses a channel. */
export const refusedUpload = ({ upload, cause }: ErrorFacts): ErrorFacts | undefined =>
  upload !== undefined && cause instanceof Error
    ? Object.assign(cause, { about: "channel" as const })
    : undefined;

/** System calls used only on the program's own files; files named by a user are only read. */
const WRITE_SYSCALLS = new Set(["mkdir", "write", "rename", "unlink", "chmod", "fsync", "rm"]);

/** The exit code for a connection that the provider refused with this error code. */
export const exitOfCode = (code: number | undefined): ExitCode => BY_CODE[code ?? Number.NaN] ?? 4;

/** An answer that is not of the protocol; a page injected by a network (an obstacle) is temporary and does not count. */
export const isUnreadableAnswer = (context: ErrorFacts): boolean =>
  context.kind === "badAnswer" && context.obstacle === undefined;

export function exitOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return 1;
  const context = error as ErrorFacts;
  switch (context.name) {
    case "ExitError":
      return context.exit ?? 1;
    case "CommandError":
      return BY_FAULT[context.kind ?? ""] ?? 1;
    case "ConfigError":
      return 2;
    case "CommanderError":
      return 2;
    case "AbortError":
      return 130;
    case "StoreFailure":
    case "ForeignFile":
    case "WeakSecret":
      return 12;
    case "SignInNeeded":
      return 4;
    case "UploadFailure":
      // Without a failed call as its cause, the file was blocked by the app's upload rules.
      return context.cause === undefined ? 7 : exitOf(context.cause);
    case "LocalError":
      return context.code === "ENOENT" ? 3 : 7;
    case "AnswerError":
      return 7;
    case "ApiError":
      // An error without a code comes from a proxy in front of the provider, which may have forwarded the call.
      if (context.unsafe && context.code === undefined && isOutcomeUnknown(context.status ?? 0)) return 11;
      return (
        BY_CODE[typeof context.code === "number" ? context.code : Number.NaN] ??
        BY_STATUS[context.status ?? 0] ??
        ((context.status ?? 0) >= 500 ? 10 : 1)
      );
    case "TransportError":
      if (context.code === "ERR_CANCELED") return 130;
      if (context.unsafe && !context.neverSent) return 11;
      // Repeating the call would bring the same unreadable answer.
      return isUnreadableAnswer(context) ? 1 : 10;
  }
  if (context.syscall !== undefined && WRITE_SYSCALLS.has(context.syscall)) return 12;
  switch (context.code) {
    case "ENOSPC":
    case "EROFS":
    case "EDQUOT":
      return 12;
    case "EADDRINUSE":
      return 6;
    case "ENOENT":
      return 3;
    case "EISDIR":
    case "ENOTDIR":
    case "EACCES":
      return 2;
  }
  return 1;
}
