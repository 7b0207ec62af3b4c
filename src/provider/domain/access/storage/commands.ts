/** The commands that a list of names and sets means, and the command at the start of a text. */
import { ALL_COMMANDS } from "../../../../wire/built-in-commands.ts";
import type { CommandInfo } from "../../../../wire/entities/channel.ts";

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
