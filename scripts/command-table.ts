/** Prints the tables of commands, `table.gen.ts`: the path of a file is the name of its command. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Command } from "../src/commands/base/define-command.ts";
import { rowOfCommand } from "../src/commands/base/command-table.ts";
import { orderedPaths } from "../src/commands/nouns.ts";

const SRC = path.resolve(import.meta.dirname, "../src");

/** The files below a folder that define a command: those with a default export. */
const definitionsIn = (folder: string): string[] =>
  readdirSync(path.join(SRC, folder), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter(
      (file) =>
        file.endsWith(".ts") && /^export default /m.test(readFileSync(path.join(SRC, folder, file), "utf8")),
    );

/** A string in single quotes: the rows are full of double ones. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The folders of commands: what their table is called, and the types of its rows and definitions. */
const TABLES = {
  commands: {
    name: "commands",
    imports: `import { CommandTable, type CommandRow } from "./base/command-table.ts";
import type { Command } from "./base/define-command.ts";`,
    types: "CommandRow, Command",
  },
  "cli/shell-commands": {
    name: "shellCommands",
    imports: `import { CommandTable } from "../../commands/base/command-table.ts";
import type { ShellCommand } from "../../commands/base/define-command.ts";
import type { ShellRow } from "../base/command-tree.ts";
import type { Shell } from "../base/shell.ts";`,
    types: "ShellRow, ShellCommand<Shell>",
  },
} as const;

export const COMMAND_FOLDERS = Object.keys(TABLES) as (keyof typeof TABLES)[];

/** The short names of the chat line, in the order of their paths. */
function aliasTable(aliases: readonly (readonly [string, string])[]): string {
  if (aliases.length === 0) return "";
  const ordered = orderedPaths(aliases.map(([, name]) => name));
  const lines = ordered.map((path) => {
    const alias = aliases.find(([, name]) => name === path)![0];
    return `  ${JSON.stringify(alias)}: ${JSON.stringify(path)},`;
  });
  return `
/** Short names in the chat line (\`/edit\`); a provider command of the same name wins (specification/command-line.md §7). */
export const ALIASES: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
}

/** The table of the commands in a folder of src. Throws for a file whose default export is not a command. */
export async function commandTable(folder: keyof typeof TABLES): Promise<string> {
  const rows = new Map<string, string>();
  const aliases: [string, string][] = [];
  for (const file of definitionsIn(folder)) {
    const { default: definition } = (await import(path.join(SRC, folder, file))) as { default: Command };
    if (typeof definition?.summary !== "string")
      throw new Error(`src/${folder}/${file} does not export a command`);
    const name = file.slice(0, -".ts".length).replaceAll("/", " ");
    if (!name.includes(" ") && definition.group === undefined)
      throw new Error(`src/${folder}/${file}: a command of one word needs its group`);
    if (definition.chatAlias !== undefined) aliases.push([definition.chatAlias, name]);
    const row = quoted(JSON.stringify(rowOfCommand(definition)));
    rows.set(name, `  ${JSON.stringify(name)}: [() => import("./${file}"), ${row}],`);
  }
  const { name, imports, types } = TABLES[folder];
  return `/** Every command of this folder, printed from its files (npm run docs). */
${imports}

export const ${name} = new CommandTable<${types}>({
${orderedPaths([...rows.keys()])
  .map((one) => rows.get(one))
  .join("\n")}
});
${aliasTable(aliases)}`;
}
