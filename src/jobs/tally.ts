/** Counts what a conversion does not use of a file, by reason (specification/admin.md §10). */
import type { Unused, UnusedKind } from "../wire/entities/import.ts";

/** What a reader would miss; the rest is only counted. A `text` was left out or shortened, an `entry` may have been anything. */
const CONTENT: ReadonlySet<UnusedKind> = new Set(["message", "text", "file", "reply", "reaction", "entry"]);

/** Every item of the file that is not in the import is added here. */
export class Tally {
  readonly #rows = new Map<string, Unused>();

  /** `reason` is the same for all items of a kind that are left out for the same cause; a name in it may be that of a file or channel. */
  add(kind: UnusedKind, reason: string, n = 1): void {
    if (n === 0) return;
    const key = `${kind} ${reason}`;
    const row = this.#rows.get(key) ?? { kind, reason, count: 0, lost: CONTENT.has(kind) };
    row.count += n;
    this.#rows.set(key, row);
  }

  /** In the order in which they were first added. */
  get rows(): Unused[] {
    return [...this.#rows.values()];
  }
}
