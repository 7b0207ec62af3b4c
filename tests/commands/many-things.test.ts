/** Every command that takes several things takes them from a file too, or from a pipe. */
import { expect, test } from "vitest";
import { shellCommands } from "../../src/cli/shell-commands/table.gen.ts";
import type { Args } from "../../src/commands/base/define-command.ts";
import { commands } from "../support/commands.ts";

/** Lists of words that are no things of a provider. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "app get": "names of settings",
  "archive merge": "folders, which the shell names by a pattern",
  upload: "files, which the shell names by a pattern",
  "webhook list": "names of events",
  limits: "names of endpoints",
  "event listen": "names of events",
  "local exec": "a command line",
  __complete: "a command line",
  api: "a request",
  describe: "the name of a command",
  help: "the name of a command",
  notify: "channels whose messages are waited for until it is stopped",
  tail: "channels whose messages are waited for until it is stopped",
};

/** The arguments that take several words, besides fields: `name=value`, and names of fields to remove. */
const takesSeveral = (args: Args): boolean =>
  Object.values(args).some(
    ({ kind, positional, value }) =>
      kind === "list" && positional === true && value !== "name=value" && value !== "name",
  );

const all: Readonly<Record<string, Args>> = {
  ...Object.fromEntries(Object.entries(commands).map(([name, { args }]) => [name, args])),
  ...Object.fromEntries(shellCommands.paths.map((name) => [name, shellCommands.row(name)!.args])),
};

test("what takes several things takes --file, or its words are no things", () => {
  const several = Object.keys(all).filter((name) => takesSeveral(all[name]!));
  const without = several.filter((name) => all[name]!.file?.kind !== "file");
  expect(without.toSorted()).toEqual(Object.keys(OTHER_WORDS).toSorted());
  expect(several.length).toBeGreaterThan(40);
});

test("where a file names several things, - is standard input", () => {
  for (const [name, args] of Object.entries(all).filter(
    ([, one]) => takesSeveral(one) && one.file?.kind === "file",
  ))
    expect(args.file!.help, name).toMatch(/standard input/);
});
