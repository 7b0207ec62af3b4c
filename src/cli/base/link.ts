/** Watches the live connection of a command that depends on it: its end becomes an exit code, trouble goes to standard error. */
import type { Core } from "../../core/core.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import { reasonOf } from "../../wire/errors.ts";
import { ExitError, exitOfCode } from "./exit.ts";
import { type Shell, say } from "./shell.ts";

type Link = ReturnType<Core["state"]>["link"];

/** The end of a run whose connection has stopped for good. */
function stoppedLink({ cause, code, todo, reason = "" }: Link): ExitError {
  const why = cleanLine(reasonOf(reason));
  if (cause === "blocked") return new ExitError(10, why, todo);
  if (cause !== "refused") return new ExitError(1, `the connection has stopped: ${why}`);
  const known = words.link.refused[code ?? Number.NaN] ?? words.link.refusedOtherwise;
  return new ExitError(
    exitOfCode(code),
    why === "" ? known : `${known} (${why})`,
    "parley login with another token, or ask whoever runs the app",
  );
}

/** Tells of trouble once each time it begins, and calls `stopped` when nothing is tried any more; the result ends it. */
export function watchLink(shell: Shell, core: Core, stopped: (error: ExitError) => void): () => void {
  let cause: Link["cause"];
  let wasOpen = false;
  let isTold = false;
  const look = (): void => {
    const { link } = core.state();
    if (link.phase === "stopped") return stopped(stoppedLink(link));
    if (link.phase === "open") wasOpen = true;
    // One that was never open and is ended each time ends the run, with these words.
    if (wasOpen && link.cause === "ended" && cause === undefined)
      say(shell, `${cleanLine(link.reason ?? words.link.ended)}; it is tried again every minute`);
    if (!wasOpen && !isTold && link.cause === undefined && link.failures > 1) {
      isTold = true;
      say(shell, `${words.link.notYet}: ${cleanLine(link.reason ?? "")}; it is tried again`);
    }
    // Between two tries nothing has become better.
    if (link.phase === "open" || link.cause !== undefined) cause = link.cause;
  };
  look();
  return core.subscribe(look);
}
