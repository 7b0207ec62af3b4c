/** `parley send`: the short way to message send, with text from arguments, a pipe, or a message for each line. */
import { commands } from "../../commands/index.ts";
import type { Raw } from "../../commands/base/args.ts";
import { textOf } from "../../commands/base/text.ts";
import { ExitError } from "../base/exit.ts";
import { runCommand } from "../run/run.ts";
import { inputKind, readLines, readText } from "../base/stdio.ts";
import type { OwnRun } from "./kit.ts";

/** A fence longer than any in the text. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

const send: OwnRun = async (shell, values) => {
  const { lines, code, queue, text, ...rest } = values;
  const command = commands["message send"]!;
  const kind = inputKind(shell.in);
  const piped = kind === "pipe" || kind === "file";
  const options = { queue: queue === true };
  const one = (body: string | undefined, n?: number): Promise<number> => {
    const raw = { ...rest, ...(body === undefined ? {} : { text: body }) } as Raw;
    // One key for a whole stream: each line gets its own id from it.
    if (n !== undefined && typeof raw.idempotencyKey === "string")
      raw.idempotencyKey = `${raw.idempotencyKey}#${n}`;
    return runCommand(shell, "send", command, raw, [], options);
  };
  if (lines) {
    if (text !== undefined && text !== "-")
      throw new ExitError(2, "--lines reads standard input: leave the text out, or write -.");
    if (rest.id !== undefined)
      throw new ExitError(
        2,
        "--lines sends many messages: --id can name only one.",
        "Use --idempotency-key.",
      );
    let n = 0;
    let worst = 0;
    for await (const line of readLines(shell.in, shell.signal)) {
      if (shell.signal.aborted) return 130;
      if (line.trim() === "") continue;
      worst = Math.max(worst, await one(code === undefined ? line : fence(line, String(code)), n++));
    }
    return worst;
  }
  // Standard input is read without `-` only when data really comes and no text was given.
  const source =
    text === undefined &&
    piped &&
    !(rest.file as string[] | undefined)?.length &&
    rest.poll === undefined &&
    rest.location === undefined
      ? "-"
      : (text as string | undefined);
  if (code === undefined) return one(source);
  const body = await textOf({ input: () => readText(shell.in) }, source);
  return one(fence(body, String(code)));
};
export default send;
