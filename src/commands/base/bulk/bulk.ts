/** Runs a write over many items in batches; refused items are reported and do not stop the others. */
import type { Args, Call, CommandError, ArgValues } from "../define-command.ts";
import { REPORT_ARGS, Report } from "./report.ts";
import { plannedReply } from "../planned-steps.ts";
import { mayConcernSome } from "./outcomes.ts";
import { RecordProblems } from "./record-problems.ts";

/** An item to write; `line` is its record number in the file. */
export interface BulkItem {
  id: string;
  line?: number;
}

/** A parsed item, or the problem of its record. */
export type ParsedItem<I extends BulkItem = BulkItem> = I | { line: number; fault: CommandError };

/** An item that was not written, and why. */
export interface SkippedItem {
  id: string;
  error: CommandError;
}

/** Flags of commands that take a file of items. */
export const BULK_ARGS = {
  file: {
    kind: "file",
    short: "f",
    forFiles: true,
    help: "Read more from a file (one per line, CSV, NDJSON or a JSON array), or - for standard input",
  },
  ...REPORT_ARGS,
} as const satisfies Args;

/** The parts of a call that a bulk write needs. */
export type BulkCall<A extends Args = typeof BULK_ARGS> = Pick<
  Call<Args>,
  "core" | "channelType" | "dry" | "progress" | "note" | "signal" | "input" | "machine" | "random"
> & { args: ArgValues<A> };

interface Bulk<I extends BulkItem, T> {
  /** Yields the items; called twice for a file. */
  read(): AsyncIterable<ParsedItem<I>>;
  /** Plural noun for messages: `users`. */
  unit: string;
  batchSize: number;
  /** `goesOn`: an earlier run has done other items. */
  send(items: I[], goesOn: boolean): Promise<T>;
  /** The result of an item, for the report. */
  result: string | ((item: I, reply: T) => string);
  /** Whether the provider shows the item as an earlier run left it; absent if it shows no such thing. */
  isDone?: ((id: string) => Promise<boolean>) | undefined;
  /** Items that a response left out. */
  leftOut?(reply: T): SkippedItem[];
  /** Items to leave out before the request. */
  exclude?(items: I[]): Promise<SkippedItem[]>;
}

/** `ana`, or `3 users`. */
export const nameOrCount = (ids: readonly string[], unit = "users"): string =>
  ids.length === 1 ? ids[0]! : `${ids.length} ${unit}`;

/** Sends groups of items; a refused group is split in halves until only the refused items remain. */
class BatchSender<I extends BulkItem, T> {
  readonly #bulk: Bulk<I, T>;
  readonly #report: Report;
  readonly #progress: (count: number) => void;

  constructor(bulk: Bulk<I, T>, report: Report, progress: (count: number) => void) {
    this.#bulk = bulk;
    this.#report = report;
    this.#progress = progress;
  }

  async *send(items: I[]): AsyncIterable<{ items: I[]; reply: T }> {
    if (items.length === 0) return;
    const excluded = (await this.#bulk.exclude?.(items)) ?? [];
    yield* this.#request(this.#reportLeftOut(items, excluded));
  }

  async *#request(items: I[]): AsyncIterable<{ items: I[]; reply: T }> {
    if (items.length === 0) return;
    let reply: T;
    try {
      reply = await this.#bulk.send(items, this.#report.hasDone);
    } catch (error) {
      const planned = plannedReply<T>(error);
      if (planned !== undefined) {
        const left = this.#reportLeftOut(items, this.#bulk.leftOut?.(planned) ?? []);
        if (left.length > 0) this.#report.failed(left.map(rowOf), error);
        return;
      }
      if (items.length === 1 || !mayConcernSome(error)) {
        this.#report.failed(items.map(rowOf), error);
        return;
      }
      const half = Math.ceil(items.length / 2);
      yield* this.#request(items.slice(0, half));
      yield* this.#request(items.slice(half));
      return;
    }
    const written = this.#reportWritten(items, reply);
    this.#progress(items.length);
    if (written.length > 0) yield { items: written, reply };
  }

  /** Reports the written items and returns them. */
  #reportWritten(items: I[], reply: T): I[] {
    const { leftOut, result } = this.#bulk;
    const missing = leftOut?.(reply) ?? [];
    const missingIds = new Set(missing.map(({ id }) => id));
    const resultOf = typeof result === "string" ? () => result : (item: I) => result(item, reply);
    const written = items.filter(({ id }) => !missingIds.has(id));
    this.#report.done(written.map((item) => ({ ...rowOf(item), result: resultOf(item) })));
    return this.#reportLeftOut(items, missing);
  }

  /** Reports the items left out and returns the others. */
  #reportLeftOut(items: I[], skipped: readonly SkippedItem[]): I[] {
    const errors = new Map(skipped.map(({ id, error }) => [id, error]));
    for (const item of items) {
      const error = errors.get(item.id);
      if (error) this.#report.failed([rowOf(item)], error);
    }
    return items.filter(({ id }) => !errors.has(id));
  }
}

const rowOf = ({ id, line }: BulkItem): BulkItem => ({ ...(line === undefined ? {} : { line }), id });

/** Counts the items of a file. Throws `CommandError` (rejected) if any are invalid. */
async function countItems(read: () => AsyncIterable<ParsedItem>): Promise<number> {
  let total = 0;
  const problems = new RecordProblems();
  for await (const item of read()) {
    if ("fault" in item) problems.add(item.fault);
    total++;
  }
  problems.end();
  return total;
}

/** Yields what each request wrote. A file is checked completely first; standard input is read line by line. Ends like `Report`. */
export async function* runBulk<I extends BulkItem, T>(
  call: Omit<BulkCall, "channelType">,
  bulk: Bulk<I, T>,
): AsyncIterable<{ items: I[]; reply: T }> {
  const { args, signal, progress, note } = call;
  const total = args.file === undefined || args.file === "-" ? 0 : await countItems(bulk.read);
  const report = await Report.open(call, "id", args.file);
  let processed = 0;
  const sender = new BatchSender(bulk, report, (count) => {
    processed += count;
    const all = Math.max(processed, total);
    if (all > bulk.batchSize) progress(processed, all, bulk.unit);
  });
  let batch: I[] = [];
  let isEmpty = true;
  try {
    if (bulk.isDone) await report.requireDone(bulk.isDone);
    for await (const item of bulk.read()) {
      signal.throwIfAborted();
      isEmpty = false;
      if ("fault" in item) report.failed([{ line: item.line }], item.fault);
      else if (!report.isDone(item)) batch.push(item);
      if (batch.length < bulk.batchSize) continue;
      yield* sender.send(batch);
      batch = [];
    }
    yield* sender.send(batch);
    if (isEmpty) note?.(`nothing to do: no ${bulk.unit} were given`);
    report.end();
  } finally {
    report.close();
  }
}
