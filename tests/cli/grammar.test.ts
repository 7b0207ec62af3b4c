/** Where words may stand on a line: the channel first or as -c, and values that begin with a dash. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptedFlags, assignPositionals, flagRows, positionalRows } from "../../src/commands/base/args.ts";
import type { RawArgs } from "../../src/commands/base/define-command.ts";
import { commands } from "../../src/commands/table.gen.ts";
import { tree } from "../../src/cli/tree.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo cy");
  await run("channel create messaging:ops --name Ops --member ana");
});
afterAll(() => home.end());

/** What the words of a line become. */
function read(path: string, words: string[], given: RawArgs = {}, currentChannel?: string): RawArgs {
  const raw = { ...given };
  assignPositionals(
    commands.row(path).args,
    words,
    raw,
    currentChannel === undefined ? {} : { currentChannel },
  );
  return raw;
}

test.each([
  ["member ban", ["#ops", "bo"], { channel: "#ops", users: ["bo"] }],
  ["member ban", ["bo", "#ops"], { channel: "#ops", users: ["bo"] }],
  ["member add", ["team:ops", "@bo", "cy"], { channel: "team:ops", users: ["@bo", "cy"] }],
  [
    "member role",
    ["#ops", "channel_moderator", "bo"],
    { channel: "#ops", role: "channel_moderator", users: ["bo"] },
  ],
  ["member set", ["#ops", "bo", "desk=a:b"], { channel: "#ops", user: "bo", fields: ["desk=a:b"] }],
  ["member list", ["#ops"], { channel: "#ops" }],
  ["message list", ["@ana"], { channel: "@ana" }],
  ["message send", ["#ops", "hi", "#you"], { channel: "#ops", text: "hi #you" }],
  ["draft get", ["team:ops"], { channel: "team:ops" }],
])("%s takes the channel out of %j", (path, words, expected) => {
  expect(read(path, words)).toEqual(expected);
});

test("a text keeps a word like a channel where the channel is known already", () => {
  expect(read("message send", ["#ops", "hi"], {}, "team:x")).toEqual({ text: "#ops hi" });
  expect(read("message send", ["#ops", "hi"], { channel: "#b" })).toEqual({ channel: "#b", text: "#ops hi" });
  expect(read("search", ["#ops", "hi"])).toEqual({ words: "#ops hi" });
});

test("every command that is about a channel takes it as -c", () => {
  const without = tree
    .visiblePaths()
    .filter((path) => positionalRows(tree.definition(path).args).some(([, { kind }]) => kind === "channel"))
    .filter((path) => path !== "chat")
    .filter((path) => !acceptedFlags(tree.definition(path).args).some(([, { short }]) => short === "c"));
  expect(without).toEqual([]);
  expect(read("channel set", ["name=b"], { channel: "#ops" })).toEqual({
    channel: "#ops",
    fields: ["name=b"],
  });
  expect(read("channel read", ["#b"], { channels: ["#a"] })).toEqual({ channels: ["#a", "#b"] });
  expect(flagRows(commands.row("channel unset").args)).toEqual([]);
});

test.each([
  ["channel set -c '#ops' topic=tea", "channel get '#ops' --jq .channel.topic", "tea\n"],
  ["send --channel '#ops' --id flagged hello there", "message get flagged --jq .text", "hello there\n"],
  ["member add '#ops' bo", "member list '#ops' --jq .user_id", "ana\nbo\nmira\n"],
])("`%s` does what it says", async (line, look, out) => {
  expect(await run(line)).toMatchObject({ code: 0, err: "" });
  expect((await run(look)).out).toBe(out);
});

test.each([
  ["send '#ops' --id minus '-5 degrees'", "-5 degrees"],
  ["send '#ops' --id minus2 -5 degrees", "-5 degrees"],
  ["send '#ops' --id minus3 '--all of you'", "--all of you"],
  ["send '#ops' --id minus4 -verily -n-less", "-verily -n-less"],
  ["send '#ops' --id minus5 -- -n", "-n"],
])("`%s` sends the words that begin with a dash", async (line, text) => {
  const id = /--id (\w+)/.exec(line)![1];
  expect(await run(line)).toMatchObject({ code: 0, err: "" });
  expect((await run(`message get ${id} --jq .text`)).out).toBe(`${text}\n`);
});

test.each([
  ["location share '#ops' -33.8,151.2 -n --jq .body.message.shared_location.latitude", "-33.8\n"],
  ["location share '#ops' -0.5,-0.25 -n --jq .body.message.shared_location.longitude", "-0.25\n"],
  ["search -zzz", ""],
  ["-p local search -zzz", ""],
  ["user list -qn", expect.stringContaining("ana")],
])("`%s` reads what begins with a dash as it is meant", async (line, out) => {
  expect(await run(line)).toMatchObject({ code: 0, out, err: "" });
});

test.each([
  "send '#ops' -x",
  "send '#ops' --wrong",
  "whoami -wrong",
  "user delete -hard bo",
  "user list -all",
  "search -Z",
])("`%s` is refused as an unknown flag", async (line) => {
  const { code, err } = await run(line);
  expect([code, err]).toEqual([2, expect.stringContaining("error: unknown option")]);
});

test("set changes some fields and replace all of them, wherever there are fields", () => {
  const verbs = (verb: string): string[] =>
    tree
      .visiblePaths()
      .filter((path) => path.endsWith(` ${verb}`) && tree.definition(path).aliases?.includes("update"));
  expect(verbs("set").toSorted()).toEqual(
    "app campaign channel-type command permission poll poll-option segment user"
      .split(" ")
      .map((noun) => `${noun.replace("poll-", "poll ")} set`)
      .toSorted(),
  );
  expect(verbs("replace").toSorted()).toEqual(["blocklist replace", "channel replace"]);
  for (const path of verbs("replace")) expect(tree.mayAskFirst(path), path).toBe(true);
  // These two bring something up to date.
  expect(tree.visiblePaths().filter((path) => path.endsWith(" update"))).toEqual([
    "location update",
    "archive update",
  ]);
});

test.each([
  ["user update ana title=Lead", "user get ana --jq .title", "Lead\n"],
  ["poll option update", "help poll option update | sed -n 1p", "Change the text of a poll option.\n"],
  ["user set ana title=Lead --unset title", "user get ana --jq .title", "null\n"],
  ["user set ana role=moderator --yes", "user get ana --jq .role", "moderator\n"],
  ["user unset ana role", "user get ana --jq .role", "moderator\n"],
  ["channel update '#ops' name=Tea --yes", "channel get '#ops' --jq .channel.name", "Tea\n"],
  [
    "channel set '#ops' --add-tag late --unset topic",
    "channel get '#ops' --jq .channel.filter_tags[0]",
    "late\n",
  ],
])("`%s`", async (line, look, out) => {
  await run(line);
  expect((await home.sh(`parley ${look}`)).out).toBe(out);
});

test("a user is changed by the app where it can be, and by the user with --as", async () => {
  expect(await run("user set ana mood=calm --jq .mood")).toMatchObject({ code: 0, out: "calm\n" });
  expect(await run("user set ana mood=calm --as bo")).toMatchObject({ code: 5 });
  expect(await run("user set mood=calm --as bo --jq .id")).toMatchObject({ code: 0, out: "bo\n" });
});

test("a dash in the place of the language is refused, not sent", async () => {
  expect(await run("send '#ops' --code -")).toMatchObject({
    code: 2,
    err: "error: --code needs a language, such as ts\nhint: parley send '#ops' --code ts -\n",
  });
});
