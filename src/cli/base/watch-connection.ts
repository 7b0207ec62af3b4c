/** Watches the live connection for a command that needs it: problems go to standard error, its end becomes an exit code. */
import type { Core } from "../../core/core.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import { reasonOf } from "../../wire/errors.ts";
import { ExitError, exitOfCode } from "./exit.ts";
import { type Shell, printNotice } from "./shell.ts";

type Link = ReturnType<Core["state"]>["link"];

/** The error of a run whose connection will not be retried. */
function connectionStopped({ cause, code, hint, reason = "" }: Link): ExitError {
  const message = cleanLine(reasonOf(reason));
  if (cause === "blocked") return new ExitError(10, message, hint);
  if (cause !== "refused") return new ExitError(1, `the connection has stopped: ${message}`);
  const refusal = words.link.refused[code ?? Number.NaN] ?? words.link.refusedOtherwise;
  return new ExitError(
    exitOfCode(code),
    message === "" ? refusal : `${refusal} (${message})`,
    "run parley login with another token, or ask the owner of the app",
  );
}

/** Reports each problem once when it begins, and calls `onStopped` when no retry will follow. Returns the unsubscribe function. */
export function watchConnection(shell: Shell, core: Core, onStopped: (error: ExitError) => void): () => void {
  let cause: Link["cause"];
  let wasOpen = false;
  let hasReported = false;
  const check = (): void => {
    const { link } = core.state();
    if (link.phase === "stopped") return onStopped(connectionStopped(link));
    if (link.phase === "open") wasOpen = true;
    // A connection that never opened ends the run instead of being reported here.
    if (wasOpen && link.cause === "ended" && cause === undefined)
      printNotice(shell, `${cleanLine(link.reason ?? words.link.ended)}; retrying every minute`);
    if (!wasOpen && !hasReported && link.cause === undefined && link.failures > 1) {
      hasReported = true;
      printNotice(shell, `${words.link.notYet}: ${cleanLine(link.reason ?? "")}; retrying`);
    }
    // The cause is cleared between two attempts: keep the last one until the connection opens.
    if (link.phase === "open" || link.cause !== undefined) cause = link.cause;
  };
  check();
  return core.subscribe(check);
}
