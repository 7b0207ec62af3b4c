/** Hints in error messages: every command and flag that a sentence of the program names exists. */
import { everyCommand, examplesOf, nounHelp } from "../../src/cli/help/help.ts";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { flagName } from "../../src/commands/base/args.ts";
import { NOUNS } from "../../src/commands/nouns.ts";
import { GLOBALS } from "../../src/cli/base/globals.ts";
import { helpFor } from "../../src/cli/program.ts";
import { tree } from "../../src/cli/tree.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { parseWhen, TIMES } from "../../src/text/when.ts";
import { DOCUMENTED } from "../contract/documented-filters.ts";
import { SETTINGS, settingKeys, type SettingRow } from "../../src/config/settings.ts";

const SRC = path.resolve(import.meta.dirname, "../../src");
const PATHS = new Set(tree.allPaths());
const NAMES = new Set([...PATHS].map((known) => known.split(" ")[0]!));

/** The source without comments. */
function codeOf(file: string): string {
  return readFileSync(path.join(SRC, file), "utf8")
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)))
  .filter((file) => /^(cli|commands|config|tui|open|main)/.test(file));

/** The command path at the start of a line without `parley`. */
function pathIn(words: string): string | undefined {
  const [first = "", second = "", third = ""] = words.split(" ");
  const noun = NOUNS[first] ?? first;
  return [`${noun} ${second} ${third}`, `${noun} ${second}`, noun].find((known) => PATHS.has(known));
}

/** What is wrong with the command named in a sentence; undefined if it exists. */
function commandFault(words: string): string | undefined {
  const [first = "", second = "", third = ""] = words.split(" ");
  const noun = NOUNS[first] ?? first;
  if (PATHS.has(`${noun} ${second} ${third}`)) return undefined;
  if (!NAMES.has(noun)) return `parley ${words}: there is no '${first}'`;
  if (PATHS.has(noun) && !PATHS.has(`${noun} ${second}`)) return undefined;
  return PATHS.has(`${noun} ${second}`) || second === ""
    ? undefined
    : `parley ${words}: no '${noun} ${second}'`;
}

test("every command named in the source exists", () => {
  const faults: string[] = [];
  let named = 0;
  for (const file of files)
    for (const [, words] of codeOf(file).matchAll(/\bparley ((?:[a-z_][a-z_-]* ?){1,3})/g)) {
      // `parley prove` is the text of a cryptographic proof, not a command.
      if (/^(prove)/.test(words!)) continue;
      named++;
      const fault = commandFault(words!.trim());
      if (fault) faults.push(`${file}: ${fault}`);
    }
  expect(faults).toEqual([]);
  expect(named).toBeGreaterThan(25);
});

test("every flag named in the source exists", () => {
  const known = new Set<string>(["--help", "--version"]);
  for (const row of GLOBALS) known.add(/--[\w-]+/.exec(row.flags)![0]);
  for (const one of tree.visiblePaths())
    for (const [name, row] of Object.entries(tree.definition(one).args))
      if (!row.positional) known.add(`--${flagName(name)}`);
  const faults: string[] = [];
  // V8's flags are not flags of parley.
  const hinting = files.filter(
    (name) => /^(cli|commands|config|open)/.test(name) && name !== "open/memory.ts",
  );
  for (const file of hinting)
    for (const [, flag] of codeOf(file).matchAll(/(?<![\w-])(--[a-z][a-z-]+)/g))
      if (!known.has(flag!)) faults.push(`${file}: ${flag}`);
  expect(faults).toEqual([]);
});

test("every example uses flags of its own command", () => {
  for (const one of tree.visiblePaths())
    for (const line of examplesOf(tree, one)) {
      const words = line.slice(line.indexOf("parley ") + 7).split(/ \| | < | > | >> /)[0]!;
      if (words === "" || words === "parley" || words.startsWith("--")) continue;
      expect([line, commandFault(words)]).toEqual([line, undefined]);
      for (const [flag] of words.split(" -- ")[0]!.matchAll(/(?<= )--[a-z-]+/g)) {
        const own = Object.entries(tree.definition(pathIn(words) ?? one).args).some(
          ([name, row]) => !row.positional && `--${flagName(name)}` === flag,
        );
        expect([line, flag, own || GLOBALS.some((row) => row.flags.includes(flag))]).toEqual([
          line,
          flag,
          true,
        ]);
      }
    }
});

test("the flags in the settings table exist, and each sets its setting", () => {
  const screen = Object.keys(tree.definition("chat").args).map((name) => `--${name}`);
  for (const key of settingKeys) {
    const { flag } = SETTINGS[key] as SettingRow;
    if (flag === undefined || screen.includes(flag)) continue;
    const row = GLOBALS.find((one) => one.flags.includes(flag));
    expect([key, row && "setting" in row ? row.setting : undefined]).toEqual([key, key]);
  }
});

test("every setting is read somewhere", () => {
  const all = files
    .filter((file) => !file.startsWith("config/settings"))
    .map(codeOf)
    .join("\n");
  const unread = settingKeys.filter(
    (key) =>
      !all.includes(`settings.${key}`) &&
      !all.includes(`settings["${key}"]`) &&
      !new RegExp(`\\b${key}\\b[^}]*\\} = (host\\.|shell\\.)?settings`).test(all),
  );
  expect(unread).toEqual([]);
});

test("the list of all commands names each of them once", () => {
  const listed = everyCommand(tree, true)
    .split("\n")
    .flatMap((line) =>
      tree.visiblePaths().filter((path) => line.startsWith(`  ${path}  `) || line.startsWith(`  ${path} *`)),
    );
  expect(listed.toSorted()).toEqual(tree.visiblePaths().toSorted());
});

test("the short list of commands has at most 200 lines of 80 columns, in which no command stands twice", () => {
  const lines = everyCommand(tree).split("\n");
  expect(lines.length).toBeLessThanOrEqual(200);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const named = lines
    .filter((line) => line.startsWith("  "))
    .flatMap((line) => {
      const [first = "", ...verbs] = /^ {2}(.*?)(?: \*)? {2,}/.exec(line)![1]!.split(", ");
      return [first, ...verbs.map((verb) => `${first.slice(0, first.lastIndexOf(" "))} ${verb}`)];
    });
  expect(named.filter((path) => !PATHS.has(path))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test("help of a noun lists all its commands, also those that the short list leaves out", () => {
  for (const path of tree.visiblePaths().filter((one) => one.includes(" ")))
    expect(nounHelp(tree, path.split(" ")[0]!)).toContain(`\n  ${path.slice(path.indexOf(" ") + 1)} `);
});

test.each([
  ["channel list", "POST /channels"],
  ["user list", "GET /users"],
  ["member list", "GET /members"],
  ["thread list", "POST /threads"],
  ["poll list", "POST /polls/query"],
  ["campaign list", "POST /campaigns/query"],
  ["moderation ban list", "GET /query_banned_users"],
  ["moderation flags", "POST /moderation/reports"],
])("help filters lists every documented field of %s, and no other", (noun, list) => {
  const after = TOPICS.filters!.text(tree).split(`\n  ${noun}`)[1]!;
  const [, names = ""] = /^[^\n]*\n((?: {6}.*\n)+)/.exec(after)!;
  expect(names.trim().split(/\s+/).toSorted()).toEqual(Object.keys(DOCUMENTED[list]!.filter).toSorted());
});

test("help times has every form that the error names, and each of its forms is read", () => {
  const shown = TOPICS.times!.text(tree).split(/\n|  +/);
  const forms =
    `2h|30m|1.5h|7d|+2h|-30m|in 10 min|an hour ago|now|today|yesterday|tomorrow|monday|fri|09:30|9pm|noon|tomorrow 9pm|monday at 09:00
|2026-12-01|2026-12-01T09:00|2026-12-01 9am|2026-12-01T09:00Z|1795198007`.split(/\n?\|/);
  for (const form of forms) {
    expect(shown).toContain(form);
    expect([form, parseWhen(form, { now: Date.UTC(2026, 0, 1) })]).toEqual([form, expect.any(Number)]);
  }
  expect(TIMES.split(/, | or /).filter((form) => !forms.includes(form))).toEqual(["epoch seconds"]);
});

test("help environment leaves out the variables of the screen's settings, and says where they are", () => {
  const text = TOPICS.environment!.text(tree);
  for (const [key, { env = [], screen = false }] of Object.entries<SettingRow>(SETTINGS))
    for (const name of env) expect([key, name, text.includes(`\n  ${name}\n`)]).toEqual([key, name, !screen]);
  expect(text).toContain("parley config list");
});

test("help topics fit 80 columns", () => {
  for (const [name, topic] of Object.entries(TOPICS))
    for (const line of topic.text(tree).split("\n"))
      expect([name, line, line.length <= 80]).toEqual([name, line, true]);
});

test.each([
  ["message send -c team:ops --queue hi", "message send"],
  ["-p local message send --queue hi", "message send"],
  ["--profile local --timeout 3s channel list --wrong", "channel list"],
  ["--max-wait local", ""],
  ["nowhere", ""],
])("after wrong use of `parley %s` the hint names the help of %j", (line, path) => {
  expect(helpFor(tree, line.split(" "))).toBe(`parley ${path} --help`.replace("  ", " "));
});
