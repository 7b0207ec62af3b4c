/** An error as people and scripts read it: three lines on standard error, or one JSON object with --json. */
import { failureOf } from "../../wire/errors.ts";
import { askedWait } from "../../wire/rate-limits.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { exitName, exitOf, isMisread, type ExitCode, type ExitContext } from "./exit.ts";

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

/** What to do next, by exit code, where the error itself does not say. */
const HINTS: Partial<Record<ExitCode, string>> = {
  1: "run it again with PARLEY_DEBUG=1 to see where it happened",
  4: "parley login, or parley profile test",
  10: "run the same command again; parley doctor looks for the reason",
  11: "check whether it happened before repeating it",
  12: "parley doctor checks the folders",
};

const first = (text: string): string => cleanLine(text).slice(0, 1000);

/** What an answer means, by exit code: the provider's own words follow as the reason. */
const MEANINGS: Partial<Record<ExitCode, string>> = {
  3: "there is no such thing",
  4: "the provider does not accept who you are",
  5: "you may not do this",
  6: "that does not fit how things are now",
  7: "the provider refuses the input",
  10: "the provider cannot do this now",
  11: "it may have happened all the same",
};

const UNREACHED = {
  sure: "the provider cannot be reached",
  unsure: "no answer arrived: it may have happened",
};
/** Something answered, and not as the protocol says. */
const MISREAD = {
  sure: "the provider's answer was not understood",
  unsure: "the provider's answer was not understood: it may have happened",
};
const MISREAD_HINT =
  "parley doctor looks what stands at that address; a newer version may know more of what it says";

/** The status of a provider whose disk refuses to take more. */
const STORAGE = 507;

/** What the file system means. */
const ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "you may not read or write there",
  EPERM: "you may not do that there",
  EISDIR: "that is a folder, not a file",
  ENOTDIR: "a part of that path is a file, not a folder",
  EEXIST: "something else is there already",
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is used up",
  EROFS: "the disk is read-only",
};

/** The app's rules for uploads, by the name they have in its settings. */
const RULES: Readonly<Record<string, string>> = {
  allowed_file_extensions: "this app takes no files with that ending",
  blocked_file_extensions: "this app takes no files with that ending",
  allowed_mime_types: "this app takes no files of that kind",
  blocked_mime_types: "this app takes no files of that kind",
  size_limit: "it is bigger than this app takes",
};

/** What every problem has, whatever went wrong. */
type Base = Pick<Problem, "exit" | "retryable" | "hint">;

export function readProblem(error: unknown): Problem {
  const exit = exitOf(error);
  const facts = (error instanceof Error ? error : new Error(String(error))) as ExitContext;
  const hint = facts.hint ?? HINTS[exit];
  const base = { exit, retryable: exit === 10, ...(hint === undefined ? {} : { hint }) };
  if (facts.name === "UploadFailure" && facts.upload) return uploadProblem(facts, facts.upload, base);
  if (facts.name === "ApiError") return refusal(facts, base);
  if (facts.name === "TransportError") return lostCall(facts, base);
  const meant = ERRNO[String(facts.code)];
  // A call on what is open already names no path.
  if (meant !== undefined && (facts.path ?? facts.syscall) !== undefined) {
    const { hint: general, ...rest } = base;
    const { path, code } = facts;
    const named = path === undefined ? meant : `${first(path)}: ${meant}`;
    return {
      ...rest,
      ...(exit === 12 && general ? { hint: general } : {}),
      message: code === "ENOENT" && path !== undefined ? `There is no file ${first(path)}` : named,
    };
  }
  return {
    ...base,
    message: first(facts.message.replace(/^error: /, "").replace(/\.$/, "")),
    ...(facts.because === undefined ? {} : { because: first(facts.because) }),
  };
}

function uploadProblem(
  facts: ExitContext,
  { name, reason }: NonNullable<ExitContext["upload"]>,
  base: Base,
): Problem {
  const message = first(facts.sentence ?? facts.message);
  if (!(facts.cause instanceof Error))
    return { ...base, message, because: `${first(name)}: ${RULES[reason ?? ""] ?? first(reason ?? "")}` };
  const of = readProblem(Object.assign(facts.cause, { about: "channel" }));
  const why = [of.message, of.because].filter((each) => each !== undefined);
  return { ...of, message, because: `${first(name)}: ${why.join("; ")}` };
}

/** When it may be tried again, where the provider limits calls and says how long. */
function laterHint(facts: ExitContext): string | undefined {
  const wait = facts.status === 429 ? askedWait(facts, Date.now()) : undefined;
  return wait === undefined
    ? undefined
    : `run the same command again in ${Math.max(1, Math.ceil(wait / 1000))} s`;
}

/** The provider answered, and refused. */
function refusal(facts: ExitContext, base: Base): Problem {
  const { message, code, status, requestId, about } = facts;
  const { exit } = base;
  const later = laterHint(facts);
  const { operation, reason: given } = failureOf(message);
  const reason = first(given);
  const details = [
    typeof code === "number" ? `code ${code}` : "",
    `HTTP ${status}`,
    requestId ? `request ${requestId}` : "",
  ].filter(Boolean);
  const failed = operation ? `${operation} failed` : (MEANINGS[exit] ?? "the provider refused");
  return {
    ...base,
    ...(status === STORAGE ? { hint: "make room where the provider keeps its data, then run it again" } : {}),
    ...(later && facts.hint === undefined ? { hint: later } : {}),
    ...(exit === 3 && about === "channel" && base.hint === undefined
      ? { hint: "parley channel list shows those you are in" }
      : {}),
    // The reason is what people want to read first.
    message: reason === "" ? (MEANINGS[exit] ?? `the provider answered HTTP ${status}`) : reason,
    because: `${failed} (${details.join(", ")})`,
    ...(status === undefined ? {} : { http: status }),
    ...(typeof code === "number" ? { provider_code: code } : {}),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}

/** No answer, or none that was understood. */
function lostCall(facts: ExitContext, base: Base): Problem {
  const misread = isMisread(facts);
  return {
    ...base,
    ...(misread && base.exit === 1 ? { hint: MISREAD_HINT } : {}),
    retryable: base.retryable && facts.retryable !== false,
    message: (misread ? MISREAD : UNREACHED)[base.exit === 11 ? "unsure" : "sure"],
    because: first(facts.message),
    ...(facts.requestId === undefined ? {} : { request_id: facts.requestId }),
  };
}

export function problemText(problem: Problem): string {
  const lines = [`error: ${problem.message}`];
  if (problem.because) lines.push(`  because: ${problem.because}`);
  if (problem.hint) lines.push(`hint: ${first(problem.hint)}`);
  return `${lines.join("\n")}\n`;
}

export function problemJson(problem: Problem): string {
  const { exit, message, because, hint, retryable, http, provider_code, request_id } = problem;
  return `${JSON.stringify({
    error: { code: exitName(exit), exit, message, because, hint, retryable, request_id, http, provider_code },
  })}\n`;
}
