/** Resolves lists of command names and sets, and finds the command at the start of a text. */
import { ALL_COMMANDS } from "../../../../wire/built-in-commands.ts";
import type { CommandInfo } from "../../../../wire/entities/channel.ts";

/** The commands of `available` that a list of names, sets or `all` selects, in the order of `available` (specification/admin.md §2). */
export function expandCommands(list: readonly string[], available: readonly CommandInfo[]): CommandInfo[] {
  const selected = new Set(list);
  return available.filter(
    ({ name, set }) => selected.has(ALL_COMMANDS) || selected.has(name) || selected.has(set),
  );
}

/** The command at the start of a text, if the channel has it (specification/messages.md §5). */
export function commandOf(
  text: string,
  commands: readonly CommandInfo[],
): { command: string; args: string } | undefined {
  const found = /^\/([A-Za-z0-9_-]{1,64})(?:\s+([\s\S]*))?$/.exec(text);
  return found && commands.some(({ name }) => name === found[1])
    ? { command: found[1]!, args: (found[2] ?? "").trim() }
    : undefined;
}
