/** Output for programs: JSON, JSON lines, jq and templates. */
import { cleanLine } from "../../text/sanitize.ts";
import type { Shell } from "../base/shell.ts";
import { jsonText, pick } from "./json.ts";
import { fillTemplate } from "./template.ts";
import { isRaw, putOut, type WriterContext, type Writer } from "./writer.ts";

/** The fields that `--json=a,b` or `--ndjson=a,b` picks. */
const picked = ({ flags }: Shell, value: unknown): unknown =>
  pick(value, flags.json || flags.ndjson || undefined);

/** One array for a list, one document for a single value. */
export function jsonWriter({ shell, list }: WriterContext): Writer {
  const line = shell.tty.out ? "\n" : "";
  let first = true;
  return {
    async item(value) {
      const text = jsonText(picked(shell, value), shell.tty.out, isRaw(shell));
      await putOut(shell, list ? `${first ? "[" : ","}${line}${text}` : `${text}\n`);
      first = false;
    },
    async end() {
      if (list) await putOut(shell, first ? "[]\n" : `${line}]\n`);
    },
  };
}

/** One object a line. */
export function ndjsonLine(shell: Shell, value: unknown): string {
  const text = jsonText(picked(shell, value), shell.tty.out, isRaw(shell));
  return `${text.replace(/\n\s*/g, shell.tty.out ? " " : "")}\n`;
}

/** What `--jq` makes of a value. */
export async function jqText(shell: Shell, value: unknown): Promise<string> {
  const { runJq } = await import("./jq.ts");
  const text = await runJq(shell.flags.jq!, value);
  return shell.tty.out ? text.split("\n").map(cleanLine).join("\n") : text;
}

/** A filter that cannot be read is a mistake also where there is nothing to run it over. */
async function checkJq({ flags }: Shell): Promise<void> {
  const { runJq } = await import("./jq.ts");
  await runJq(flags.jq!, undefined);
}

/** Each item by itself; with `--json` the whole list at its end. */
export function jqWriter({ shell, list }: WriterContext): Writer {
  const whole = shell.flags.json !== undefined && list;
  const kept: unknown[] = [];
  return {
    async item(value) {
      if (whole) kept.push(picked(shell, value));
      else await putOut(shell, await jqText(shell, picked(shell, value)));
    },
    async end(count) {
      if (whole) await putOut(shell, await jqText(shell, kept));
      else if (count === 0) await checkJq(shell);
    },
  };
}

/** What `--template` makes of a value, as a line. */
export function templateLine(shell: Shell, value: unknown): string {
  const text = fillTemplate(shell.flags.template!, value, isRaw(shell) ? (raw) => raw : undefined);
  if (!shell.tty.out) return `${text}\n`;
  const cleaned = text.split("\n").map((line) => line.split("\t").map(cleanLine).join("\t"));
  return `${cleaned.join("\n")}\n`;
}

/** A form in which each item is a text of its own. */
export const lineWriter =
  (line: (shell: Shell, value: unknown) => string) =>
  ({ shell }: WriterContext): Writer => ({
    item: (value) => putOut(shell, line(shell, value)),
    async end() {},
  });
