/** The order of commands in lists: by noun and verb as the tables name them, then those that no table names by name. */
import { expect, test } from "vitest";
import { orderedPaths } from "../../src/commands/nouns.ts";

test("nouns and verbs stand as their tables name them, what they do not name follows by name, single words last", () => {
  const given = [
    "tail",
    "poll zip",
    "poll option set",
    "poll add",
    "login",
    "poll create",
    "message list",
    "message send",
    "poll option",
  ];
  expect(orderedPaths(given)).toEqual([
    "message send",
    "message list",
    "poll create",
    "poll option",
    "poll option set",
    "poll add",
    "poll zip",
    "login",
    "tail",
  ]);
  expect(orderedPaths(given.toReversed())).toEqual(orderedPaths(given));
});
