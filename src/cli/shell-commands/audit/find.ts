/** Finds lines of the audit log by what was asked for, newest first. */
import { readAudit, type AuditLine } from "../../../config/audit.ts";
import type { ArgValues } from "../../../commands/base/define-command.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Shell } from "../../base/shell.ts";
import { readPage } from "../../run/page.ts";
import type { AUDIT_ARGS } from "./args.ts";

export function findLines(shell: Shell, { since, command }: ArgValues<typeof AUDIT_ARGS>): AuditLine[] {
  // Of all profiles, unless one is named.
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

/** As many as --limit allows; that there are more is said. */
export function cutToLimit<T>(shell: Shell, items: readonly T[]): T[] {
  const page = readPage(shell);
  if (items.length > page.limit) page.onMore?.();
  return items.slice(0, page.limit);
}
