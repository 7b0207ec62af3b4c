// Prints the tables of commands from their files, then the documents and types that are derived from tables; --check compares instead of writing.
import { build } from "esbuild";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { formatTables } = await import("./format-table.ts");
const { COMMAND_FOLDERS, commandTable } = await import("./command-table.ts");
let stale = false;
const print = (name, text) => {
  const file = path.join(root, name);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  if (process.argv.includes("--check")) {
    process.stderr.write(`${name} is not what the tables say: run npm run docs\n`);
    stale = true;
  } else writeFileSync(file, text);
};
// First, since commands name the formats, and the other pages are printed from the tables of commands.
const formats = await formatTables();
print("src/jobs/foreign/formats.gen.ts", formats.readers);
print("src/model/files/foreign-formats.gen.ts", formats.words);
for (const folder of COMMAND_FOLDERS) print(`src/${folder}/table.gen.ts`, await commandTable(folder));
const { commandsPage, settingsPage } = await import("../src/cli/help/pages.ts");
const { tree } = await import("../src/cli/tree.ts");
// The keys belong to panels, which are components: Node itself reads no JSX.
const keysBundle = path.join(root, "node_modules/.cache/keys-page.mjs");
await build({
  entryPoints: [path.join(root, "src/tui/bindings/keys-page.ts")],
  outfile: keysBundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  jsx: "automatic",
});
const { keysPage } = await import(keysBundle);
const { protocolPage } = await import("./protocol/page.ts");
const { fieldsPage } = await import("./fields.ts");
print("docs/commands.md", commandsPage(tree));
print("docs/settings.md", settingsPage());
print("docs/keys.md", keysPage());
print("docs/protocol.md", protocolPage());
print("src/cli/output/shapes.ts", fieldsPage());
process.exitCode = stale ? 1 : 0;
