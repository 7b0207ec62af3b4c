/** Names of exports' files: kept with a date of removal, their addresses renewed whenever they are shown (specification/admin.md §9). */
import { SPOOL_KEPT_DAYS } from "../../../../wire/constants.ts";
import type { RouteCall, SpoolKind } from "../../../base/handler.ts";
import type { Due, DueWork } from "../../../base/ports.ts";

const DAY = 86_400_000_000;

/** Remembers that the file goes at the end of its days. */
export function keepFile({ db, now }: Pick<RouteCall, "db" | "now">, kind: SpoolKind, name: string): void {
  db.run(
    "INSERT OR IGNORE INTO spooled (kind, name, remove_at) VALUES (?, ?, ?)",
    kind,
    name,
    now() + SPOOL_KEPT_DAYS * DAY,
  );
}

interface Spooled {
  kind: SpoolKind;
  name: string;
  remove_at: number;
}

const oldest = ({ db }: Pick<Due, "db">): Spooled | undefined =>
  db.get<Spooled>("SELECT * FROM spooled ORDER BY remove_at LIMIT 1");

/** Removes a file after its days, with the task that offered it. */
export const spoolWork: DueWork = {
  name: "spooled files",
  next: (db) => oldest({ db })?.remove_at,
  run(due) {
    const found = oldest(due);
    if (!found) return;
    due.db.run("DELETE FROM spooled WHERE kind = ? AND name = ?", found.kind, found.name);
    if (found.kind === "exports")
      due.db.run("DELETE FROM tasks WHERE id = ?", found.name.replace(/\.\w+$/, ""));
    due.jobFiles?.remove(found.kind, found.name);
  },
};
