/** `parley send`: the short way to message send, with text from arguments, a pipe, or a message for each line. */
import { commands } from "../../../commands/index.ts";
import type { Raw } from "../../../commands/base/args.ts";
import { REPORT_ARGS, Report } from "../../../commands/base/report.ts";
import { whyOf } from "../../../commands/base/several.ts";
import { textOf } from "../../../commands/base/text.ts";
import type { Values } from "../../../commands/base/define-command.ts";
import { ExitError, exitOf } from "../../base/exit.ts";
import { runCommand, runMany } from "../../run/run.ts";
import { inputKind, readLines, readText } from "../../base/stdio.ts";
import { say } from "../../base/shell.ts";
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
  if (args.lines) return sendLines(shell, args, typed);
  const message = (body: string | undefined): Promise<number> => {
    const raw: Raw = { ...flagsOf(typed), ...(body === undefined ? {} : { text: body }) };
    return runCommand(shell, "send", commands["message send"]!, raw, [], { queue: args.queue ?? false });
  };
  const attached = args.file?.length || args.poll !== undefined || args.location !== undefined;
  // Standard input is read without `-` only when data really comes and no text was given.
  const source = text === undefined && isPiped(shell) && !attached ? "-" : text;
  if (args.code === undefined) return message(source);
  const body = await textOf({ input: () => readText(shell.in, shell.signal) }, source);
  return message(fence(body, args.code));
};
export default send;

function isPiped(shell: Shell): boolean {
  const kind = inputKind(shell.in);
  return kind === "pipe" || kind === "file";
}

/** What all messages of a run have in common. */
function flagsOf(typed: Raw): Raw {
  const { lines: _lines, code: _code, queue: _queue, text: _text, ...flags } = typed;
  for (const name of Object.keys(REPORT_ARGS)) delete flags[name];
  return flags;
}

/** No channel or no thread: no other line would get further. What is not allowed may be about one line, such as a link in it. */
const concernsAll = (error: unknown): boolean => exitOf(error) === 3;

/** A message for each line of standard input. One that is refused stops no other, and the end says which were. */
async function sendLines(shell: Shell, args: Given, typed: Raw): Promise<number> {
  const { text, id, code, idempotencyKey, queue = false } = args;
  if (text !== undefined && text !== "-")
    throw new ExitError(2, "--lines reads standard input: leave the text out, or write -.");
  if (id !== undefined)
    throw new ExitError(2, "--lines sends many messages: --id can name only one.", "Use --idempotency-key.");
  const report = await Report.open(args, "line", shell.flags.dryRun === true);
  const flags = flagsOf(typed);
  const sendAll = async (run: (raw: Raw) => Promise<number>): Promise<number> => {
    let line = 0;
    let n = 0;
    for await (const read of readLines(shell.in, shell.signal)) {
      if (shell.signal.aborted) return 130;
      line++;
      if (read.trim() === "") continue;
      // One key for a whole stream: each line gets its own id from it.
      const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}#${n}` };
      n++;
      if (report.has({ line })) continue;
      try {
        await run({ ...flags, ...key, text: code === undefined ? read : fence(read, code) });
        report.done([{ line, result: "sent" }]);
      } catch (error) {
        if (concernsAll(error)) throw error;
        report.failed({ line }, error);
        say(shell, `line ${line}: ${whyOf(error)}`);
      }
    }
    report.end();
    return 0;
  };
  return runMany(shell, "send", commands["message send"]!, flags, sendAll, { queue });
}
