/** Output for programs: JSON, JSON lines, jq and templates. */
import { cleanLine } from "../../text/sanitize.ts";
import type { Shell } from "../base/shell.ts";
import { jsonText, pick } from "./json.ts";
import { fillTemplate } from "./template.ts";
import { isRaw, writeOut, type WriterContext, type Writer } from "./writer.ts";

/** The value reduced to the fields of `--json=a,b` or `--ndjson=a,b`. */
const picked = ({ flags }: Shell, value: unknown): unknown =>
  pick(value, flags.json || flags.ndjson || undefined);

/** Prints a list as one array and a single value as one document. */
export function jsonWriter({ shell, list }: WriterContext): Writer {
  const line = shell.tty.out ? "\n" : "";
  let first = true;
  return {
    async item(value) {
      const text = jsonText(picked(shell, value), shell.tty.out, isRaw(shell));
      await writeOut(shell, list ? `${first ? "[" : ","}${line}${text}` : `${text}\n`);
      first = false;
    },
    async end() {
      if (list) await writeOut(shell, first ? "[]\n" : `${line}]\n`);
    },
  };
}

export function ndjsonLine(shell: Shell, value: unknown): string {
  const text = jsonText(picked(shell, value), shell.tty.out, isRaw(shell));
  return `${text.replace(/\n\s*/g, shell.tty.out ? " " : "")}\n`;
}

export async function jqText(shell: Shell, value: unknown): Promise<string> {
  const { runJq } = await import("./jq.ts");
  const text = await runJq(shell.flags.jq!, value, isRaw(shell) ? (raw) => raw : undefined);
  return shell.tty.out ? text.split("\n").map(cleanLine).join("\n") : text;
}

/** Reports an invalid filter even if there is no input. */
async function checkJq({ flags }: Shell): Promise<void> {
  const { runJq } = await import("./jq.ts");
  await runJq(flags.jq!, undefined);
}

/** Filters each item; with `--json`, the whole list at once. */
export function jqWriter({ shell, list }: WriterContext): Writer {
  const isWholeList = shell.flags.json !== undefined && list;
  const items: unknown[] = [];
  return {
    async item(value) {
      if (isWholeList) items.push(picked(shell, value));
      else await writeOut(shell, await jqText(shell, picked(shell, value)));
    },
    async end(count) {
      if (isWholeList) await writeOut(shell, await jqText(shell, items));
      else if (count === 0) await checkJq(shell);
    },
  };
}

export function templateLine(shell: Shell, value: unknown): string {
  const text = fillTemplate(shell.flags.template!, value, isRaw(shell) ? (raw) => raw : undefined);
  if (!shell.tty.out) return `${text}\n`;
  const cleaned = text.split("\n").map((line) => line.split("\t").map(cleanLine).join("\t"));
  return `${cleaned.join("\n")}\n`;
}

export const lineWriter =
  (line: (shell: Shell, value: unknown) => string) =>
  ({ shell }: WriterContext): Writer => ({
    item: (value) => writeOut(shell, line(shell, value)),
    async end() {},
  });
