/** Reads argument values from files: `--filter @who.json`, `--custom notes=@notes.txt`; `@-` is standard input, `@@` a literal @. */
import type { Args, ArgRow, RawArgs } from "../../commands/base/define-command.ts";
import { textOf } from "../../commands/base/text.ts";
import type { Shell } from "../base/shell.ts";
import { readText } from "../base/stdio.ts";
import { readSmallFile } from "../../model/files/small-file.ts";

const PAIR = /^([\w.-]+=)@/;

const acceptsFile = (row: ArgRow): boolean => row.value === "json" || row.value === "name=value";

/** Replaces file references in `raw` (in place) and in the returned words. Throws errors of the file system. */
export async function expandFileValues(
  shell: Pick<Shell, "in" | "signal">,
  args: Args,
  raw: RawArgs,
  words: readonly string[],
): Promise<readonly string[]> {
  let input: Promise<string> | undefined;
  const read = async (value: string): Promise<string> => {
    if (value.startsWith("@@")) return value.slice(1);
    if (value === "@-") return (input ??= textOf({ input: () => readText(shell.in, shell.signal) }, "-"));
    return readSmallFile(value.slice(1)).replace(/\r?\n$/, "");
  };
  const expand = async (row: ArgRow, value: string): Promise<string> => {
    if (row.value === "json") return value.startsWith("@") ? read(value) : value;
    const [, name] = PAIR.exec(value) ?? [];
    return name === undefined ? value : name + (await read(value.slice(name.length)));
  };
  let expanded = words;
  for (const [name, row] of Object.entries(args)) {
    if (!acceptsFile(row)) continue;
    if (row.positional) expanded = await Promise.all(expanded.map((word) => expand(row, word)));
    const value = raw[name];
    if (typeof value === "string") raw[name] = await expand(row, value);
    else if (Array.isArray(value)) raw[name] = await Promise.all(value.map((item) => expand(row, item)));
  }
  return expanded;
}
