/** Checks a file of items as the provider will: each item, their order, and what they refer to (admin.md §10). */
import { COUNTED_AS, IMPORT_ORDER, type ImportResult } from "../wire/import.ts";
import { asItem, itemFault } from "../wire/import-forms.ts";
import { broughtBy, neededBy } from "../wire/import-references.ts";
import { readItems, sizeOf } from "./items.ts";

export interface Fault {
  /** Which item, counted from 1. */
  item: number;
  type: string;
  error: string;
}

export interface CheckOptions {
  /** References to what is not in the file are taken to exist at the provider. */
  existing: boolean;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
}

/** Each fault as it is found; `totals` counts on the way. Memory holds the ids the file brings. */
export async function* checkImport(
  file: string,
  options: CheckOptions,
  totals: ImportResult["stats"]["total"] & { items: number },
): AsyncIterable<Fault> {
  const seen = new Set<string>();
  const size = await sizeOf(file);
  let rank = 0;
  for await (const { n, text } of readItems(file, {
    signal: options.signal,
    done: (bytes) => options.progress(bytes, size, "read"),
  })) {
    totals.items++;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      yield { item: n, type: "", error: "Parse error: the line is not valid JSON" };
      continue;
    }
    const item = asItem(value);
    if ("fault" in item) {
      yield { item: n, type: item.type, error: `Validation error: ${item.fault}` };
      continue;
    }
    const counted = COUNTED_AS[item.type];
    if (counted) totals[counted]++;
    const at = IMPORT_ORDER.indexOf(item.type);
    const fault =
      at < rank
        ? `${item.type} must come before ${IMPORT_ORDER[rank]}`
        : (itemFault(item) ?? (options.existing ? undefined : missing(item, seen)));
    rank = Math.max(rank, at);
    if (fault !== undefined) yield { item: n, type: item.type, error: `Validation error: ${fault}` };
    else {
      const brought = broughtBy(item);
      if (brought) seen.add(`${brought.kind} ${brought.key}`);
    }
  }
}

function missing(item: Parameters<typeof neededBy>[0], seen: ReadonlySet<string>): string | undefined {
  const gone = neededBy(item).find(({ kind, key }) => !seen.has(`${kind} ${key}`));
  return gone && `${item.type} refers to ${gone.kind} ${gone.key}, which the file does not hold before it`;
}
