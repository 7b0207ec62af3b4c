/** Shows notices, errors and questions to the user. */
import type { Question } from "../../commands/base/define-command.ts";
import type { Core } from "../../core/core.ts";
import { cleanLine } from "../../text/sanitize.ts";
import type { Code } from "../../wire/errors.ts";
import { errorWords, hintForChat } from "./error-words.ts";
import { popupPushed, type Picker } from "./popup.ts";
import type { ScreenStore } from "./store.ts";

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
