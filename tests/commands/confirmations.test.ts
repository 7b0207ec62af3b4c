/** Which writes ask for confirmation: those that delete, replace, reach many people or change rights, and no others. */
import { expect, test } from "vitest";
import { commands } from "../support/commands.ts";
import { commandHelp } from "../../src/cli/help/help.ts";
import {
  CommandError,
  type ArgRow,
  type Args,
  type Command,
} from "../../src/commands/base/define-command.ts";
import { tree } from "../../src/cli/tree.ts";

/** Every write that may ask, by its possible damage; tests below cover those that ask in some cases only. A write not listed never asks. */
const DAMAGE = {
  deletes: `message delete|channel leave|channel hide|channel delete|channel truncate|user delete|gdpr delete|poll delete|poll option remove
draft delete|device remove|push provider delete|channel-type delete|role delete|permission delete|command delete|blocklist delete
campaign delete|segment delete|file delete|moderation act`,
  replaces: "app set|apply|channel replace|segment sync|user upsert|blocklist replace|blocklist set",
  "reaches many": "channel batch|import upload|campaign start|campaign schedule|campaign continue",
  "changes rights": `member remove|member ban|member shadow-ban|member role|member promote|member demote|user ban|user deactivate|user revoke
permission grant|permission revoke|permission set|channel-type set|user set|member set`,
};

test("exactly the listed writes may ask for confirmation", () => {
  const writes = Object.keys(commands).filter((path) => commands[path]!.changes === "provider");
  const wanted = Object.values(DAMAGE).flatMap((list) => list.split(/[|\n]/));
  expect(writes.filter((path) => tree.mayAskFirst(path)).toSorted()).toEqual(wanted.toSorted());
});

test("channel hide asks only with --clear-history", () => {
  const ask = (args: object): unknown => commands["channel hide"]!.confirm!(args as never);
  expect(ask({ channel: "messaging:ops" })).toBeUndefined();
  expect(ask({ channel: "messaging:ops", clearHistory: true })).toMatchObject({ level: "moderate" });
});

test("blocklists ask when words are removed, and user set when the role changes", () => {
  const none = { words: [], add: [], remove: [], fields: [], unset: [] };
  const ask = (path: string, args: object): unknown =>
    commands[path]!.confirm!({ ...none, ...args } as never);
  expect(ask("blocklist set", { blocklist: "sweet", add: ["tea"] })).toBeUndefined();
  expect(ask("blocklist replace", { blocklist: "sweet", words: ["tea"] })).toMatchObject({
    level: "moderate",
  });
  expect(ask("blocklist set", { blocklist: "sweet", remove: ["tea"] })).toMatchObject({
    level: "moderate",
  });
  expect(ask("user set", { user: "ana", fields: ["status=out"] })).toBeUndefined();
  expect(ask("user set", { user: "ana", fields: ["role=admin"] })).toMatchObject({ level: "mild" });
});

/** All that can be named, without a flag and with each of the flags. */
function linesOf(args: Args): object[] {
  const value = ({ kind, choices }: ArgRow): unknown =>
    kind === "list" ? ["x"] : kind === "flag" ? true : (choices?.[0] ?? "x");
  const rows = Object.entries(args);
  const named = Object.fromEntries(
    rows.flatMap(([name, row]) =>
      row.positional ? [[name, value(row)]] : row.kind === "list" ? [[name, []]] : [],
    ),
  );
  const flags = rows.filter(([name, row]) => !row.positional && name !== "file");
  return [named, ...flags.map(([name, row]) => ({ ...named, [name]: value(row) }))];
}

/** Whether a word has to be typed for some line; lines that are refused ask nothing. */
const wantsWord = ({ args, confirm }: Command): boolean =>
  linesOf(args).some((line) => {
    try {
      return confirm?.(line as never)?.word !== undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(CommandError);
      return false;
    }
  });

test("the help says which word is typed, of exactly the commands that want one", () => {
  // They read the file, the campaign or the person before they ask.
  const whileRunning = ["campaign start", "campaign schedule", "gdpr delete"];
  const wants = Object.entries(commands)
    .filter(([, one]) => wantsWord(one))
    .map(([path]) => path);
  const told = Object.keys(commands).filter((path) => tree.find(path)!.confirmWord !== undefined);
  expect(told.toSorted()).toEqual([...wants, ...whileRunning].toSorted());
  expect(told.length).toBeGreaterThan(8);
});

test("the help of a command that asks says whether yes is enough, and of one that does not says nothing of it", () => {
  for (const path of tree.visiblePaths()) {
    const help = commandHelp(tree, path);
    const word = tree.find(path)!.confirmWord;
    const said = /Asks for confirmation first/.test(help);
    expect(said, path).toBe(tree.mayAskFirst(path));
    if (said)
      expect(help.replaceAll("\n", " "), path).toContain(
        word === undefined || word.only ? "--yes answers beforehand." : word.word,
      );
  }
});
