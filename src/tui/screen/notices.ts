/** Shows notices, errors and questions to the user. */
import { chatPaths } from "../../commands/line.ts";
import { errorMessage } from "../../model/errors.ts";
import { REPLACED, isReplaced } from "../../model/obstacles.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { TransportError, whyUnanswered } from "../../model/transport.ts";
import { words } from "../../text/words.ts";
import { reasonOf, type Code } from "../../wire/errors.ts";
import { composerCommandNames } from "../keys/composer-commands.ts";
import type { Question } from "../../commands/base/define-command.ts";
import type { Core } from "../../core/core.ts";
import { popupPushed, type Picker } from "./popup.ts";
import type { ScreenStore } from "./store.ts";

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

type NoticeTarget = { core: Pick<Core, "notify"> };

export function showNotice(
  { core }: NoticeTarget,
  text: string,
  level: "info" | "success" | "warning" = "info",
): void {
  core.notify({ level, text });
}

/** Shows an error as a notice, unless core has already shown one for it. */
export function showError({ core }: NoticeTarget, error: unknown): void {
  if ((error as { noticed?: boolean } | null)?.noticed) return;
  const text = errorWords(error);
  const hint = (error as { hint?: unknown }).hint;
  core.notify({
    level: "error",
    text: cleanLine(typeof hint === "string" ? `${text.replace(/\w$/, "$&.")} ${hintForChat(hint)}` : text),
  });
}

/** Adds a hint to a refusal with this code, unless it has one. */
export function addHint(error: unknown, code: Code, hint: string): void {
  const refusal = error as { code?: unknown; hint?: string };
  if (refusal.code === code) refusal.hint ??= hint;
}

/** Shows the error if the work of a user action fails. */
export function attempt(teller: NoticeTarget, work: Promise<unknown>): void {
  work.catch((error: unknown) => showError(teller, error));
}

/** Asks in a popup; `yes` runs only on yes. */
export function askToConfirm(
  { store }: { store: Pick<ScreenStore, "update"> },
  question: Question,
  yes: () => void,
): void {
  store.update((screen) => popupPushed(screen, { kind: "confirm", question, typed: "", yes }));
}

/** Opens a picker, by default with an empty query and the first choice selected. */
export const openPicker = (
  { store }: { store: Pick<ScreenStore, "update"> },
  picker: Omit<Picker, "kind" | "query" | "selected"> & Partial<Pick<Picker, "query" | "selected">>,
): void => store.update((s) => popupPushed(s, { kind: "picker", query: "", selected: 0, ...picker }));
