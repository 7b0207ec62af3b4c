/** The notice in the chat for a command that prints nothing. */
import { expect, test } from "vitest";
import { commands } from "../support/commands.ts";
import { loadLine, readLine, type CommandLine, type LoadedLine } from "../../src/commands/line.ts";
import { runInChat, type ChatResult } from "../../src/commands/run-in-chat.ts";

const run = async (text: string, answer: object, limit = 50): Promise<ChatResult> => {
  const where = { currentChannel: "messaging:ops", channelType: "messaging", now: 0 };
  const line = (await loadLine(readLine(text, where) as CommandLine)) as LoadedLine;
  const core = { userId: "mira", call: async () => answer, state: () => ({}) } as never;
  const caller = { ...where, now: () => 0, random: () => "id" };
  return runInChat(line, { core, ...caller, limit });
};

test('an empty list shows "nothing"', async () => {
  expect(await run("/user blocked", { blocks: [] })).toEqual({ views: [], word: "nothing" });
});

test('a command without output shows "done"', async () => {
  expect(commands["channel mute"]!.show).toBeUndefined();
  expect(await run("/channel mute", {})).toEqual({ views: [], word: "done" });
});

test("a list ends at the limit", async () => {
  const blocks = ["a", "b", "c"].map((id) => ({ blocked_user_id: id, blocked_user: { id } }));
  expect((await run("/user blocked", { blocks }, 2)).views).toHaveLength(2);
});
