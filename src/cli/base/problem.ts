/** Prints an error: up to three lines on standard error, or one JSON object with --json. */
import { NOT_ALLOWED, STORAGE_FULL, failureOf } from "../../wire/errors.ts";
import { callsLeft, isOverBudget, retryWait } from "../../wire/rate-limits.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import { blockedWhy, count } from "../../text/words.ts";
import {
  exitName,
  exitOf,
  isUnreadableAnswer,
  refusedUpload,
  type ExitCode,
  type ErrorFacts,
} from "./exit.ts";

export interface Problem {
  exit: ExitCode;
  message: string;
  because?: string;
  hint?: string;
  retryable: boolean;
  http?: number;
  provider_code?: number;
  request_id?: string;
}

/** The default hint of each exit code, for errors without one. */
const HINTS: Partial<Record<ExitCode, string>> = {
  1: "run it again with PARLEY_DEBUG=1 to see where it happened",
  4: "run parley login, or parley profile test to check the credentials",
  10: "run the same command again, or parley doctor to find the cause",
  11: "check whether it happened before repeating it",
  12: "run parley doctor to check the folders",
};

const CHANNELS_HINT = "run parley channel list to see your channels";

/** The most of a provider's sentence, cells. */
const TEXT_CELLS = 1000;

const cleanText = (text: string): string => truncate(cleanLine(text), TEXT_CELLS);

/** What a refusal means, by exit code; the provider's own message is printed as well. */
const MEANINGS: Partial<Record<ExitCode, string>> = {
  3: "not found",
  4: "the provider rejected your credentials",
  5: "you are not allowed to do this",
  6: "it conflicts with the current state",
  7: "the provider rejected the input",
  10: "the provider cannot do this right now",
  11: "it may have happened anyway",
};

/** Statuses of a call that the provider does not have: no other user may make it. */
const NOT_OFFERED: ReadonlySet<number | undefined> = new Set([405, 501]);

const meaningOf = (exit: ExitCode, status: number | undefined): string | undefined =>
  NOT_OFFERED.has(status) ? "the provider does not offer this" : MEANINGS[exit];

const UNREACHED = {
  sure: "the provider cannot be reached",
  unsure: "no answer arrived: it may have happened",
};
/** An answer that does not follow the protocol. */
const MISREAD = {
  sure: "the provider's answer was not understood",
  unsure: "the provider's answer was not understood: it may have happened",
};
const MISREAD_HINT =
  "run parley doctor to check what answers at that address; a newer version may understand it";

const ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "that is a folder, not a file",
  ENOTDIR: "a part of that path is a file, not a folder",
  EEXIST: "it already exists",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EFBIG: "it would be larger than files may be here",
  EROFS: "the disk is read-only",
};

/** A folder that cannot be made: its name is taken, or nothing above it can hold it. */
const MKDIR_ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "this folder cannot be created",
  EEXIST: "that is a file, not a folder",
};

type ProblemBase = Pick<Problem, "exit" | "retryable" | "hint">;

export function readProblem(error: unknown): Problem {
  const exit = exitOf(error);
  const facts = (error instanceof Error ? error : new Error(String(error))) as ErrorFacts;
  const isChannel = exit === 3 && facts.about === "channel";
  const hint = facts.hint ?? (isChannel ? CHANNELS_HINT : HINTS[exit]);
  const base = { exit, retryable: exit === 10, ...(hint === undefined ? {} : { hint }) };
  if (facts.name === "UploadFailure" && facts.upload) return uploadProblem(facts, facts.upload, base);
  if (facts.name === "ApiError" && facts.kind !== "unlisted") return refusal(facts, base);
  if (facts.name === "TransportError") return lostCall(facts, base);
  if (facts.syscall === "uv_cwd")
    return {
      exit,
      retryable: false,
      message: "The folder you are in has been deleted",
      hint: "cd to another one",
    };
  const code = String(facts.code);
  const folder = facts.syscall === "mkdir" ? MKDIR_ERRNO[code] : undefined;
  const meaning = folder ?? ERRNO[code];
  // Errors on an open file handle have no path.
  if (meaning !== undefined && (facts.path ?? facts.syscall) !== undefined) {
    const { hint: general, ...withoutHint } = base;
    const { path } = facts;
    const named = path === undefined ? meaning : `${cleanText(path)}: ${meaning}`;
    return {
      ...withoutHint,
      ...(exit === 12 && general ? { hint: general } : {}),
      message:
        folder === undefined && code === "ENOENT" && path !== undefined
          ? `There is no file ${cleanText(path)}`
          : named,
    };
  }
  return {
    ...base,
    message: cleanText(facts.message.replace(/^error: /, "").replace(/\.$/, "")),
    ...(facts.because === undefined ? {} : { because: cleanText(facts.because) }),
  };
}

function uploadProblem(
  facts: ErrorFacts,
  { name, reason }: NonNullable<ErrorFacts["upload"]>,
  base: ProblemBase,
): Problem {
  const message = cleanText(facts.sentence ?? facts.message);
  const refused = refusedUpload(facts);
  if (!refused)
    return {
      ...base,
      message,
      because: `${cleanText(name)}: ${cleanText(blockedWhy(reason ?? ""))}`,
    };
  const cause = readProblem(refused);
  const reasons = [cause.message, cause.because].filter((each) => each !== undefined);
  return { ...cause, message, because: `${cleanText(name)}: ${reasons.join("; ")}` };
}

/** When to retry, if the provider limits the rate and gives a time. */
function laterHint(facts: ErrorFacts): string | undefined {
  if (facts.status !== 429) return undefined;
  const wait = retryWait(facts, Date.now());
  const again =
    wait === undefined ? "" : `run the same command again in ${Math.max(1, Math.ceil(wait / 1000))} s`;
  if (!isOverBudget(facts)) return again === "" ? undefined : again;
  const { budget } = facts;
  const left =
    budget === undefined
      ? `${count(callsLeft(facts), "call is", "calls are")} left`
      : `${budget.used} of ${budget.limit} ms are used`;
  return `${left}: what this one costs is limited, not their number; ask for less at once${again && `, or ${again}`}`;
}

/** A token that is not valid yet, or dated in the future: in most cases one of the two clocks is wrong. */
const CLOCK_HINT = "run parley doctor, which compares this machine's clock with the provider's";

/** The hints of codes that say more than the exit code they lead to. */
const CODE_HINTS: Readonly<Record<number, string>> = {
  41: CLOCK_HINT,
  42: CLOCK_HINT,
  44: "the app's own commands need an address that answers them: parley app set custom_action_handler_url=https://example.org/commands, with the server secret",
};

const NOT_ALLOWED_HINT =
  "add --as <user> to act as somebody who may, or have your role changed (parley whoami shows who you are)";

function refusal(facts: ErrorFacts, base: ProblemBase): Problem {
  const { message, code, status, requestId } = facts;
  const { exit } = base;
  const later = laterHint(facts);
  const { operation, reason: rawReason } = failureOf(message);
  const reason = cleanText(rawReason);
  const details = [
    typeof code === "number" ? `code ${code}` : "",
    `HTTP ${status}`,
    requestId ? `request ${requestId}` : "",
  ].filter(Boolean);
  const meaning = meaningOf(exit, status);
  const failed = operation ? `${operation} failed` : (meaning ?? "the provider refused");
  return {
    ...base,
    ...(status === STORAGE_FULL ? { hint: "free disk space for the provider, then run it again" } : {}),
    ...(CODE_HINTS[Number(code)] === undefined || facts.hint !== undefined
      ? {}
      : { hint: CODE_HINTS[Number(code)]! }),
    ...(later && facts.hint === undefined ? { hint: later } : {}),
    ...(code === NOT_ALLOWED && base.hint === undefined ? { hint: NOT_ALLOWED_HINT } : {}),
    // The reason is what people want to read first.
    message: reason === "" ? (meaning ?? `the provider answered HTTP ${status}`) : reason,
    because: `${failed} (${details.join(", ")})`,
    ...(status === undefined ? {} : { http: status }),
    ...(typeof code === "number" ? { provider_code: code } : {}),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}

/** A call without an answer, or with an unreadable one. */
function lostCall(facts: ErrorFacts, base: ProblemBase): Problem {
  const misread = isUnreadableAnswer(facts);
  return {
    ...base,
    ...(misread && base.exit === 1 ? { hint: MISREAD_HINT } : {}),
    retryable: base.retryable && facts.retryable !== false,
    message: (misread ? MISREAD : UNREACHED)[base.exit === 11 ? "unsure" : "sure"],
    because: cleanText(facts.message),
    ...(facts.requestId === undefined ? {} : { request_id: facts.requestId }),
  };
}

export function problemText(problem: Problem): string {
  const lines = [`error: ${problem.message}`];
  if (problem.because) lines.push(`  because: ${problem.because}`);
  if (problem.hint) lines.push(`hint: ${cleanText(problem.hint)}`);
  return `${lines.join("\n")}\n`;
}

export function problemJson(problem: Problem): string {
  const { exit, message, because, hint, retryable, http, provider_code, request_id } = problem;
  return `${JSON.stringify({
    error: { code: exitName(exit), exit, message, because, hint, retryable, request_id, http, provider_code },
  })}\n`;
}
