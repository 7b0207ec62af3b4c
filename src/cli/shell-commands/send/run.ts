/** `parley send`: the short way to message send, with text from arguments, a pipe, or a message for each line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { commands } from "../../../commands/index.ts";
import type { RawArgs } from "../../../commands/base/args.ts";
import { REPORT_ARGS, Report } from "../../../commands/base/bulk/report.ts";
import { reasonText } from "../../../commands/base/bulk/outcomes.ts";
import { idFromKey } from "../../../commands/message/send.ts";
import { textOf } from "../../../commands/base/text.ts";
import type { ArgValues } from "../../../commands/base/define-command.ts";
import { ExitError, exitOf } from "../../base/exit.ts";
import { TooLongError, withHint } from "../../../model/errors.ts";
import { piecesOf } from "../../../text/pieces.ts";
import { count } from "../../../text/words.ts";
import { runMany } from "../../run/run.ts";
import { inputKind, readLines, readText } from "../../base/stdio.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import type { SEND_ARGS } from "./args.ts";
import type { ShellRun } from "../../base/shell-command.ts";

type Given = ArgValues<typeof SEND_ARGS>;

const TAKES = { queue: true, id: true };

/** A fence longer than any in the text. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

const send: ShellRun<typeof SEND_ARGS> = async (shell, args, typed) => {
  const { text } = args;
  if (args.split && args.asFile) throw new ExitError(2, "--split and --as-file cannot be combined.");
  if (args.split && args.id !== undefined)
    throw new ExitError(
      2,
      "--split may send several messages: --id can name only one.",
      "Use --idempotency-key.",
    );
  if (args.lines) return sendLines(shell, args, typed);
  const attached = args.file.length || args.poll !== undefined || args.location !== undefined;
  // Standard input is read without `-` only when data really comes and no text was given.
  const source = text === undefined && isPiped(shell) && !attached ? "-" : text;
  const body =
    source === undefined && args.code === undefined
      ? undefined
      : await textOf({ input: () => readText(shell.in, shell.signal) }, source);
  return sendText(shell, args, typed, body);
};
export default send;

/** One message; of a text that is too long several, or one with a file, where that is asked for. */
async function sendText(
  shell: Shell,
  args: Given,
  typed: RawArgs,
  body: string | undefined,
): Promise<number> {
  const { code, split, asFile, file, queue } = args;
  const flags = flagsOf(typed);
  const written = (text: string): string => (code === undefined ? text : fence(text, code));
  const sendIt = async (run: (raw: RawArgs) => Promise<number>): Promise<number> => {
    if (body === undefined) return run(flags);
    try {
      return await run({ ...flags, text: written(body) });
    } catch (error) {
      if (!(error instanceof TooLongError)) throw error;
      if (asFile) return withFile(body, (made) => run({ ...flags, file: [...file, made] }));
      if (!split) throw withHint(error, "Add --split or --as-file.");
      const room = error.most - (written(body).length - body.length);
      return sendPieces(shell, run, flags, piecesOf(body, Math.max(1, room)).map(written));
    }
  };
  return runMany(shell, "send", commands["message send"]!, flags, sendIt, { queue, accepts: TAKES });
}

/** The pieces in their order; which of them were sent is said when one is refused. */
async function sendPieces(
  shell: Shell,
  run: (raw: RawArgs) => Promise<number>,
  flags: RawArgs,
  pieces: readonly string[],
): Promise<number> {
  const { idempotencyKey } = flags;
  for (const [n, text] of pieces.entries())
    try {
      await run({
        ...flags,
        ...(idempotencyKey && { idempotencyKey: `${String(idempotencyKey)}#${n}` }),
        text,
      });
    } catch (error) {
      printNotice(shell, `${n} of ${count(pieces.length, "message")} were sent`);
      throw error;
    }
  return 0;
}

/** The text as a file that is there as long as it is sent. */
async function withFile(text: string, use: (file: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const file = path.join(folder, "message.txt");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isPiped(shell: Shell): boolean {
  const kind = inputKind(shell.in);
  return kind === "pipe" || kind === "file";
}

/** Flags that are not those of one message. */
const OWN = ["lines", "code", "split", "asFile", "queue", "text"];

/** What all messages of a run have in common. */
function flagsOf(typed: RawArgs): RawArgs {
  const flags = { ...typed };
  for (const name of [...OWN, ...Object.keys(REPORT_ARGS)]) delete flags[name];
  return flags;
}

/** No channel or no thread: no other line would get further. What is not allowed may be about one line, such as a link in it. */
const concernsAll = (error: unknown): boolean => exitOf(error) === 3;

/** A message for each line of standard input. One that is refused stops no other, and the end says which were. */
async function sendLines(shell: Shell, args: Given, typed: RawArgs): Promise<number> {
  const { text, id, code, poll, idempotencyKey, queue } = args;
  if (text !== undefined && text !== "-")
    throw new ExitError(2, "--lines reads standard input: leave the text out, or write -.");
  if (id !== undefined)
    throw new ExitError(2, "--lines sends many messages: --id can name only one.", "Use --idempotency-key.");
  const report = await Report.open(args, "line", shell.flags.dryRun === true);
  // A poll is made anew with each message.
  const run = poll === undefined ? report.runId(() => crypto.randomUUID()) : undefined;
  const flags = flagsOf(typed);
  const sendAll = async (sendOne: (raw: RawArgs) => Promise<number>): Promise<number> => {
    let line = 0;
    let n = 0;
    for await (const read of readLines(shell.in, shell.signal)) {
      if (shell.signal.aborted) return 130;
      line++;
      if (read.trim() === "") continue;
      // One key for a whole stream: each line gets its own id from it.
      const key = idempotencyKey === undefined ? run && `${run}#${line}#${read}` : `${idempotencyKey}#${n}`;
      n++;
      const row = { line, ...(key && { id: await idFromKey(key) }) };
      if (report.isDone(row)) continue;
      try {
        await sendOne({
          ...flags,
          ...(key && { idempotencyKey: key }),
          text: code === undefined ? read : fence(read, code),
        });
        report.done([{ ...row, result: "sent" }]);
      } catch (error) {
        if (concernsAll(error)) throw error;
        report.failed([row], error);
        printNotice(shell, `line ${line}: ${reasonText(error)}`);
      }
    }
    report.end();
    return 0;
  };
  try {
    return await runMany(shell, "send", commands["message send"]!, flags, sendAll, {
      queue,
      accepts: { queue: true },
    });
  } finally {
    report.close();
  }
}
