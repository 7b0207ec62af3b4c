/** Checks a file of items as the provider will: each item, and its references (specification/admin.md §10). */
import { COUNTED_AS, type ImportItem, type ImportResult } from "../wire/entities/import.ts";
import { itemProblem, readImportItem } from "../wire/imports/forms.ts";
import { broughtBy, misplaced, neededBy, channelOfItem, type ImportKey } from "../wire/imports/references.ts";
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

/** Where the messages of the file stand, as far as it was read: those that are no replies may have some. */
class Threads {
  /** Message → its channel, empty for a reply. */
  readonly #places = new Map<string, string>();
  /** One text for each channel, however many messages it has. */
  readonly #channels = new Map<string, string>();

  add({ data }: ImportItem): void {
    const channel = data.parent_id == null ? channelOfItem(data) : "";
    if (!this.#channels.has(channel)) this.#channels.set(channel, channel);
    this.#places.set(String(data.id), this.#channels.get(channel)!);
  }

  /** Whether a reply stands where none may; undefined as long as its parent was not read. */
  isMisplaced({ parent, place }: Reply): boolean | undefined {
    const found = this.#places.get(parent);
    return found === undefined ? undefined : found !== place;
  }
}

/** What has to be remembered of a reply until its parent was read. */
interface Reply {
  parent: string;
  place: string;
}

const replyOf = ({ type, data }: ImportItem): Reply | undefined =>
  type === "message" && data.parent_id != null
    ? { parent: String(data.parent_id), place: channelOfItem(data) }
    : undefined;

/** Each fault as it is found; `totals` counts on the way. Memory holds the ids the file brings, and the references that are open. */
export async function* checkImport(
  file: string,
  options: CheckOptions,
  totals: ImportResult["stats"]["total"] & { items: number },
): AsyncIterable<Fault> {
  const seen = new Set<string>();
  const threads = new Threads();
  const size = await fileSize(file);
  /** Items that speak of something the file has not brought so far. */
  const open: { item: number; type: string; missing: ImportKey[]; reply?: Reply }[] = [];
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
      if (item.type === "message") threads.add(item);
      const missing = options.existing ? [] : neededBy(item).filter((one) => !seen.has(nameOf(one)));
      const reply = replyOf(item);
      const isLost = reply ? threads.isMisplaced(reply) : false;
      if (isLost === true) yield wrongParent(n, reply!);
      else if (missing.length > 0 || isLost === undefined)
        open.push({ item: n, type: item.type, missing, ...(isLost === undefined && { reply: reply! }) });
    }
  }
  for (const { item, type, missing, reply } of open) {
    const gone = missing.find((one) => !seen.has(nameOf(one)));
    if (!gone && reply && threads.isMisplaced(reply)) yield wrongParent(item, reply);
    if (!gone) continue;
    const error = `Validation error: ${type} refers to ${gone.kind} ${gone.key}, which the file does not hold`;
    yield { item, type, error };
  }
}

const wrongParent = (item: number, { parent }: Reply): Fault => ({
  item,
  type: "message",
  error: `Validation error: ${misplaced(parent)}`,
});

const nameOf = ({ kind, key }: ImportKey): string => `${kind} ${key}`;
