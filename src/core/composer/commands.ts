/** Commands of the provider while one writes: where they begin and which are meant (R-CMD). */
import type { CommandInfo } from "../../wire/channel.ts";
import { COMMAND_TRIGGER } from "../../wire/constants.ts";
import type { Trigger } from "../../model/mentions.ts";

/** R-CMD-1, R-CMD-3: the trigger as the first character of the text, and no white space after the name yet. */
export function commandTrigger(text: string, cursor: number): Trigger | undefined {
  if (!text.startsWith(COMMAND_TRIGGER) || cursor < COMMAND_TRIGGER.length || /\s/.test(text))
    return undefined;
  return { start: 0, query: text.slice(COMMAND_TRIGGER.length, cursor) };
}

/** R-CMD-2: by prefix of the name, the exact one first, then by name. */
export function matchingCommands(commands: readonly CommandInfo[], query: string): CommandInfo[] {
  const wanted = query.toLowerCase();
  return commands
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .toSorted(
      (a, b) =>
        Number(b.name.toLowerCase() === wanted) - Number(a.name.toLowerCase() === wanted) ||
        (a.name < b.name ? -1 : 1),
    );
}

/** R-CMD-3: what choosing one inserts. */
export function commandText(command: Pick<CommandInfo, "name">): string {
  return `${COMMAND_TRIGGER}${command.name} `;
}
