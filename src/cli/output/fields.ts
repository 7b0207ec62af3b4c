/** The fields that `--json=a,b.c` and `{{a.b}}` may name, per command (specification/command-line.md §4). */
import { valueAt } from "../../commands/base/define-command.ts";
import { ExitError } from "../base/exit.ts";
import { printNotice, type Shell } from "../base/shell.ts";
import { fieldNames } from "./json.ts";
import { templateFields } from "./template.ts";
import { SHAPES } from "./shapes.ts";
import type { Writer } from "./writer.ts";

/** The fields of commands that only the shell has, checked against their output by tests/cli/fields.test.ts. */
const SHELL_SHAPES = `
whoami: kind profile protected url user
profile list: current kind name protected url user
profile show: channel command key kind name protected stored tools url user
profile test: ms ok profile user
config list: key name source value
config get: key value
config explain: key kind name used value words
config path: cache config credentials data keys local log state themes
alias list: line name
doctor: check hint message state
local start: pid running url
local stop: stopped
local status: background connections folder pid running stay url users version
local coverage: method op path
local fault list: code delay drop id match status times
local clock show, local clock advance: moved_ms now
local snapshot list: name saved_at size
screen list: channel pid profile user
audit list: command count exit file hash host ids operations os_user pid previous profile run state time user
extension list: name path shadowed_by
profile diff: one other setting
audit verify: entries file head
history: command count file ids operations profile result run time user
user token, local token: token user_id
token decode: claims header
token check: accepted kind profile user_id
api: method name operation path safe`;

/** The known top-level fields of a command's results; empty if there is no list. */
export function knownFields(path: string): string[] {
  for (const line of (SHAPES + SHELL_SHAPES).split("\n")) {
    const cut = line.indexOf(": ");
    if (cut > 0 && line.slice(0, cut).split(", ").includes(path)) return line.slice(cut + 2).split(" ");
  }
  return [];
}

/** Whether a word is a list of fields as `--json=` takes it: `id,user.name`. */
export function areKnownFields(path: string, word: string): boolean {
  const known = knownFields(path);
  return word.split(",").every((name) => known.includes(name.split(".")[0]!));
}

/** Throws `ExitError` 2 if the flags name a field that is not a known one. */
export function requireKnownFields(shell: Shell, path: string): void {
  const known = knownFields(path);
  const stray = namedFields(shell).find((name) => !known.includes(name.split(".")[0]!));
  if (stray !== undefined) throw unknownField(stray, known);
}

export const namedFields = ({ flags }: Shell): string[] => [
  ...fieldNames(flags.json || flags.ndjson),
  ...templateFields(flags.template ?? ""),
];

export const unknownField = (name: string, known: readonly string[]): ExitError =>
  new ExitError(2, `Unknown field '${name}'.`, `Available fields: ${known.toSorted().join(", ")}`);

/** A writer that names, after the last item, the fields that are no known ones and that no item had: they were printed as null. */
export function checkedWriter(shell: Shell, path: string, names: readonly string[], writer: Writer): Writer {
  const known = knownFields(path);
  const missing = new Set(names.filter((name) => !known.includes(name.split(".")[0]!)));
  if (missing.size === 0) return writer;
  return {
    async item(value, view) {
      for (const name of missing) if (valueAt(value, name) !== undefined) missing.delete(name);
      await writer.item(value, view);
    },
    async end(count, empty) {
      await writer.end(count, empty);
      // The change may have removed the field.
      if (missing.size === 0 || count === 0 || shell.counts.writes > 0) return;
      const names = known.length > 0 ? `; parley ${path} --fields names what there is` : "";
      printNotice(shell, `nothing here has ${[...missing].join(" or ")}, so it is null${names}`);
    },
  };
}
