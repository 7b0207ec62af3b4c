/** Prompts on a terminal: yes or no, a word to type, a secret without echo; without a terminal they are usage errors. */
import { createInterface } from "node:readline/promises";
import type { Question } from "../../commands/base/define-command.ts";
import { wholeText } from "../../commands/base/text.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { ExitError } from "./exit.ts";
import type { Shell } from "./shell.ts";
import { readText } from "./stdio.ts";

export function canPrompt(shell: Shell): boolean {
  return shell.tty.in && shell.tty.err && !shell.settings.nonInteractive;
}

/** True when a flag answers the question. Throws `ExitError` 2 when neither a flag nor a person can answer. */
export function isAnsweredByFlag(shell: Shell, { level, word, question }: Question): boolean {
  const severe = level === "severe" && word !== undefined;
  if (severe ? shell.flags.confirm === word : shell.flags.yes) return true;
  if (shell.confirmer || canPrompt(shell)) return false;
  throw new ExitError(
    2,
    // The last line of a longer text is the question.
    `${question.split("\n").at(-1)} Cannot prompt: not a terminal.`,
    severe ? `Add --confirm ${word} to continue.` : "Add --yes to continue.",
  );
}

/** Returns when the answer is yes. Throws `ExitError` 2 when it cannot prompt, 130 for a no. */
export async function confirm(shell: Shell, question: Question): Promise<void> {
  if (isAnsweredByFlag(shell, question)) return;
  if (shell.confirmer) {
    if (await shell.confirmer(question)) return;
    throw new ExitError(130, "Cancelled.", "Nothing was changed.");
  }
  const { level, word } = question;
  const severe = level === "severe" && word !== undefined;
  const answer = await promptLine(
    shell,
    severe ? `${question.question}\nType ${word} to continue: ` : `${question.question} [y/N] `,
  );
  if (severe ? answer === word : /^y(es)?$/i.test(answer.trim())) return;
  throw new ExitError(130, "Cancelled.", "Nothing was changed.");
}

/** Asks before there is a shell. Undefined without a terminal. Throws `ExitError` 130 for anything but yes and no. */
export async function askOnTerminal(
  { stdin, stderr }: Pick<NodeJS.Process, "stdin" | "stderr">,
  signal: AbortSignal,
  nonInteractive: boolean,
  question: string,
): Promise<boolean | undefined> {
  if (!stdin.isTTY || !stderr.isTTY || nonInteractive) return undefined;
  const answer = (await promptLine({ in: stdin, err: stderr, signal }, `${question} [y/n]`)).trim();
  if (/^y(es)?$/i.test(answer)) return true;
  if (/^no?$/i.test(answer)) return false;
  throw new ExitError(130, "Cancelled.", "Nothing was changed.");
}

/** Reads one line from the terminal; the prompt goes to standard error. */
export async function promptLine(
  shell: Pick<Shell, "in" | "err" | "signal" | "eraseProgress">,
  question: string,
): Promise<string> {
  shell.eraseProgress?.();
  const lines = createInterface({ input: shell.in, output: shell.err });
  const shown = `${question.split("\n").map(cleanLine).join("\n")} `;
  try {
    return await lines.question(shown, { signal: shell.signal });
  } catch {
    throw new ExitError(130, "Cancelled.");
  } finally {
    lines.close();
  }
}

/** Reads a secret: typed without echo on a terminal, else all of standard input. */
export async function promptSecret(shell: Shell, question: string): Promise<string> {
  const { in: input, err, signal } = shell;
  if (!input.isTTY) {
    return (await wholeText(readText(input, signal))).replace(/\r?\n$/, "");
  }
  if (!canPrompt(shell))
    throw new ExitError(
      2,
      `${question} Cannot prompt: not a terminal.`,
      "Pipe it in: --with-token or --secret-stdin.",
    );
  // Echo is switched off before the prompt appears, so that input pasted early does not show.
  input.setRawMode?.(true);
  err.write(question);
  input.resume();
  input.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = (finish: () => void): void => {
      input.off("data", onData);
      input.setRawMode?.(false);
      input.pause();
      err.write("\n");
      finish();
    };
    const onData = (piece: string): void => {
      for (const c of piece) {
        if (c === "\r" || c === "\n" || c === "\u0004") return end(() => resolve(typed));
        if (c === "\u0003") return end(() => reject(new ExitError(130, "Cancelled.")));
        if (c === "\u007f" || c === "\b") typed = [...typed].slice(0, -1).join("");
        else if (c === "\u0015") typed = "";
        else if (c >= " ") typed += c;
      }
    };
    input.on("data", onData);
  });
}
