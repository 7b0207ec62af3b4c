/** The examples of every command, parsed by a real shell: at least two each, all accepted by the command line. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeOptionalValues } from "../../src/cli/base/globals.ts";
import { examplesOf } from "../../src/cli/help/help.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { tree } from "../../src/cli/tree.ts";
import { fillArgs, assignPositionals } from "../../src/commands/base/args.ts";
import { removeFolder } from "../support/remove-folder.ts";

/** Other programs in the examples: replaced by functions that do nothing, so that only parley's lines count. */
const OTHERS = "cat echo git jq make npm tail sh ls";

const FILES = "query.json body.json lines.txt last-head token.txt secret.txt text.txt".split(" ");

let folder: string;
/** The argument vectors of every line, as parsed by the shell. */
let typed: Map<string, string[][]>;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-examples-"));
  mkdirSync(path.join(folder, ".config/fish/completions"), { recursive: true });
  for (const file of FILES) writeFileSync(path.join(folder, file), "");
  typed = new Map();
  for (const line of tree.visiblePaths().flatMap((name) => examplesOf(tree, name)))
    typed.set(line, byShell(line));
});
afterAll(() => removeFolder(folder));

function byShell(line: string): string[][] {
  const seen = path.join(folder, "seen");
  writeFileSync(seen, "");
  const script = [
    ...OTHERS.split(" ").map((name) => `${name}() { :; }`),
    'xargs() { "$@" some-id; }',
    // A command substitution in an example may call this.
    "some_id() { :; }",
    // Written at once, because the commands of a pipe run at the same time.
    `end=$(printf '\\1'); parley() { printf '%s\\0' "$@" "$end" >> '${seen}'; printf some_id; }`,
    line,
  ].join("\n");
  const ran = spawnSync("/bin/sh", ["-c", script], { cwd: folder, env: { HOME: folder, SIGNATURE: "x" } });
  if (ran.status !== 0) throw new Error(`${line}: ${String(ran.stderr)}`);
  const runs: string[][] = [[]];
  for (const word of readFileSync(seen, "utf8").split("\0").slice(0, -1))
    if (word === "\u0001") runs.push([]);
    else runs.at(-1)!.push(word);
  return runs.slice(0, -1);
}

/** The command that an argument vector runs. Throws if the command line refuses it. */
async function commandOf(argv: readonly string[]): Promise<string> {
  let found = "nothing";
  const program = buildProgram(
    tree,
    "0.0.0",
    async (name, raw, words) => {
      found = name;
      if (name === "") return;
      const { args } = tree.definition(name);
      assignPositionals(args, words, raw);
      fillArgs(args, raw, {
        channelType: "messaging",
        currentChannel: "messaging:ops",
        now: Date.parse("2026-11-01"),
      });
    },
    async (noun) => void (found = noun),
  );
  await program.parseAsync(closeOptionalValues(argv), { from: "user" });
  return found;
}

test("every command has at least two different examples and no repeated one", () => {
  const wrong = tree.visiblePaths().filter((name) => {
    const examples = examplesOf(tree, name);
    return examples.length < 2 || new Set(examples).size < examples.length;
  });
  expect(wrong).toEqual([]);
});

test("every example is accepted by the command line and runs its own command", async () => {
  for (const name of tree.visiblePaths())
    for (const line of examplesOf(tree, name)) {
      const commands: string[] = [];
      for (const argv of typed.get(line)!) {
        commands.push(
          await commandOf(argv).catch((error: Error) => {
            throw new Error(`${line}: ${error.message}`);
          }),
        );
      }
      const own = name === "chat" ? [name, ""] : [name];
      expect([line, commands.some((one) => own.includes(one))]).toEqual([line, true]);
    }
});
