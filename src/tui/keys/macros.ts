/** Several steps on one key, with a semicolon between them: actions, command lines and pauses. */
import { actionRow, isAction } from "./action-table.ts";
import type { Binding } from "./lookup.ts";

/** Most steps of a key. */
export const MAX_STEPS = 20;
/** The longest pause between two steps, ms. */
export const MAX_PAUSE_MS = 10_000;

const PAUSE = /^wait (\d{1,5})(ms|s)$/;

/** The steps of a line or a binding; one for a single action or command. */
export const bindingSteps = (binding: string): string[] => binding.split(/\s;\s/).map((step) => step.trim());

export const macroOf = (steps: readonly string[]): Binding => steps.join(" ; ") as Binding;

/** Milliseconds of the step `wait 500ms` or `wait 2s`; undefined for other steps. */
export function pauseOf(step: string): number | undefined {
  const [, number, unit] = PAUSE.exec(step) ?? [];
  return number === undefined ? undefined : Number(number) * (unit === "s" ? 1000 : 1);
}

/** What a binding does, in words: the titles of its actions, and its command lines as they are. */
export const bindingTitle = (binding: Binding): string =>
  bindingSteps(binding)
    .map((step) => (isAction(step) ? actionRow(step).title : step))
    .join("; ");
