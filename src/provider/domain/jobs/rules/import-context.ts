/** What all items of an import's batch share. */
import type { Unused } from "../../../../wire/entities/import.ts";
import type { Database } from "../../../base/database.ts";
import type { StoringMode } from "../storage/imports.ts";

export interface ImportContext {
  db: Database;
  importId: string;
  /** Whole microseconds. */
  now: number;
  mode: StoringMode;
  /** `merge_custom`: stored custom fields are kept beside the new ones. */
  merge: boolean;
  /** Ids of messages whose reactions changed. */
  reactedMessageIds: Set<string>;
  /** Items that were not used because of what exists. */
  unused: Unused[];
}

/** Objects that exist are not changed as a whole: all but users, channels and members are never completed. */
export const keepsExisting = ({ mode }: Pick<ImportContext, "mode">): boolean =>
  mode === "insert" || mode === "complete";

/** `local import`, which never removes what it does not know of. */
export const isOfOwner = ({ mode }: Pick<ImportContext, "mode">): boolean =>
  mode === "complete" || mode === "replace";

/** Counts an item of `local import` whose content is not stored; `lost`: a text or file of it is missing then. */
export function countUnused(
  { unused, mode }: Pick<ImportContext, "unused" | "mode">,
  { kind, reason, lost = false }: Pick<Unused, "kind" | "reason"> & { lost?: boolean },
): void {
  if (!isOfOwner({ mode })) return;
  const row = unused.find((one) => one.kind === kind && one.reason === reason);
  if (row) row.count++;
  else unused.push({ kind, reason, count: 1, lost });
}
