/** Changes fields of the things that a file names: the rule of every `set --file`. Only what differs is sent. */
import { isNotFound } from "../../../wire/errors.ts";
import { readPairs } from "../custom-fields.ts";
import { CommandError, type Args, type ArgValues, type Call, type Question } from "../define-command.ts";
import {
  BULK_ARGS,
  nameOrCount,
  runBulk,
  type BulkCall,
  type BulkItem,
  type ParsedItem,
  type SkippedItem,
} from "./bulk.ts";
import { changedFields, isNoChange, type PartialChange } from "./changed-fields.ts";
import { readGiven, type GivenFields, type RecordForm } from "./given-records.ts";

/** Things of one noun whose fields can be changed. */
export interface Settable<T extends object> {
  /** Singular noun: `user`. */
  noun: string;
  form: RecordForm;
  /** Whether a field of its list can be set; others in a file are left alone. */
  isSettable(name: string): boolean;
  /** Fields about which a person is asked before the first one changes. */
  asks?: Asking;
  /** How many are read in one request, and written in one. */
  pageSize: number;
  batchSize: number;
  /** Those of some that are there, by id. */
  now(ids: readonly string[]): Promise<Map<string, T>>;
  /** Writes the changes of a batch, of which `now` has read the things; the things as they are then, by id. */
  write(
    changes: ReadonlyMap<string, PartialChange>,
    now: ReadonlyMap<string, T>,
  ): Promise<ReadonlyMap<string, T>>;
}

/** About which fields a person is asked, and how; `names`: one, or how many. */
interface Asking {
  fields: readonly string[];
  level: Question["level"];
  question(names: string): string;
}

/** The question about fields that give rights. */
export const askForRights = (
  fields: readonly string[],
  level: "mild" | "moderate" = "mild",
): { asks: Asking } => ({
  asks: { fields, level, question: (names) => `Change the rights of ${names}?` },
});

/** `write` of things with a request each. */
export const oneByOne = <T extends object>(
  write: (id: string, change: PartialChange, now: T) => Promise<T>,
): Pick<Settable<T>, "write" | "batchSize"> => ({
  batchSize: 1,
  async write(changes, now) {
    const written = new Map<string, T>();
    for (const [id, change] of changes) written.set(id, await write(id, change, now.get(id)!));
    return written;
  },
});

/** How things are read that can only be asked for one by one. */
export const oneAtATime = <T extends object>(
  read: (id: string) => Promise<T | undefined>,
): Pick<Settable<T>, "now" | "pageSize"> => ({
  pageSize: 1,
  async now(ids) {
    const found = new Map<string, T>();
    for (const id of ids)
      try {
        const thing = await read(id);
        if (thing) found.set(id, thing);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    return found;
  },
});

/** How things are read of which a provider has few, and tells them all in one answer. */
export const fromWhole = <T extends object>(
  all: () => Promise<readonly T[]>,
  idOf: (thing: T) => string,
): Pick<Settable<T>, "now" | "pageSize"> => ({
  pageSize: Infinity,
  now: async () => new Map((await all()).map((thing) => [idOf(thing), thing])),
});

export const SET_FILE_ARGS = {
  ...BULK_ARGS,
  file: {
    ...BULK_ARGS.file,
    help: "Read what to change and its fields from a file (what list prints as CSV or NDJSON, or ids), or - for standard input; an empty cell leaves a field as it is",
  },
} as const satisfies Args;

type SetCall = BulkCall<typeof SET_FILE_ARGS> & Pick<Call<Args>, "localFile">;

type SetItem<T> = BulkItem & { given: GivenFields; page(): Promise<Map<string, T>> };

interface Written<T> {
  things: T[];
  same: ReadonlySet<string>;
}

/** Whether arguments are about several things, or about one with a report. */
export const isBulkSet = ({ file, report, resume }: ArgValues<typeof SET_FILE_ARGS>): boolean =>
  [file, report, resume].some((one) => one !== undefined);

/** What a person asked for all things of a file; may be nothing. `texts`: as for `readPairs`. */
export const askedForAll = (
  fields: readonly string[],
  unset: readonly string[],
  texts: readonly string[] = [],
): PartialChange => ({
  ...(fields.length > 0 && { set: readPairs(fields, "a field", texts) }),
  ...(unset.length > 0 && { unset: [...unset] }),
});

/** Gives each item the page it is read with; nothing is read before an item of the page is written. */
async function* inPages<T extends object>(
  items: AsyncIterable<ParsedItem<BulkItem & { given: GivenFields }>>,
  { pageSize, now }: Settable<T>,
): AsyncIterable<ParsedItem<SetItem<T>>> {
  let group: ParsedItem<BulkItem & { given: GivenFields }>[] = [];
  const paged = (): ParsedItem<SetItem<T>>[] => {
    const ids = [...new Set(group.flatMap((item) => ("id" in item ? [item.id] : [])))];
    let found: Promise<Map<string, T>> | undefined;
    const page = (): Promise<Map<string, T>> => (found ??= now(ids));
    return group.map((item) => ("fault" in item ? item : { ...item, page }));
  };
  for await (const item of items) {
    group.push(item);
    if (group.length < pageSize) continue;
    yield* paged();
    group = [];
  }
  yield* paged();
}

/** Reads the things, finds what differs, and writes it. */
class FieldChanges<T extends object> {
  readonly #call: SetCall;
  readonly #of: Settable<T>;
  readonly #asked: PartialChange;
  #isAnswered = false;
  #changed = 0;
  #unchanged = 0;

  constructor(call: SetCall, of: Settable<T>, asked: PartialChange) {
    this.#call = call;
    this.#of = of;
    this.#asked = asked;
  }

  async *#records(names: readonly string[]): AsyncIterable<ParsedItem<BulkItem & { given: GivenFields }>> {
    for (const id of names) yield { id, given: { fields: {} } };
    const { file } = this.#call.args;
    if (file === undefined) return;
    for await (const { number: line, id, fault, ...given } of readGiven(this.#call, file, this.#of.form))
      yield fault ? { line, fault } : { line, id: id!, given: given as GivenFields };
  }

  read(names: readonly string[]): AsyncIterable<ParsedItem<SetItem<T>>> {
    return inPages(this.#records(names), this.#of);
  }

  /** Those that are not there. */
  async missing(items: readonly SetItem<T>[]): Promise<SkippedItem[]> {
    const { noun } = this.#of;
    const skipped: SkippedItem[] = [];
    for (const { id, page } of items)
      if (!(await page()).has(id))
        skipped.push({
          id,
          error: new CommandError("notFound", `There is no ${noun} ${id}, or you may not see it.`),
        });
    return skipped;
  }

  /** The changes by id; of one that a batch names twice the last record counts. */
  async #changesOf(items: readonly SetItem<T>[]): Promise<Map<string, PartialChange>> {
    const given = new Map<string, GivenFields>();
    for (const {
      id,
      given: { fields, cells },
    } of items) {
      const before = given.get(id);
      given.set(id, { fields: { ...before?.fields, ...fields }, cells: { ...before?.cells, ...cells } });
    }
    const changes = new Map<string, PartialChange>();
    for (const { id, page } of items) {
      const change = changedFields((await page()).get(id)!, given.get(id)!, this.#of.isSettable, this.#asked);
      if (!isNoChange(change)) changes.set(id, change);
    }
    return changes;
  }

  /** Asks once, before the first change of a field that needs it. */
  async #ask(changes: ReadonlyMap<string, PartialChange>): Promise<void> {
    const { asks, noun } = this.#of;
    if (asks === undefined || this.#isAnswered) return;
    const { fields, level, question } = asks;
    const needsIt = (name: string): boolean => fields.includes(name.split(".", 1)[0]!);
    const ids = [...changes]
      .filter(([, { set = {}, unset = [] }]) => [...Object.keys(set), ...unset].some(needsIt))
      .map(([id]) => id);
    if (ids.length === 0) return;
    const more = this.#call.args.file === undefined ? "" : " and of others that follow";
    await this.#call.machine?.ask({
      level,
      question: question(`${nameOrCount(ids, `${noun}s`)}${more}`),
    });
    this.#isAnswered = true;
  }

  async send(items: readonly SetItem<T>[]): Promise<Written<T>> {
    const changes = await this.#changesOf(items);
    const same = new Set(items.map(({ id }) => id).filter((id) => !changes.has(id)));
    const now = new Map<string, T>();
    for (const { id, page } of items) now.set(id, (await page()).get(id)!);
    const written = changes.size > 0 ? await this.#write(changes, now, same) : new Map<string, T>();
    if (changes.size === 0) this.#unchanged += same.size;
    // One that stands in the file again is compared with what it has now.
    for (const { id, page } of items) if (written.has(id)) (await page()).set(id, written.get(id)!);
    return { things: [...written].flatMap(([id, thing]) => (changes.has(id) ? [thing] : [])), same };
  }

  /** Those that are written, or planned, are counted, and those beside them: a refused batch comes again in halves. */
  async #write(
    changes: ReadonlyMap<string, PartialChange>,
    now: ReadonlyMap<string, T>,
    same: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, T>> {
    const count = (): void => {
      this.#changed += changes.size;
      this.#unchanged += same.size;
    };
    await this.#ask(changes);
    try {
      const written = await this.#of.write(changes, now);
      count();
      return written;
    } catch (error) {
      if ((error as Error).name === "Plan") count();
      throw error;
    }
  }

  /** Says to people how many would change and how many do not; in a pipe the report and the summary tell. */
  note(): void {
    const { dry, machine, note } = this.#call;
    if (this.#changed + this.#unchanged === 0 || !(dry || machine?.terminal)) return;
    const changing = dry && this.#changed > 0 ? `${this.#changed} would change, ` : "";
    if (dry || this.#unchanged > 0) note?.(`${changing}${this.#unchanged} unchanged`);
  }
}

/** Changes the named things and those of the file, and yields those that were changed. */
export async function* setFields<T extends object>(
  call: SetCall,
  names: readonly string[],
  asked: PartialChange,
  of: Settable<T>,
): AsyncIterable<T> {
  const changes = new FieldChanges(call, of, asked);
  try {
    const written = runBulk(call, {
      read: () => changes.read(names),
      unit: `${of.noun}s`,
      batchSize: of.batchSize,
      exclude: (items) => changes.missing(items),
      send: (items) => changes.send(items),
      result: ({ id }, { same }) => (same.has(id) ? "unchanged" : "changed"),
      isDone: async (id) => (await of.now([id])).has(id),
    });
    for await (const { reply } of written) yield* reply.things;
  } finally {
    changes.note();
  }
}

interface OneOrFile<T extends object> {
  /** From the command line; absent only with a file. */
  name: string | undefined;
  one(name: string): Promise<T>;
  /** What is asked for all of a file. */
  asked: PartialChange;
  of(): Settable<T> | Promise<Settable<T>>;
}

/** Changes the named thing as `one` does, or with a file or a report all of them field by field. */
export function setOneOrFile<T extends object>(
  call: SetCall,
  { name, one, asked, of }: OneOrFile<T>,
): Promise<T> | AsyncIterable<T> {
  if (!isBulkSet(call.args)) return one(name!);
  const named = name === undefined ? [] : [name];
  return (async function* () {
    yield* setFields(call, named, asked, await of());
  })();
}
