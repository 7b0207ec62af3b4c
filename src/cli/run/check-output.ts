/** Checks before the first request of a change whether its result can be shown: afterwards the same line would change it again (specification/command-line.md §1). */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { editDistance } from "../../text/spelling.ts";
import { ExitError } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { knownFields, namedFields, unknownField } from "../output/fields.ts";
import { outputForm } from "../output/results.ts";

/** Throws `ExitError` 2 for a form, filter, template or field that cannot be printed, and 12 for a place that cannot be written. `out`: the value of `--out`. */
export async function requireShowable(shell: Shell, command: string, out: unknown): Promise<void> {
  outputForm(shell);
  requireFields(shell, command);
  if (shell.flags.jq !== undefined) {
    const { runJq } = await import("../output/jq.ts");
    await runJq(shell.flags.jq, undefined);
  }
  if (typeof out === "string" && out !== "" && out !== "-") await requirePlace(out);
}

/** Entities may have custom fields, and some results have fields in some cases only, so only a misspelt name is refused. */
function requireFields(shell: Shell, command: string): void {
  const known = knownFields(command === "send" ? "message send" : command);
  if (known.length === 0) return;
  // Custom fields that the line itself sets, as name=value.
  const given = shell.argv.map((word) => /^(?:--[\w-]+=)?([^=]+)=/.exec(word)?.[1]);
  for (const name of namedFields(shell)) {
    const [first = ""] = name.split(".");
    if (known.includes(first) || given.includes(first)) continue;
    if (known.some((field) => editDistance(first, field) === 1)) throw unknownField(name, known);
  }
}

/** The part of an output pattern before its first field: a file, or the folder of the files. */
const fixedPart = (out: string): string => {
  const field = out.indexOf("{");
  return (field === -1 ? out : out.slice(0, field).replace(/(?<![^/\\])[^/\\]*$/, "")) || ".";
};

/** Throws `ExitError` 12 unless the file or folder can be written, or made in the nearest folder that exists. */
async function requirePlace(out: string): Promise<void> {
  let place = path.resolve(fixedPart(out));
  for (;;) {
    const found = await stat(place).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof found === "object") break;
    if (found === "ENOTDIR" || path.dirname(place) === place) break;
    place = path.dirname(place);
  }
  const isWritable = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  );
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory();
  if (isWritable && (isFolder || place === path.resolve(fixedPart(out)))) return;
  throw new ExitError(12, `${out} cannot be written: ${place} is not a folder that this user may write to`);
}
