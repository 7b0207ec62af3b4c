/** `parley send`: sends text from arguments or a pipe as one message, several, or one per line. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import messageSend from "../../commands/message/send.ts";
import { REPORT_ARGS, Report } from "../../commands/base/bulk/report.ts";
import { reasonText } from "../../commands/base/bulk/outcomes.ts";
import { exists } from "../../commands/base/bulk/report-run.ts";
import { idFromKey, oldIdFromKey } from "../../commands/message/first-sent.ts";
import type { Message } from "../../wire/entities/message.ts";
import { mentionNames, mentionedBy, requireAllNamed } from "../../commands/base/mentions.ts";
import { cidOf } from "../../commands/base/resolve-channel.ts";
import { textOf } from "../../commands/base/text.ts";
import {
  type ArgValues,
  type Command,
  command,
  type Args,
  type RawArgs,
} from "../../commands/base/define-command.ts";
import { ExitError, exitOf } from "../base/exit.ts";
import type { ThreadRef } from "../../model/state.ts";
import { makeTemporaryFolder } from "../../model/files/temporary-folder.ts";
import { TooLongError, withHint } from "../../model/errors.ts";
import { splitText } from "../../text/pieces.ts";
import { count } from "../../text/words.ts";
import { runMany, type RunSession, type RunOnce } from "../run/run.ts";
import { inputKind, readLines, readText } from "../base/stdio.ts";
import { printNotice, type Shell } from "../base/shell.ts";

type Given = ArgValues<typeof SEND_ARGS>;

/** Wraps text in a code fence longer than any in the text. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

const { channel: _channel, text, ...messageFlags } = messageSend.args;

const SEND_ARGS = {
  channel: { kind: "channel", positional: true, help: "type:id, '#id' or @user" },
  text,
  ...messageFlags,
  lines: { kind: "flag", help: "Send each line of standard input as a message" },
  code: { kind: "text", value: "language", help: "Format the text as code in this language" },
  split: { kind: "flag", help: "Split an over-long text into several messages at line ends" },
  asFile: { kind: "flag", help: "Send an over-long text as a file, message.txt" },
  ...REPORT_ARGS,
  queue: { kind: "flag", help: "Leave the message in the outbox if it cannot be sent now" },
} as const satisfies Args;

export default command({
  shell: true,
  group: "Daily",
  summary: "Send a message to a channel",
  examples: [
    "send team:ops deploy done",
    "echo done | parley send '#ops' -",
    "send @ana --file report.pdf here it is",
    "git log -9 | parley send '#ops' --split -",
    "tail -f app.log | parley send '#ops' --lines -",
    "parley send '#ops' --lines --report sent.ndjson - < lines.txt",
  ],
  allowsDryRun: true,
  args: SEND_ARGS,
  async run(shell: Shell, args, typed) {
    const { text } = args;
    // `--code -` forgot the language: the dash was meant as the text.
    if (args.code === "-")
      throw new ExitError(2, "--code needs a language, such as ts.", "parley send '#ops' --code ts -");
    if (args.split && args.asFile) throw new ExitError(2, "--split and --as-file cannot be combined.");
    if (args.split && args.id !== undefined)
      throw new ExitError(
        2,
        "--split may send several messages: --id can name only one.",
        "Use --idempotency-key.",
      );
    if (args.lines) return sendLines(shell, args, typed);
    if ((args.report ?? args.resume ?? args.maxErrors) !== undefined)
      throw new ExitError(2, "--report, --resume and --max-errors go with --lines.");
    const attached = args.file.length || args.poll !== undefined || args.location !== undefined;
    // Standard input is read without `-` only if it is a pipe or file and no text was given.
    const source = text === undefined && isPiped(shell) && !attached ? "-" : text;
    const body =
      source === undefined && args.code === undefined
        ? undefined
        : await textOf({ input: () => readText(shell.in, shell.signal) }, source);
    return sendText(shell, args, typed, { body, isPiped: source === "-" || args.code !== undefined });
  },
});

interface Text {
  body: string | undefined;
  /** Written by a program: it mentions only by `--mention` (R-MENT-7). */
  isPiped: boolean;
}

/** Arguments that pass on a text as one given, or as one that was piped. */
const passText = (run: RunOnce, flags: RawArgs, text: string, isPiped: boolean): Promise<number> =>
  isPiped ? run({ ...flags, text: "-" }, `${text}\n`) : run({ ...flags, text });

/** Sends one message; a text that is too long becomes several (--split) or a file (--as-file). */
async function sendText(shell: Shell, args: Given, typed: RawArgs, { body, isPiped }: Text): Promise<number> {
  const { code, split, asFile, file, queue } = args;
  const flags = flagsOf(typed);
  const format = (text: string): string => (code === undefined ? text : fence(text, code));
  const sendBody = async (run: RunOnce, session: RunSession): Promise<number> => {
    if (body === undefined) return run(flags);
    try {
      return await passText(run, flags, format(body), isPiped);
    } catch (error) {
      if (!(error instanceof TooLongError)) throw error;
      if (asFile) return withFile(body, (textFile) => sendAsFile(shell, run, flags, [...file, textFile]));
      if (!split) throw withHint(error, "Add --split or --as-file.");
      const pieceLength = error.most - (format(body).length - body.length);
      const pieces = splitText(body, Math.max(1, pieceLength)).map(format);
      return sendPieces(shell, run, await mentioning(session, args, flags), { pieces, isPiped });
    }
  };
  return runMany(shell, "send", messageSend as unknown as Command, flags, sendBody, {
    queue,
    accepts: { queue: true, id: true },
  });
}

/** A message without a text can show no mention. */
function sendAsFile(
  shell: Shell,
  run: RunOnce,
  { mention, ...flags }: RawArgs,
  file: string[],
): Promise<number> {
  if (mention !== undefined) printNotice(shell, "nobody was mentioned: the text is in the file");
  return run({ ...flags, file });
}

/** The arguments of a text that is one of several: it mentions those of `--mention` whom it names. */
async function mentioning(
  session: RunSession,
  { mention }: Given,
  flags: RawArgs,
): Promise<{ of: (text: string) => RawArgs; requireAll: () => void }> {
  const names = await mentionNames(session, mention);
  const named = new Set<string>();
  return {
    of(text) {
      const ids = mentionedBy(text, names);
      for (const id of ids) named.add(id);
      return { ...flags, mention: ids };
    },
    requireAll: () => requireAllNamed(names, named),
  };
}

/** Sends the pieces in order; when one is refused, prints how many were sent. */
async function sendPieces(
  shell: Shell,
  run: RunOnce,
  flags: Awaited<ReturnType<typeof mentioning>>,
  { pieces, isPiped }: { pieces: readonly string[]; isPiped: boolean },
): Promise<number> {
  for (const [n, text] of pieces.entries())
    try {
      const { idempotencyKey, ...rest } = flags.of(text);
      const chosen = idempotencyKey ? { idempotencyKey: `${String(idempotencyKey)}#${n}` } : {};
      await passText(run, { ...rest, ...chosen }, text, isPiped);
    } catch (error) {
      printNotice(shell, `${n} of ${count(pieces.length, "message")} were sent`);
      throw error;
    }
  return 0;
}

/** Writes the text to a temporary file for the duration of the send. */
async function withFile(text: string, use: (file: string) => Promise<number>): Promise<number> {
  const folder = makeTemporaryFolder();
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

/** Flags of `send` that `message send` does not have, and the text. */
const SEND_ONLY = ["lines", "code", "split", "asFile", "queue", "text"];

function flagsOf(typed: RawArgs): RawArgs {
  const flags = { ...typed };
  for (const name of [...SEND_ONLY, ...Object.keys(REPORT_ARGS)]) delete flags[name];
  return flags;
}

/** A missing channel or thread fails every line; a permission error may concern one line only, such as a link in it. */
const failsAllLines = (error: unknown): boolean => exitOf(error) === 3;

/** Where the lines go. */
async function placeOf(session: RunSession, { channel, thread }: Given): Promise<ThreadRef> {
  return { cid: await cidOf(session, channel, true), ...(thread !== undefined && { parentId: thread }) };
}

/** Whether the message is in this place, or waits on this machine to get there. */
async function isSentTo({ core }: RunSession, id: string, { cid, parentId }: ThreadRef): Promise<boolean> {
  if (core.unsent().some((row) => row.id === id)) return true;
  let message: Message | undefined;
  const read = async (): Promise<void> =>
    void ({ message } = await core.call("getMessage", { path: { id } }));
  return (await exists(read())) && message?.cid === cid && message.parent_id === parentId;
}

interface Line {
  /** From 1, blank ones included. */
  number: number;
  /** From 0, without blank ones. */
  index: number;
  text: string;
}

/** The id of a line, so that repeating the run sends it once; none for polls, because each message gets a new one. */
async function chosenId(
  report: Report,
  { poll, idempotencyKey: key }: Given,
  user: string,
  place: ThreadRef,
  { number, index, text }: Line,
): Promise<{ id?: string; idempotencyKey?: string }> {
  if (key !== undefined) {
    const idempotencyKey = `${key}#${index}`;
    return { id: await idFromKey(user, place, idempotencyKey), idempotencyKey };
  }
  if (poll !== undefined || report.run === undefined) return {};
  const lineKey = `${report.run}#${number}#${text}`;
  return { id: await (report.isOld ? oldIdFromKey(lineKey) : idFromKey(user, place, lineKey)) };
}

/** Sends the lines that the report does not call done. Ends like `Report`. */
async function sendEach(
  shell: Shell,
  report: Report,
  idOf: (line: Line) => ReturnType<typeof chosenId>,
  sendOne: (line: string, chosen: Awaited<ReturnType<typeof chosenId>>) => Promise<unknown>,
): Promise<number> {
  let number = 0;
  let index = 0;
  for await (const text of readLines(shell.in, shell.signal)) {
    if (shell.signal.aborted) return 130;
    number++;
    if (text.trim() === "") continue;
    const chosen = await idOf({ number, index: index++, text });
    const row = { line: number, ...(chosen.id !== undefined && { id: chosen.id }) };
    if (report.isDone(row)) continue;
    try {
      await sendOne(text, chosen);
      report.done([{ ...row, result: "sent" }]);
    } catch (error) {
      if (failsAllLines(error)) throw error;
      report.failed([row], error);
      printNotice(shell, `line ${number}: ${reasonText(error)}`);
    }
  }
  report.end();
  return 0;
}

/** Sends each line of standard input as a message; a refused line does not stop the others and is reported. */
async function sendLines(shell: Shell, args: Given, typed: RawArgs): Promise<number> {
  const { text, id, queue } = args;
  if (text !== undefined && text !== "-")
    throw new ExitError(2, "--lines reads standard input: leave the text out, or write -.");
  if (args.split || args.asFile)
    throw new ExitError(2, "--lines sends each line as it is: leave --split and --as-file out.");
  if (id !== undefined)
    throw new ExitError(2, "--lines sends many messages: --id can name only one.", "Use --idempotency-key.");
  const flags = flagsOf(typed);
  const sendAll = async (sendOne: RunOnce, session: RunSession): Promise<number> => {
    const report = await Report.open({ ...session, args }, "line");
    try {
      const place = await placeOf(session, args);
      await report.requireDone((sent) => isSentTo(session, sent, place));
      const user = session.core.userId ?? "";
      const mentions = await mentioning(session, args, flags);
      const exit = await sendEach(
        shell,
        report,
        (line) => chosenId(report, args, user, place, line),
        (line, { id: lineId, idempotencyKey }) => {
          const raw = {
            ...mentions.of(line),
            channel: place.cid,
            // By the key, the command also finds what an earlier version sent.
            ...(idempotencyKey === undefined ? lineId && { id: lineId } : { idempotencyKey }),
          };
          return passText(sendOne, raw, args.code === undefined ? line : fence(line, args.code), true);
        },
      );
      mentions.requireAll();
      return exit;
    } finally {
      report.close();
    }
  };
  return runMany(shell, "send", messageSend as unknown as Command, flags, sendAll, {
    queue,
    accepts: { queue: true },
  });
}
