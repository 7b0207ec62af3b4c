/** Says what of the provider's answers had to be filled in or left out. */
import type { Core } from "../../core/core.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { count } from "../../text/words.ts";
import { printNotice, type Shell } from "./shell.ts";

/** Fields named in a line. */
const NAMED = 5;

/** `3 values not as documented, filled in or left out: QueryChannels messages.user (2), GetApp app.name`; undefined without any. */
export function oddValues(found: ReturnType<Core["oddities"]>): string | undefined {
  if (found.length === 0) return undefined;
  const all = found.reduce((sum, { count: n }) => sum + n, 0);
  const named = found
    .slice(0, NAMED)
    .map(({ field, count: n }) => `${cleanLine(field)}${n > 1 ? ` (${n})` : ""}`);
  const more = found.length > NAMED ? [`${found.length - NAMED} more`] : [];
  return `${count(all, "value")} not as documented, filled in or left out: ${[...named, ...more].join(", ")}`;
}

/** Of harmless ones only doctor tells. */
export function printLostValues(shell: Shell, core: Pick<Core, "oddities">): void {
  const lost = oddValues(core.oddities().filter((oddity) => oddity.lost));
  if (lost !== undefined) printNotice(shell, `the provider's answers have ${lost}`);
}
