/** Runs a write over many items in batches; a refused item is reported and does not stop the others. */
import type { Args, CommandCall, CommandError, ArgValues } from "../define-command.ts";
import { REPORT_ARGS, Report } from "./report.ts";
import { isOfSome } from "./several.ts";
import { WrongRecords } from "./wrong-records.ts";

/** A thing that is written, by its id; `line` is the record of the file that names it. */
export interface BulkItem {
  id: string;
  line?: number;
}

/** A thing that was read, or what is wrong with its record. */
export type BulkRead<I extends BulkItem = BulkItem> = I | { line: number; fault: CommandError };

/** One that is left out, and why. */
export interface Left {
  id: string;
  error: CommandError;
}

/** The flags of every command that takes a file of many. */
export const BULK_ARGS = {
  file: {
    kind: "file",
    short: "f",
    help: "More of them from a file (one a line, CSV, NDJSON or a JSON array), or - for standard input",
  },
  ...REPORT_ARGS,
} as const satisfies Args;

/** What a command for many things needs of its call. */
export type BulkCall<A extends Args = typeof BULK_ARGS> = Pick<
  CommandCall<Args>,
  "core" | "channelType" | "dry" | "progress" | "tell" | "signal" | "input"
> & { args: ArgValues<A> };

interface Bulk<I extends BulkItem, T> {
  /** Where they come from; a file is read twice. */
  read(): AsyncIterable<BulkRead<I>>;
  /** What they are called: `users`. */
  unit: string;
  /** How many one call takes. */
  most: number;
  ask(items: I[]): Promise<T>;
  /** What became of one, for the report. */
  result: string | ((item: I, reply: T) => string);
  /** Those whom an answer leaves out. */
  left?(reply: T): Left[];
  /** Those that are not asked for at all. */
  unfit?(items: I[]): Promise<Left[]>;
}

/** `ana`, or `3 users`. */
export const nameOrCount = (ids: readonly string[], unit = "users"): string =>
  ids.length === 1 ? ids[0]! : `${ids.length} ${unit}`;

/** The groups on their way: what is refused for some of its things is asked for in halves, down to who is refused. */
class Groups<I extends BulkItem, T> {
  readonly #bulk: Bulk<I, T>;
  readonly #report: Report;
  readonly #progress: (more: number) => void;

  constructor(bulk: Bulk<I, T>, report: Report, progress: (more: number) => void) {
    this.#bulk = bulk;
    this.#report = report;
    this.#progress = progress;
  }

  async *send(items: I[]): AsyncIterable<{ items: I[]; reply: T }> {
    if (items.length === 0) return;
    const unfit = (await this.#bulk.unfit?.(items)) ?? [];
    yield* this.#ask(this.#without(items, unfit));
  }

  async *#ask(items: I[]): AsyncIterable<{ items: I[]; reply: T }> {
    if (items.length === 0) return;
    let reply: T;
    try {
      reply = await this.#bulk.ask(items);
    } catch (error) {
      if (items.length === 1 || !isOfSome(error)) {
        this.#report.failed(items.map(rowOf), error);
        return;
      }
      const half = Math.ceil(items.length / 2);
      yield* this.#ask(items.slice(0, half));
      yield* this.#ask(items.slice(half));
      return;
    }
    const kept = this.#settle(items, reply);
    this.#progress(items.length);
    if (kept.length > 0) yield { items: kept, reply };
  }

  /** Those who were not left out of the answer. */
  #settle(items: I[], reply: T): I[] {
    const { left, result } = this.#bulk;
    const without = left?.(reply) ?? [];
    const out = new Set(without.map(({ id }) => id));
    const what = typeof result === "string" ? () => result : (item: I) => result(item, reply);
    const kept = items.filter(({ id }) => !out.has(id));
    this.#report.done(kept.map((item) => ({ ...rowOf(item), result: what(item) })));
    return this.#without(items, without);
  }

  /** The rest; those that are left out are reported. */
  #without(items: I[], left: readonly Left[]): I[] {
    const errors = new Map(left.map(({ id, error }) => [id, error]));
    for (const item of items) {
      const error = errors.get(item.id);
      if (error) this.#report.failed([rowOf(item)], error);
    }
    return items.filter(({ id }) => !errors.has(id));
  }
}

const rowOf = ({ id, line }: BulkItem): BulkItem => ({ ...(line === undefined ? {} : { line }), id });

/** How many there are in a file. Throws `CommandError` (rejected) for those that are wrong. */
async function counted(read: () => AsyncIterable<BulkRead>): Promise<number> {
  let total = 0;
  const wrong = new WrongRecords();
  for await (const item of read()) {
    if ("fault" in item) wrong.add(item.fault);
    total++;
  }
  wrong.end();
  return total;
}

/**
 * What was written, a call at a time. A file is checked whole before the first request, standard input is taken line by
 * line. Ends as `Report` does.
 */
export async function* inBulk<I extends BulkItem, T>(
  call: Omit<BulkCall, "channelType">,
  bulk: Bulk<I, T>,
): AsyncIterable<{ items: I[]; reply: T }> {
  const { args, dry, signal, progress, tell } = call;
  const total = args.file === undefined || args.file === "-" ? 0 : await counted(bulk.read);
  const report = await Report.open(args, "id", dry, args.file);
  let over = 0;
  const groups = new Groups(bulk, report, (more) => {
    over += more;
    const all = Math.max(over, total);
    if (all > bulk.most) progress(over, all, bulk.unit);
  });
  let group: I[] = [];
  let isEmpty = true;
  try {
    for await (const item of bulk.read()) {
      signal.throwIfAborted();
      isEmpty = false;
      if ("fault" in item) report.failed([{ line: item.line }], item.fault);
      else if (!report.has(item)) group.push(item);
      if (group.length < bulk.most) continue;
      yield* groups.send(group);
      group = [];
    }
    yield* groups.send(group);
    if (isEmpty) tell?.(`nothing to do: no ${bulk.unit} were given`);
    report.end();
  } finally {
    report.close();
  }
}
