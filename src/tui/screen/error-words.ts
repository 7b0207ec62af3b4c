/** Turns errors and hints into sentences for the screen. */
import { chatPaths } from "../../commands/line.ts";
import { errorMessage } from "../../model/errors.ts";
import { REPLACED, isReplaced } from "../../model/obstacles.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { TransportError, whyUnanswered } from "../../model/transport.ts";
import { words } from "../../text/words.ts";
import { reasonOf } from "../../wire/errors.ts";
import { composerCommandNames } from "../keys/composer-commands.ts";

/** A module that cannot be loaded because the program was updated gets its own sentence instead of a file name. */
export function errorWords(error: unknown): string {
  if (isReplaced(error)) return `${REPLACED.reason}. ${REPLACED.hint}`;
  if (error instanceof TransportError && ["network", "timeout"].includes(error.kind))
    return words.unanswered(error.neverSent, whyUnanswered(error));
  return cleanLine(reasonOf(errorMessage(error)));
}

/** Matches a shell command in a hint. */
const COMMAND = /\bparley ([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})/g;

const isChatCommand = (name: string): boolean =>
  (composerCommandNames as readonly string[]).includes(name) || chatPaths().includes(name);

/** Rewrites a hint for the composer: `/user list` for `parley user list`, or "in the shell" if only the shell has the command. */
export function hintForChat(hint: string): string {
  let hasChatCommand = false;
  const text = hint.replace(COMMAND, (match, command: string) => {
    const parts = command.split(" ");
    const exists = parts.map((_, i) => parts.slice(0, i + 1).join(" ")).some(isChatCommand);
    hasChatCommand ||= exists;
    return exists ? `/${command}` : match;
  });
  // A hint that is only a command becomes a sentence.
  if (!/^parley(?: [^\s.;]+){1,4}$/.test(hint)) return text;
  return hasChatCommand ? words.lines.see(text) : words.lines.inShell(text);
}
