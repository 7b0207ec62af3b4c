/** Which writes ask for confirmation: those that delete, replace, reach many people or change rights, and no others. */
import { expect, test } from "vitest";
import { commands } from "../support/commands.ts";
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
