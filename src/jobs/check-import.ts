/** Checks a file of items as the provider will: each item, and its references (specification/admin.md §10). */
import { COUNTED_AS, type ImportResult } from "../wire/entities/import.ts";
import { itemProblem, readImportItem } from "../wire/imports/forms.ts";
import { broughtBy, neededBy, type ImportKey } from "../wire/imports/references.ts";
import { readItems, fileSize } from "./items.ts";

interface Fault {
  /** Which item, counted from 1. */
  item: number;
  type: string;
  error: string;
}

interface CheckOptions {
  /** References to what is not in the file are taken to exist at the provider. */
  existing: boolean;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
}

/** Each fault as it is found; `totals` counts on the way. Memory holds the ids the file brings, and the references that are open. */
export async function* checkImport(
  file: string,
  options: CheckOptions,
  totals: ImportResult["stats"]["total"] & { items: number },
): AsyncIterable<Fault> {
  const seen = new Set<string>();
  const size = await fileSize(file);
  /** Items that speak of something the file has not brought so far. */
  const open: { item: number; type: string; missing: ImportKey[] }[] = [];
  for await (const { n, text } of readItems(file, {
    signal: options.signal,
    done: (bytes) => options.progress(bytes, size, "read"),
  })) {
    totals.items++;
    const item = readImportItem(text);
    if ("error" in item) {
      yield { item: n, type: item.type, error: item.error };
      continue;
    }
    const counted = COUNTED_AS[item.type];
    if (counted) totals[counted]++;
    const fault = itemProblem(item);
    if (fault !== undefined) yield { item: n, type: item.type, error: `Validation error: ${fault}` };
    else {
      const brought = broughtBy(item);
      if (brought) seen.add(nameOf(brought));
      const missing = options.existing ? [] : neededBy(item).filter((one) => !seen.has(nameOf(one)));
      if (missing.length > 0) open.push({ item: n, type: item.type, missing });
    }
  }
  for (const { item, type, missing } of open) {
    const gone = missing.find((one) => !seen.has(nameOf(one)));
    if (!gone) continue;
    const error = `Validation error: ${type} refers to ${gone.kind} ${gone.key}, which the file does not hold`;
    yield { item, type, error };
  }
}

const nameOf = ({ kind, key }: ImportKey): string => `${kind} ${key}`;
