/** The recipe "to add a command", followed literally in a copy of the sources: one file, and the table is printed. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(path.join(tmpdir(), "parley-recipe-"));

const PARTS = ["src", "scripts", "package.json"];

beforeAll(() => {
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const RUN = `
const { COMMAND_FOLDERS, commandTable } = await import("./scripts/command-table.ts");
const { writeFileSync } = await import("node:fs");
for (const folder of COMMAND_FOLDERS) writeFileSync("src/" + folder + "/table.gen.ts", await commandTable(folder));
`;

const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, {
    cwd: copy,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: copy },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** The files of the copy that differ from those of the project. */
const changed = (): string[] =>
  ["src", "scripts"]
    .flatMap((part) =>
      readdirSync(path.join(copy, part), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(copy, path.join(entry.parentPath, entry.name))),
    )
    .filter((file) => {
      try {
        return !readFileSync(path.join(ROOT, file)).equals(readFileSync(path.join(copy, file)));
      } catch {
        return true;
      }
    });

test("a command is one file: it runs, is in help, completion and the chat line, and only the table changes", () => {
  writeFileSync(
    path.join(copy, "src/commands/message/shout.ts"),
    `/** Prints a text in capitals. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Print a text in capitals",
  changes: "nothing",
  chatAlias: "shout",
  args: { text: { kind: "words", positional: "rest", help: "The text" } },
  run: async ({ args }) => args.text.toUpperCase(),
  show: (text) => text,
});
`,
  );
  writeFileSync(
    path.join(copy, "src/cli/shell-commands/token/length.ts"),
    `/** Prints how long a token is. */
import { command } from "../../../commands/base/define-command.ts";
import type { Shell } from "../../base/shell.ts";

export default command({
  shell: true,
  summary: "Print how long a token is",
  skipsConfig: true,
  args: { token: { kind: "text", positional: true, help: "The token" } },
  async run(shell: Shell, { token }) {
    shell.out.write(\`\${token.length}\\n\`);
    return 0;
  },
});
`,
  );
  node("-e", RUN);

  expect(node("src/main.ts", "message", "--help")).toMatch(/^  shout +Print a text in capitals$/m);
  expect(node("src/main.ts", "message", "shout", "--help")).toContain("parley message shout <text…> [flags]");
  expect(node("src/main.ts", "__complete", "--", "message", "sho")).toBe("shout\tPrint a text in capitals\n");
  expect(node("src/main.ts", "token", "length", "abc")).toBe("3\n");
  const line = `const { readLine } = await import("./src/commands/line.ts");
    console.log(JSON.stringify(readLine("/shout tea", { channelType: "messaging", now: 0 })));`;
  expect(JSON.parse(node("-e", line))).toMatchObject({ path: "message shout", values: { text: "tea" } });
  expect(changed().toSorted()).toEqual([
    "src/cli/shell-commands/table.gen.ts",
    "src/cli/shell-commands/token/length.ts",
    "src/commands/message/shout.ts",
    "src/commands/table.gen.ts",
  ]);
});
