// Prints docs/commands.md, docs/settings.md, docs/keys.md, docs/protocol.md, src/wire/replies.ts and src/cli/output/shapes.ts from the tables; --check compares instead of writing.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { commandsPage, settingsPage } = await import("../src/cli/help/pages.ts");
const { tree } = await import("../src/cli/shell-commands/index.ts");
const { keysPage } = await import("../src/tui/bindings/keys-page.ts");
const { protocolPage } = await import("./protocol/page.ts");
const { repliesPage } = await import("./replies.ts");
const { fieldsPage } = await import("./fields.ts");
let stale = false;
for (const [name, text] of [
  ["commands.md", commandsPage(tree)],
  ["settings.md", settingsPage()],
  ["keys.md", keysPage()],
  ["protocol.md", protocolPage()],
  ["../src/wire/replies.ts", repliesPage()],
  ["../src/cli/output/shapes.ts", fieldsPage()],
]) {
  const file = path.join(root, "docs", name);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`docs/${name} is not what the tables say: run npm run docs\n`);
    stale = true;
  } else writeFileSync(file, text);
}
process.exitCode = stale ? 1 : 0;
