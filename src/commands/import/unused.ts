/** Reports what an import did not use of its file: a line per reason, and exit code 9 when content is missing (specification/admin.md §10). */
import { count, names } from "../../text/words.ts";
import type { Unused, UnusedKind } from "../../wire/entities/import.ts";
import { CommandError } from "../base/define-command.ts";

const PLURALS: Record<UnusedKind, string> = {
  message: "messages",
  text: "texts",
  file: "files",
  reply: "replies",
  reaction: "reactions",
  notice: "notices",
  person: "people",
  channel: "channels",
  member: "members",
  field: "fields",
  entry: "entries",
};

/** Distinct reasons that are printed; a result has all of them. */
const SHOWN_REASONS = 20;

const kindCount = (kind: UnusedKind, n: number): string => count(n, kind, PLURALS[kind]);

/** A line per reason for standard error, losses first. `label`: where the items are not. */
export function unusedLines(unused: readonly Unused[], label = "not used"): string[] {
  const rows = unused.toSorted((a, b) => Number(b.lost) - Number(a.lost));
  const more = rows.length - SHOWN_REASONS;
  return [
    ...rows
      .slice(0, SHOWN_REASONS)
      .map(({ kind, reason, count: n }) => `${label}: ${kindCount(kind, n)}: ${reason}`),
    ...(more > 0 ? [`${label}: ${count(more, "more reason")}`] : []),
  ];
}

/** The error (partial) when texts, files, replies or reactions are missing; undefined if there is no loss. `note` prints the reasons. */
export function unusedError(
  unused: readonly Unused[],
  note: (line: string) => void = () => {},
): CommandError | undefined {
  for (const line of unusedLines(unused)) note(line);
  const lost = Map.groupBy(
    unused.filter((row) => row.lost),
    (row) => row.kind,
  );
  if (lost.size === 0) return undefined;
  const parts = [...lost].map(([kind, rows]) =>
    kindCount(
      kind,
      rows.reduce((sum, row) => sum + row.count, 0),
    ),
  );
  return new CommandError(
    "partial",
    `Not everything could be imported: ${names(parts, parts.length)} missing or cut.`,
  );
}
