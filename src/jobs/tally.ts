/** Counts what a conversion does not use of a file, by reason (specification/admin.md §10). */
import { count, names } from "../text/words.ts";

/** The plural of each kind that may go unused. */
const PLURALS = {
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
} as const;
type UnusedKind = keyof typeof PLURALS;

/** What a reader would miss; the rest is only counted. A `text` was left out or shortened, an `entry` may have been anything. */
const CONTENT: ReadonlySet<UnusedKind> = new Set(["message", "text", "file", "reply", "reaction", "entry"]);

/** Distinct reasons that are printed; a result has all of them. */
const SHOWN_REASONS = 20;

export interface Unused {
  kind: UnusedKind;
  /** Why, to be read after `12 files: `. */
  reason: string;
  count: number;
  /** A text, file, reply or reaction is missing in the import. */
  lost: boolean;
}

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

  /** A line per reason for standard error, losses first. */
  get lines(): string[] {
    const rows = this.rows.toSorted((a, b) => Number(b.lost) - Number(a.lost));
    const more = rows.length - SHOWN_REASONS;
    return [
      ...rows.slice(0, SHOWN_REASONS).map((row) => `not used: ${unusedWords(row)}`),
      ...(more > 0 ? [`not used: ${count(more, "more reason")}`] : []),
    ];
  }

  /** What is missing, for the error that ends the command; undefined without a loss. */
  get lossWords(): string | undefined {
    const kinds = Map.groupBy(
      this.rows.filter((row) => row.lost),
      (row) => row.kind,
    );
    if (kinds.size === 0) return undefined;
    const parts = [...kinds].map(([kind, rows]) =>
      kindCount(
        kind,
        rows.reduce((sum, row) => sum + row.count, 0),
      ),
    );
    return names(parts, parts.length);
  }
}

const kindCount = (kind: UnusedKind, n: number): string => count(n, kind, PLURALS[kind]);

const unusedWords = ({ kind, reason, count: n }: Unused): string => `${kindCount(kind, n)}: ${reason}`;
