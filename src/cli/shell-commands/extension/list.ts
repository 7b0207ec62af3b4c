/** `parley extension list`: lists the extensions in PATH, and by what a name is taken already. */
import { command, rowOf } from "../../../commands/base/define-command.ts";
import { listExtensions } from "../../../config/extensions.ts";
import type { Shell } from "../../base/shell.ts";
import { showList } from "../../output/results.ts";
import { aliasesOf } from "../alias/expand.ts";

/** What runs under the name instead of this program; null if the program does. */
function shadowOf({ tree, env }: Shell, name: string, first: string, path: string): string | null {
  if (tree.hasWord(name)) return `the command ${name}`;
  if (Object.hasOwn(aliasesOf(env), name)) return `the alias ${name}`;
  return first === path ? null : first;
}

export default command({
  shell: true,
  summary: "List extensions: programs called parley-NAME in PATH",
  examples: ["extension list", "extension list --json"],
  aliases: ["ls"],
  allowsDryRun: true,
  run(shell: Shell) {
    const all = listExtensions(shell.env);
    const rows = all.map(({ name, path }) => {
      const first = all.find((one) => one.name === name)!.path;
      return { name, path, shadowed_by: shadowOf(shell, name, first, path) };
    });
    return showList(shell, rows, (row) =>
      rowOf(row, { name: "name", path: "path", shadowed_by: "shadowed_by" }),
    );
  },
});
