/** Checks an import file like the provider will: each item, and references between them (specification/admin.md §10). */
import { COUNTED_AS, type ImportItem, type ImportResult } from "../wire/entities/import.ts";
import { itemProblem, readImportItem } from "../wire/imports/forms.ts";
import {
  definedKey,
  misplacedReply,
  referencedKeys,
  repeatedItem,
  channelOfItem,
  type ImportKey,
} from "../wire/imports/references.ts";
import { readItems, fileSize } from "./items.ts";

interface Fault {
  /** Number of the item, from 1. */
  item: number;
  type: string;
  error: string;
}

interface CheckOptions {
  /** References to things outside the file are assumed to exist at the provider. */
  existing: boolean;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
}

/** Channels of the messages read so far, to check that a reply is in its parent's channel and not below another reply. */
class ThreadPositions {
  /** Message id → channel; empty for a reply. */
  readonly #channelOf = new Map<string, string>();
  /** Interned channel names: one string however many messages. */
  readonly #channels = new Map<string, string>();

  add({ data }: ImportItem): void {
    const channel = data.parent_id == null ? channelOfItem(data) : "";
    if (!this.#channels.has(channel)) this.#channels.set(channel, channel);
    this.#channelOf.set(String(data.id), this.#channels.get(channel)!);
  }

  /** Whether a reply is not allowed where it is; undefined until its parent has been read. */
  isMisplaced({ parent, channel }: Reply): boolean | undefined {
    const parentChannel = this.#channelOf.get(parent);
    return parentChannel === undefined ? undefined : parentChannel !== channel;
  }
}

/** What is remembered of a reply until its parent has been read. */
interface Reply {
  parent: string;
  channel: string;
}

const replyOf = ({ type, data }: ImportItem): Reply | undefined =>
  type === "message" && data.parent_id != null
    ? { parent: String(data.parent_id), channel: channelOfItem(data) }
    : undefined;

/** Items of a file, in all and by what they are. */
export type ImportTotals = ImportResult["stats"]["total"] & { items: number };

export const noItems = (): ImportTotals => ({
  users: 0,
  channels: 0,
  members: 0,
  messages: 0,
  reactions: 0,
  items: 0,
});

/** Yields faults as they are found and counts into `totals`. Memory holds the file's ids and the unresolved references. */
export async function* checkImport(
  file: string,
  options: CheckOptions,
  totals: ImportTotals,
): AsyncIterable<Fault> {
  const seen = new Set<string>();
  const threads = new ThreadPositions();
  const size = await fileSize(file);
  /** Items with references not resolved so far. */
  const unresolved: { item: number; type: string; missing: ImportKey[]; reply?: Reply }[] = [];
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
    const problem = itemProblem(item, options.now * 1000);
    const provided = problem === undefined ? definedKey(item) : undefined;
    const fault =
      problem ?? (provided && seen.has(referenceName(provided)) ? repeatedItem(provided) : undefined);
    if (fault !== undefined) yield { item: n, type: item.type, error: `Validation error: ${fault}` };
    else {
      if (provided) seen.add(referenceName(provided));
      if (item.type === "message") threads.add(item);
      const missing = options.existing
        ? []
        : referencedKeys(item).filter((one) => !seen.has(referenceName(one)));
      const reply = replyOf(item);
      const isLost = reply ? threads.isMisplaced(reply) : false;
      if (isLost === true) yield wrongParent(n, reply!);
      else if (missing.length > 0 || isLost === undefined)
        unresolved.push({
          item: n,
          type: item.type,
          missing,
          ...(isLost === undefined && { reply: reply! }),
        });
    }
  }
  for (const { item, type, missing, reply } of unresolved) {
    const unmet = missing.find((one) => !seen.has(referenceName(one)));
    if (!unmet && reply && threads.isMisplaced(reply)) yield wrongParent(item, reply);
    if (!unmet) continue;
    const error = `Validation error: ${type} refers to ${unmet.kind} ${unmet.key}, which the file does not hold`;
    yield { item, type, error };
  }
}

const wrongParent = (item: number, { parent }: Reply): Fault => ({
  item,
  type: "message",
  error: `Validation error: ${misplacedReply(parent)}`,
});

const referenceName = ({ kind, key }: ImportKey): string => `${kind} ${key}`;
