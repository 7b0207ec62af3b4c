/** Reads argument values from files: `--filter @who.json`, `--custom notes=@notes.txt`, `@-` for standard input, `@@` for an @ itself. */
import { readFileSync } from "node:fs";
import type { Raw } from "../../commands/base/args.ts";
import type { Args, ArgRow } from "../../commands/base/define-command.ts";
import { textOf } from "../../commands/base/text.ts";
import type { Shell } from "../base/shell.ts";
import { readText } from "../base/stdio.ts";

const PAIR = /^([\w.-]+=)@/;

/** Rows whose values may be that long: JSON, and `name=value`. */
const takes = (row: ArgRow): boolean => row.value === "json" || row.value === "name=value";

/** Values and words with the files' texts in their places; `raw` is changed. Throws what the file system throws. */
export async function withFiles(
  shell: Pick<Shell, "in" | "signal">,
  args: Args,
  raw: Raw,
  words: readonly string[],
): Promise<readonly string[]> {
  let input: Promise<string> | undefined;
  const read = async (value: string): Promise<string> => {
    if (value.startsWith("@@")) return value.slice(1);
    if (value === "@-") return (input ??= textOf({ input: () => readText(shell.in, shell.signal) }, "-"));
    return readFileSync(value.slice(1), "utf8")
      .replace(/^\uFEFF/, "")
      .replace(/\r?\n$/, "");
  };
  const long = async (row: ArgRow, value: string): Promise<string> => {
    if (row.value === "json") return value.startsWith("@") ? read(value) : value;
    const [, name] = PAIR.exec(value) ?? [];
    return name === undefined ? value : name + (await read(value.slice(name.length)));
  };
  let placed = words;
  for (const [name, row] of Object.entries(args)) {
    if (!takes(row)) continue;
    if (row.place) placed = await Promise.all(placed.map((one) => long(row, one)));
    const given = raw[name];
    if (typeof given === "string") raw[name] = await long(row, given);
    else if (Array.isArray(given)) raw[name] = await Promise.all(given.map((one) => long(row, one)));
  }
  return placed;
}
