/** Runs the command of a tool: its output is the answer, and its questions go to the assistant's user. */
import { PassThrough, Writable } from "node:stream";
import type { Question } from "../../../commands/base/define-command.ts";
import { commands } from "../../../commands/table.gen.ts";
import { ExitError } from "../../base/exit.ts";
import type { Flags } from "../../base/globals.ts";
import type { InnerRun, Shell } from "../../base/shell.ts";
import { readToolArgs } from "./tools.ts";

interface ToolCall extends Pick<InnerRun, "path" | "readOnly" | "signal" | "confirmer"> {
  args: Readonly<Record<string, unknown>>;
  progress(done: number, total: number, text: string): void;
}

interface ToolAnswer {
  content: { type: "text"; text: string }[];
  /** `next`: the cursor of a list that has more. */
  structuredContent?: { result: unknown; next?: string };
  isError?: true;
}

/** A stream that collects its text, except for pieces that `line` consumes. */
function captured(consume?: (text: string) => boolean): { stream: Writable; text(): string } {
  let all = "";
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string | Uint8Array, _encoding, done) {
      const text = typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
      if (!consume?.(text)) all += text;
      done();
    },
  });
  return { stream, text: () => all.trim() };
}

const textContent = (text: string): ToolAnswer["content"] => [{ type: "text", text }];

const failed = (text: string): ToolAnswer => ({ isError: true, content: textContent(text) });

/** Streaming commands print JSON lines, all others one document. */
const printsLines = async (path: string, raw: object): Promise<boolean> =>
  (await commands.load(path)).streams?.(raw as never) !== undefined;

export async function callTool(
  shell: Shell,
  { path, args, readOnly, signal, confirmer, progress }: ToolCall,
): Promise<ToolAnswer> {
  let toolArgs: ReturnType<typeof readToolArgs>;
  try {
    toolArgs = readToolArgs(path, args);
  } catch (error) {
    return failed((error as Error).message);
  }
  const lines = await printsLines(path, toolArgs.raw);
  const flags: Flags = {
    ...shell.flags,
    ...toolArgs.common,
    ...(lines ? { ndjson: "" } : { json: "" }),
    progress: "json",
    pager: false,
  };
  const out = captured();
  const err = captured((text) => reportProgress(text, progress));
  const input = Object.assign(new PassThrough(), { isTTY: false });
  input.end();
  const streams = { in: input, out: out.stream, err: err.stream };
  let next: string | undefined;
  const inner = { path, raw: toolArgs.raw, flags, streams, signal, confirmer, readOnly };
  const code = await shell.run({
    ...inner,
    onMore(cursor) {
      next = cursor;
      // A list without pages is whole with a higher limit.
      if (cursor === undefined) err.stream.write("There is more: raise limit.\n");
    },
  });
  return answerOf({ code, out: out.text(), err: err.text(), lines, next });
}

interface RunOutput {
  code: number;
  out: string;
  err: string;
  lines: boolean;
  next: string | undefined;
}

function answerOf({ code, out, err, lines, next }: RunOutput): ToolAnswer {
  const notes = err === "" ? [] : textContent(readable(err));
  if (code !== 0)
    return {
      isError: true,
      content: [
        ...(out === "" ? [] : textContent(out)),
        ...textContent(readable(err) || `It ended with ${code}.`),
      ],
    };
  const result = parsed(out, lines);
  const more = next === undefined ? [] : textContent(`There is more: next is ${next}`);
  return {
    structuredContent: { result, ...(next !== undefined && { next }) },
    content: [...textContent(out === "" ? "done" : out), ...more, ...notes],
  };
}

function parsed(out: string, lines: boolean): unknown {
  try {
    if (lines)
      return out
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    return out === "" ? null : (JSON.parse(out) as unknown);
  } catch {
    return out;
  }
}

/** Turns JSON errors into sentences. */
function readable(err: string): string {
  return err
    .split("\n")
    .map((line) => {
      try {
        const { error } = JSON.parse(line) as {
          error: { message: string; because?: string; hint?: string; exit: number };
        };
        return [error.message, error.because, error.hint, `exit code ${error.exit}`]
          .filter(Boolean)
          .join("; ");
      } catch {
        return line;
      }
    })
    .join("\n");
}

/** Reports a progress line; returns false for other text. */
function reportProgress(text: string, report: ToolCall["progress"]): boolean {
  if (!text.startsWith('{"event":"progress"')) return false;
  const { done, total, text: words } = JSON.parse(text) as { done: number; total: number; text: string };
  report(done, total, words);
  return true;
}

export function questionForm({ question, level, word }: Question): {
  message: string;
  requestedSchema: object;
} {
  const isSevere = level === "severe" && word !== undefined;
  const answer = isSevere
    ? { word: { type: "string", description: `Type ${word} to continue` } }
    : { confirm: { type: "boolean", description: "Continue" } };
  return {
    message: isSevere ? `${question} Type ${word} to continue.` : question,
    requestedSchema: { type: "object", properties: answer, required: Object.keys(answer) },
  };
}

export function isYes({ level, word }: Question, answer: unknown): boolean {
  const { action, content } = (answer ?? {}) as {
    action?: string;
    content?: { word?: string; confirm?: boolean };
  };
  if (action !== "accept") return false;
  return level === "severe" && word !== undefined ? content?.word === word : content?.confirm === true;
}

export const cannotAsk = ({ question, level, word }: Question): ExitError =>
  new ExitError(
    2,
    `${question} This assistant cannot prompt its user.`,
    level === "severe" && word !== undefined
      ? "run it in a terminal"
      : "start parley mcp with --yes to answer such questions beforehand",
  );
