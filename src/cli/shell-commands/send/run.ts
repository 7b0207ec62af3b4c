/** `parley send`: the short way to message send, with text from arguments, a pipe, or a message for each line. */
import { commands } from "../../../commands/index.ts";
import type { Raw } from "../../../commands/base/args.ts";
import { textOf } from "../../../commands/base/text.ts";
import type { Values } from "../../../commands/base/define-command.ts";
import { ExitError } from "../../base/exit.ts";
import { runCommand } from "../../run/run.ts";
import { inputKind, readLines, readText } from "../../base/stdio.ts";
import type { Shell } from "../../base/shell.ts";
import type { SEND_ARGS } from "./index.ts";
import type { ShellRun } from "../../base/shell-command.ts";

type Given = Values<typeof SEND_ARGS>;

/** A fence longer than any in the text. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

const send: ShellRun<typeof SEND_ARGS> = async (shell, args, typed) => {
  const { text } = args;
  const message = messageOf(shell, args, typed);
  if (args.lines) return sendLines(shell, args, message);
  const attached = args.file?.length || args.poll !== undefined || args.location !== undefined;
  // Standard input is read without `-` only when data really comes and no text was given.
  const source = text === undefined && isPiped(shell) && !attached ? "-" : text;
  if (args.code === undefined) return message(source);
  const body = await textOf({ input: () => readText(shell.in) }, source);
  return message(fence(body, args.code));
};
export default send;

function isPiped(shell: Shell): boolean {
  const kind = inputKind(shell.in);
  return kind === "pipe" || kind === "file";
}

/** Sends one message with the flags that were typed; `n` is its number among several. */
function messageOf(
  shell: Shell,
  args: Given,
  typed: Raw,
): (body: string | undefined, n?: number) => Promise<number> {
  const { lines: _lines, code: _code, queue: _queue, text: _text, ...flags } = typed;
  return (body, n) => {
    const raw: Raw = { ...flags, ...(body === undefined ? {} : { text: body }) };
    // One key for a whole stream: each line gets its own id from it.
    if (n !== undefined && args.idempotencyKey !== undefined)
      raw.idempotencyKey = `${args.idempotencyKey}#${n}`;
    const { queue = false } = args;
    return runCommand(shell, "send", commands["message send"]!, raw, [], { queue });
  };
}

/** A message for each line of standard input; the worst exit code of them. */
async function sendLines(
  shell: Shell,
  { text, id, code }: Given,
  message: ReturnType<typeof messageOf>,
): Promise<number> {
  if (text !== undefined && text !== "-")
    throw new ExitError(2, "--lines reads standard input: leave the text out, or write -.");
  if (id !== undefined)
    throw new ExitError(2, "--lines sends many messages: --id can name only one.", "Use --idempotency-key.");
  let n = 0;
  let worst = 0;
  for await (const line of readLines(shell.in, shell.signal)) {
    if (shell.signal.aborted) return 130;
    if (line.trim() === "") continue;
    worst = Math.max(worst, await message(code === undefined ? line : fence(line, code), n++));
  }
  return worst;
}
