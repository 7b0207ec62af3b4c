/** A line of the chat box becomes text, a provider's command or one of Parley's (specification/command-line.md §7, R-CMD). */
import { describe, expect, test } from "vitest";
import { commands } from "../support/commands.ts";
import { ALIASES } from "../../src/commands/table.gen.ts";
import { NOUNS } from "../../src/commands/nouns.ts";
import { shellCommands } from "../../src/cli/shell-commands/table.gen.ts";
import {
  chatPaths,
  loadLine,
  readLine,
  type CommandLine,
  splitWords,
  unknownCommandMessage,
  usageLine,
} from "../../src/commands/line.ts";
import { fillArgs, readChannel } from "../../src/commands/base/args.ts";

const here = { currentChannel: "messaging:ops", channelType: "messaging", now: Date.UTC(2026, 10, 20, 12) };

test("no command's path is the beginning of another's", () => {
  const paths = Object.keys(commands);
  expect(paths.filter((path) => paths.some((other) => other.startsWith(`${path} `)))).toEqual([]);
});

describe("a line", () => {
  test("without a slash is text", () => {
    expect(readLine("hello /channel mute", here)).toEqual({ kind: "text", text: "hello /channel mute" });
  });
  test("with an unknown name is neither sent nor run, and similar names are suggested", () => {
    for (const line of ["/raect m-1 like", "/teapot", "/teapot\nand more"])
      expect(readLine(line, here).kind).toBe("unknown");
    expect(unknownCommandMessage("raect")).toMatch(/^There is no \/raect here; near it: \/react\b/);
    expect(unknownCommandMessage("mute")).toContain("/channel mute");
    expect(unknownCommandMessage("mesage")).toContain("near it: /message");
    expect(unknownCommandMessage("gihpy", ["giphy"])).toContain("near it: /giphy");
    expect(unknownCommandMessage("zzzzzzzz")).toBe("There is no /zzzzzzzz here. As text: //zzzzzzzz");
  });
  test("that is a path is text, and two slashes send one", () => {
    expect(readLine("/usr/bin is full", here)).toMatchObject({ kind: "text", text: "/usr/bin is full" });
    expect(readLine("//react is a command", here)).toEqual({ kind: "text", text: "/react is a command" });
    expect(readLine("//", here)).toEqual({ kind: "text", text: "/" });
  });
  test("with a noun and no or an unknown verb is refused with the verbs that exist", () => {
    for (const line of ["/channel", "/channel mut"]) expect(readLine(line, here).kind).toBe("fault");
    expect(readLine("/channel mut", here)).toMatchObject({
      message: expect.stringMatching(/^There is no \/channel mut: .*\bmute\b/),
    });
    expect(readLine("/channel", here)).toMatchObject({
      message: expect.stringMatching(/^\/channel needs a subcommand: .*\bleave\b/),
    });
    expect(readLine("/channel mute", here, ["channel"])).toMatchObject({ kind: "provider" });
  });
  test("goes to the provider if the channel's config lists the word, even over an alias", () => {
    expect(readLine("/pin it", here, ["pin"])).toMatchObject({ kind: "provider", name: "pin" });
    expect(readLine("/giphy cats", here, ["giphy"])).toMatchObject({ kind: "provider", name: "giphy" });
  });
  test("with a full path uses the open channel if none is given", () => {
    expect(readLine("/channel mute", here)).toMatchObject({
      kind: "command",
      path: "channel mute",
      values: { channel: "messaging:ops" },
    });
    expect(readLine("/channels mute #eng --until 2h", here)).toMatchObject({
      values: { channel: "messaging:eng", until: { at: "2026-11-20T14:00:00.000Z", ms: 7_200_000 } },
    });
  });
  test("with a single word for two arguments uses the open channel as the first", () => {
    expect(readLine("/mark-unread m-1", here)).toMatchObject({
      values: { channel: "messaging:ops", message: "m-1" },
    });
    expect(readLine("/mark-unread team:x m-1", here)).toMatchObject({
      values: { channel: "team:x", message: "m-1" },
    });
  });
  test("takes what stands behind -- as it is, also what looks like a flag or a second --", () => {
    const values = (line: string): unknown => (readLine(line, here) as { values?: unknown }).values;
    expect(values("/member add ana --channel team:x -- --role bo")).toMatchObject({
      channel: "team:x",
      users: ["ana", "--role", "bo"],
    });
    expect(values("/member add -- bo -- cy")).toMatchObject({ users: ["bo", "--", "cy"] });
    expect(values("/channel mute --")).toMatchObject({ channel: "messaging:ops" });
  });
  test("about a message means the current message if it names none", () => {
    const at = {
      ...here,
      message: (which: "message" | "mine" | "poll") => ({ message: "new", mine: "my", poll: "asks" })[which],
      namesMessage: (word: string) => word === "m-1",
    };
    const values = (line: string): unknown => (readLine(line, at) as { values?: unknown }).values;
    expect(values("/react like")).toMatchObject({ message: "new", type: "like" });
    expect(values("/react m-7 like")).toMatchObject({ message: "m-7", type: "like" });
    expect(values("/pin")).toMatchObject({ message: "new" });
    expect(values("/mark-unread")).toMatchObject({ channel: "messaging:ops", message: "new" });
    expect(values("/edit hello  there")).toMatchObject({ message: "my", text: "hello  there" });
    expect(values("/edit m-1 hello")).toMatchObject({ message: "m-1", text: "hello" });
    expect(values("/reply --silent on my way")).toMatchObject({
      message: "new",
      text: "on my way",
      silent: true,
    });
    expect(values("/delete")).toMatchObject({ messages: ["my"] });
    expect(values("/delete --file ids.txt")).toMatchObject({ messages: [], file: "ids.txt" });
    expect(values("/vote 2")).toMatchObject({ message: "asks", option: "2" });
    expect(values("/poll close")).toMatchObject({ poll: "asks" });
    expect(values("/poll option add More soup")).toMatchObject({ poll: "asks", text: "More soup" });
  });
  test("about a message never asks for an id, even if there is no message", () => {
    const nowhere = { ...here, message: () => undefined };
    expect(readLine("/react like", nowhere)).toMatchObject({
      kind: "fault",
      message: "There is no message here.",
    });
    expect(readLine("/poll close", nowhere)).toMatchObject({ message: "There is no poll here." });
    for (const path of chatPaths()) expect(usageLine(path), path).not.toMatch(/<(message|messages…|poll)>/);
  });
  test("that ends in free text keeps it as typed, including flags and line ends", () => {
    expect(readLine("/edit m-1 a  b\n--hard  c", here)).toMatchObject({
      path: "message edit",
      values: { message: "m-1", text: "a  b\n--hard  c" },
    });
  });
  test("with a noun within a noun reads three words, and lists the verbs if the third is missing", () => {
    expect(readLine("/polls option add p-1 More soup", here)).toMatchObject({
      kind: "command",
      path: "poll option add",
      values: { poll: "p-1", text: "More soup" },
    });
    expect(readLine("/poll option", here)).toMatchObject({
      kind: "fault",
      message: "/poll option needs a subcommand: add, set, remove.",
    });
    expect(readLine("/poll option melt p-1", here)).toMatchObject({
      kind: "fault",
      message: "There is no /poll option melt: add, set, remove.",
    });
  });
  test("with an empty list of users is refused", async () => {
    expect(await loadLine(readLine("/member remove", here) as CommandLine)).toMatchObject({
      kind: "fault",
      message: "No members are named.",
    });
  });
  test("that ends in free text takes its own flags before the text, with quoted values", () => {
    expect(
      readLine('/poll create -o "Thick soup" --option=Noodles --unique Lunch --where?', here),
    ).toMatchObject({
      path: "poll create",
      values: { option: ["Thick soup", "Noodles"], unique: true, question: "Lunch --where?" },
    });
    expect(readLine("/poll create --nope Lunch?", here)).toMatchObject({
      values: { question: "--nope Lunch?" },
    });
    expect(readLine("/poll create --max-votes", here)).toMatchObject({
      kind: "fault",
      message: "--max-votes needs a value.",
    });
  });
  test("that needs the secret, files or a shell is refused with the shell command", () => {
    expect(readLine("/app get", here)).toMatchObject({
      kind: "fault",
      message: "/app get needs the app's secret: run parley app get in a shell.",
    });
    expect(readLine("/import validate people.jsonl", here)).toMatchObject({
      kind: "fault",
      message: "/import validate works on files: run parley import validate in a shell.",
    });
    expect(readLine("/campaign", here)).toMatchObject({
      kind: "fault",
      message: "/campaign needs the app's secret: run parley campaign in a shell.",
    });
    expect(chatPaths().filter((path) => commands[path]!.needs === "secret")).toEqual([]);
    for (const path of Object.values(ALIASES)) expect(chatPaths(), path).toContain(path);
  });
  test("with wrong arguments is refused with one sentence", () => {
    expect(readLine("/channel mute --bogus", here)).toMatchObject({
      kind: "fault",
      message: "Unknown flag --bogus.",
    });
    expect(readLine("/react m-1", here)).toMatchObject({
      kind: "fault",
      message: "missing argument <type>: the reaction: like, love, +1 …",
    });
    expect(readLine('/react m-1 "like', here)).toMatchObject({
      kind: "fault",
      message: 'A " is not closed.',
    });
    expect(readLine("/message get a b", here)).toMatchObject({
      kind: "fault",
      message: "unexpected argument 'b'.",
    });
  });
  test("has a usage line", () => {
    expect(usageLine("channel mute")).toBe("/channel mute [channel] [--until …]");
    expect(usageLine("message edit")).toBe("/message edit [flags] [message] <text…>");
    expect(usageLine("poll option add")).toBe("/poll option add [flags] [poll] <text…>");
  });
});

/** Commands of providers; no single-word command of Parley may have the same name. */
const PROVIDER_COMMANDS = [
  "giphy",
  "ban",
  "unban",
  "mute",
  "unmute",
  "flag",
  "unflag",
  "all",
  "fun_set",
  "moderation_set",
] as const;

describe("names", () => {
  test("no alias is a provider's command, a noun or a path", () => {
    const nouns = new Set(
      Object.keys(commands)
        .filter((p) => p.includes(" ") && commands[p]!.shellOnly === undefined)
        .map((p) => p.split(" ")[0]!),
    );
    for (const word of Object.keys(ALIASES)) {
      expect(PROVIDER_COMMANDS).not.toContain(word);
      expect(nouns.has(word), word).toBe(false);
      expect(commands[word], word).toBeUndefined();
    }
  });
  test("every alias and every noun leads to an existing command", () => {
    for (const path of Object.values(ALIASES)) expect(commands[path], path).toBeDefined();
    for (const noun of Object.values(NOUNS))
      expect(
        [...Object.keys(commands), ...shellCommands.paths].some((path) => path.startsWith(`${noun} `)),
        noun,
      ).toBe(true);
  });
  test("only the last argument takes the rest, and short flags are unique within a command", () => {
    for (const [path, { args }] of Object.entries(commands)) {
      const places = Object.values(args).filter((row) => row.positional);
      expect(
        places.slice(0, -1).some((row) => row.positional === "rest" || row.kind === "list"),
        path,
      ).toBe(false);
      const shorts = Object.values(args).flatMap((row) => row.short ?? []);
      expect(new Set(shorts).size, path).toBe(shorts.length);
      // Letters of global short flags are reserved.
      for (const short of shorts) expect("pnyqvhV").not.toContain(short);
    }
  });
});

describe("values", () => {
  test("channels are type:id, #id or @user and nothing else", () => {
    expect(readChannel("team:eng", "messaging")).toBe("team:eng");
    expect(readChannel("#eng", "gaming")).toBe("gaming:eng");
    expect(readChannel("@ana", "messaging")).toBe("@ana");
    for (const bad of ["eng", "#", ":x", "a b:c", "team:", "@", "#a/b", "team:a:b"])
      expect(() => readChannel(bad, "messaging"), bad).toThrow();
  });
  test("times are read as people write them in the argument's direction, and an invalid time is refused with examples", () => {
    const rows = {
      since: { kind: "time", required: true, help: "" },
      at: { kind: "time", help: "", required: true, direction: "future" },
    } as const;
    const read = (given: Record<string, string>) =>
      fillArgs(rows, given, { ...here, channelType: "messaging" });
    expect(read({ since: "2h", at: "2h" })).toMatchObject({
      since: "2026-11-20T10:00:00.000Z",
      at: "2026-11-20T14:00:00.000Z",
    });
    expect(read({ since: "+2h", at: "2h" })).toMatchObject({ since: "2026-11-20T14:00:00.000Z" });
    // A time in the past is never converted to one in the future.
    for (const past of ["-2h", "2026-11-20", "yesterday"])
      expect(() => read({ since: "2h", at: past }), past).toThrow("--at must be in the future");
    expect(read({ since: "yesterday", at: "1795198007" })).toMatchObject({
      since: new Date(2026, 10, 19).toISOString(),
      at: "2026-11-20T18:06:47.000Z",
    });
    // Microseconds, as in the provider's answers, are preserved.
    expect(read({ since: "2026-11-20T10:00:00.626001Z", at: "2026-11-20T13:00:00.5+01:00" })).toMatchObject({
      since: "2026-11-20T10:00:00.626001Z",
      at: "2026-11-20T12:00:00.500Z",
    });
    for (const bad of ["30", "soon", "2026-02-31", "2026-13-01", "9e99d", "2h30"])
      expect(() => read({ since: bad, at: "2h" }), bad).toThrow(
        "--since must be a time such as 2h, in 10 min, yesterday",
      );
  });
  test("a missing channel is named in the error, and defaults apply", () => {
    expect(() => fillArgs(commands["channel mute"]!.args, {}, { channelType: "messaging", now: 0 })).toThrow(
      "No channel is named",
    );
    expect(fillArgs(commands["channel read"]!.args, {}, { channelType: "messaging", now: 0 })).toMatchObject({
      channels: [],
      allChannels: false,
    });
  });
  test("words are grouped by quotes and backslashes", () => {
    expect(splitWords(`a "b c" 'd "e' f\\ g ""`)).toEqual(["a", "b c", 'd "e', "f g", ""]);
  });
});
