/** The built-in slash commands, the sets that stand for several of them, and the command at the start of a text. */
import type { CommandInfo } from "../../../../wire/channel.ts";

export const BUILT_IN_COMMANDS: readonly CommandInfo[] = [
  { name: "giphy", description: "Post a random gif to the channel", args: "[text]", set: "fun_set" },
  { name: "ban", description: "Ban a user", args: "[@username] [text]", set: "moderation_set" },
  { name: "unban", description: "Unban a user", args: "[@username]", set: "moderation_set" },
  { name: "mute", description: "Mute a user", args: "[@username]", set: "moderation_set" },
  { name: "unmute", description: "Unmute a user", args: "[@username]", set: "moderation_set" },
  { name: "flag", description: "Flag a user", args: "[@username]", set: "moderation_set" },
];

/** Stands for every command in a list of names. */
export const ALL_COMMANDS = "all";

/** The commands that a list of names, `all` and sets means, each once, built-in ones first (specification/admin.md §2). */
export function expandCommands(list: readonly string[], known: readonly CommandInfo[]): CommandInfo[] {
  const wanted = new Set(list);
  return known.filter(({ name, set }) => wanted.has(ALL_COMMANDS) || wanted.has(name) || wanted.has(set));
}

/** The command at the start of a text, when the channel offers it (specification/messages.md §5). */
export function commandOf(
  text: string,
  commands: readonly CommandInfo[],
): { command: string; args: string } | undefined {
  const found = /^\/([A-Za-z0-9_-]{1,64})(?:\s+([\s\S]*))?$/.exec(text);
  return found && commands.some(({ name }) => name === found[1])
    ? { command: found[1]!, args: (found[2] ?? "").trim() }
    : undefined;
}
