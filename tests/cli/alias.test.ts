/** How the words of a line fill an alias: each where its number stands, the others behind in their order. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expandAlias, splitLine } from "../../src/cli/shell-commands/alias/expand.ts";
import { configFile } from "../../src/config/paths.ts";

let folder: string;
let env: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-alias-"));
  env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, "c") };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The line as it runs, with `alias x` standing for these words. */
function expand(alias: string, words: readonly string[]): readonly string[] {
  mkdirSync(path.dirname(configFile(env)), { recursive: true });
  writeFileSync(configFile(env), JSON.stringify({ aliases: { x: alias } }));
  return expandAlias(env, ["x", ...words]);
}

test.each([
  ["tail", "a b c", "tail a b c"],
  ["search --user $1 --since 7d", "a", "search --user a --since 7d"],
  ["search --user $1", "a b c", "search --user a b c"],
  ["search --user $2", "a b c", "search --user b a c"],
  ["search --user $3", "a b c", "search --user c a b"],
  ["send $2 $1", "a b c d", "send b a c d"],
  ["send $3 $1", "a b c d", "send c a b d"],
  ["send $1 $1", "a b", "send a a b"],
  ["send --id=$2-$1", "a b c", "send --id=b-a c"],
  ["send $2", "a b --json", "send b a --json"],
])(
  "%s with the words %s is %s: no word is lost, and only a number that stands twice repeats one",
  (alias, words, line) => {
    expect(expand(alias, words.split(" "))).toEqual(line.split(" "));
  },
);

test("a word with spaces, dollars or quotes fills its place as it is", () => {
  expect(expand("send '#ops' $2", ["--quiet", '$1 it\'s "so" $&'])).toEqual([
    "send",
    "#ops",
    '$1 it\'s "so" $&',
    "--quiet",
  ]);
});

test.each([
  ["send $1", ""],
  ["send $2", "a"],
  ["send $1 $3", "a b"],
])("%s with the words '%s' is refused, and the number without a word is named", (alias, words) => {
  expect(() => expand(alias, words.split(" ").filter(Boolean))).toThrow(
    `The alias 'x' needs an argument for $${/\d(?=$)/.exec(alias)?.[0]}: ${alias}`,
  );
});

test("words that name no alias stay as they are, also those that every object has", () => {
  expand("tail", []);
  for (const line of [["tail", "$1"], ["toString", "a"], ["__proto__"], []])
    expect(expandAlias(env, line)).toBe(line);
});

test.each([
  ["a  b", ["a", "b"]],
  [" a 'b  c' ", ["a", "b  c"]],
  [String.raw`a\ b "c\"d" 'e\f'`, ["a b", 'c"d', String.raw`e\f`]],
  [`a''b ""`, ["ab", ""]],
  ["a 'b", undefined],
  [`a "b`, undefined],
  ["", []],
])("%j is read as %j", (line, words) => {
  expect(splitLine(line)).toEqual(words);
});
