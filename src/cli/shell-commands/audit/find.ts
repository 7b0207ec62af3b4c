/** Finds entries of the audit log by time, command and profile, newest first. */
import { readAudit, type AuditLine } from "../../../config/audit.ts";
import type { ArgValues, Args } from "../../../commands/base/define-command.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Shell } from "../../base/shell.ts";
import { readPage } from "../../run/page.ts";

export const AUDIT_ARGS = {
  since: { kind: "time", help: "Only from this time on" },
  command: { kind: "text", help: "Only this command or noun" },
} as const satisfies Args;

export function findAuditLines(shell: Shell, { since, command }: ArgValues<typeof AUDIT_ARGS>): AuditLine[] {
  const { profile } = shell.flags;
  const from = since === undefined ? 0 : timeToMs(since);
  return readAudit(shell.env)
    .lines.filter(
      (line) =>
        Date.parse(line.time) >= from &&
        (command === undefined || line.command === command || line.command.startsWith(`${command} `)) &&
        (profile === undefined || line.profile === profile),
    )
    .toReversed();
}

/** At most --limit items; reports if there are more. */
export function cutToLimit<T>(shell: Shell, items: readonly T[]): T[] {
  const page = readPage(shell);
  if (items.length > page.limit) page.onMore?.();
  return items.slice(0, page.limit);
}
