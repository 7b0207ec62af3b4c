/** Records the result of each item of a bulk write in a file, so that a later run can resume, and builds the final error. */
import { asStoreFailure } from "../../../model/files/storage.ts";
import { CommandError, type Args, type ArgValues, type Call, type RunIdentity } from "../define-command.ts";
import { Outcomes, reasonText } from "./outcomes.ts";
import { noFile } from "../file-problem.ts";
import { requireSameRun, requireShown } from "./report-run.ts";
import { withHint } from "../../../model/errors.ts";

export const REPORT_ARGS = {
  report: {
    kind: "file",
    forFiles: true,
    help: "Write a line of JSON for each item to this new file: line, id, result and reason",
  },
  resume: {
    kind: "file",
    forFiles: true,
    help: "Skip what this report of the same run says is done, and append to it",
  },
  maxErrors: {
    kind: "number",
    forFiles: true,
    from: 1,
    help: "Stop after this many failures",
  },
} as const satisfies Args;

interface Row {
  /** Line of the input, from 1; absent for names from the command line. */
  line?: number;
  id?: string;
  result: string;
  reason?: string;
}

const rowName = ({ id = "", line }: Pick<Row, "line" | "id">): string =>
  line === undefined ? id : `line ${line}`;

/** `result` of the first row, which says whose report it is. */
const RUN_STARTED = "begun";

/** The first row. Reports of earlier versions have none, or one with the id alone. */
type FirstRow = Row & Partial<RunIdentity>;

const isIdentified = (row: FirstRow): row is FirstRow & RunIdentity => row.operation !== undefined;

/** What identifies an item for `--resume`. */
type KeyField = "line" | "id";

interface ReportSource {
  key: KeyField;
  maxErrors: number;
  identity: RunIdentity | undefined;
  file: string | undefined;
  release(): void;
}

type ReportArgs = ArgValues<typeof REPORT_ARGS>;

/** The parts of a call that a report needs. */
type ReportCall = { args: ReportArgs } & Pick<Call<Args>, "dry" | "machine" | "random">;

/** The report file, if any. Throws `CommandError` (usage). */
function reportFile({ report, resume }: ReportArgs): string | undefined {
  if (report !== undefined && resume !== undefined)
    throw new CommandError("usage", "--report and --resume cannot be combined.");
  if (report === "-" || resume === "-")
    throw new CommandError(
      "usage",
      `${report === "-" ? "--report" : "--resume"} must name a file: standard output has the results.`,
    );
  return resume ?? report;
}

/** Throws `CommandError` (usage) if the report would overwrite the input or the output. */
async function requireSeparateFile(file: string, input: string | undefined): Promise<void> {
  const { fstatSync, statSync } = await import("node:fs");
  const target = statSync(file, { throwIfNoEntry: false });
  if (!target?.isFile()) return;
  const isSameFile = (other: { ino: number; dev: number } | undefined): boolean =>
    target.ino === other?.ino && target.dev === other.dev;
  if (input !== undefined && isSameFile(statSync(input, { throwIfNoEntry: false })))
    throw new CommandError("usage", `${file} is the input itself: the report needs another file.`);
  // The report would truncate the file that standard output writes to.
  const isOpen = (descriptor: number): boolean => {
    try {
      return isSameFile(fstatSync(descriptor));
    } catch {
      return false;
    }
  };
  if ([1, 2].some(isOpen))
    throw new CommandError("usage", `${file} is where the output goes: the report needs another file.`);
}

/** Locks the report for this run, unless it is a device such as /dev/null. Throws `CommandError` (conflict). */
async function lockReport(file: string, onDisk: <T>(work: () => T) => T): Promise<() => void> {
  const { statSync } = await import("node:fs");
  const { acquireLock } = await import("../../../model/files/lock-file.ts");
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return () => {};
  const release = onDisk(() => acquireLock(`${file}.lock`));
  if (release) return release;
  throw new CommandError(
    "conflict",
    `Another run is writing to ${file}.`,
    "Wait for it, or name another file.",
  );
}

const reportExists = (file: string): CommandError =>
  new CommandError(
    "conflict",
    `${file} already exists.`,
    "--resume continues the run of that report; --report begins one in another file.",
  );

const runOf = ({ operation, target, address, key, user }: RunIdentity): RunIdentity => ({
  operation,
  target,
  address,
  key,
  user,
});

/** Rows of items that were begun look the same in old reports, except in those by line. */
const firstRow = (row: FirstRow | undefined, key: KeyField): FirstRow | undefined =>
  row?.result === RUN_STARTED && (isIdentified(row) || key === "line") ? row : undefined;

/** Throws `CommandError` (rejected) for a file that is not a report. */
function parseReport(file: string, read: () => Report): Report {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new CommandError("rejected", `${file} is not a report.`);
  }
}

export class Report {
  readonly #outcomes = new Outcomes();
  /** Items done by earlier runs: key → id. */
  readonly #done = new Map<unknown, string | undefined>();
  readonly #key: KeyField;
  readonly #maxErrors: number;
  readonly #write: (text: string) => void;

  readonly hasFile: boolean;
  /**
   * An id shared by all runs of this report: message ids derived from it keep a resumed run from sending twice.
   * Undefined without a report file, and for one that was begun without an id.
   */
  readonly run: string | undefined;
  /** Begun by an earlier version. */
  readonly isOld: boolean;

  readonly #file: string | undefined;
  readonly #release: () => void;

  private constructor(
    { key, maxErrors, file, release, identity }: ReportSource,
    write: ((text: string) => void) | undefined,
    lines: readonly string[],
    newRun?: string,
  ) {
    this.#file = file;
    this.#release = release;
    this.hasFile = file !== undefined;
    this.#key = key;
    this.#maxErrors = maxErrors;
    this.#write = write ?? (() => {});
    const rows = lines.map((line) => JSON.parse(line) as Row);
    if (rows.some(({ result }) => typeof result !== "string")) throw new TypeError("A row has no result.");
    const first = firstRow(rows[0], key);
    this.run = first?.id ?? newRun;
    this.isOld = newRun === undefined && !(first && isIdentified(first));
    for (const row of rows) if (row !== first && row.result !== "failed") this.#done.set(row[key], row.id);
    if (first && isIdentified(first) && identity) requireSameRun(file!, runOf(first), identity);
    if (newRun !== undefined)
      this.#write(`${JSON.stringify({ id: newRun, result: RUN_STARTED, ...identity })}\n`);
  }

  /**
   * Throws `CommandError` for conflicting flags, an unusable file, one in use, and one of another run. A dry run writes
   * nothing. The caller must call `close`.
   */
  static async open(
    { args, dry, machine, random }: ReportCall,
    key: KeyField,
    input?: string,
  ): Promise<Report> {
    const { report, resume, maxErrors = Infinity } = args;
    const file = reportFile(args);
    const source = { key, maxErrors, file, release: () => {}, identity: undefined };
    if (file === undefined) return new Report(source, undefined, []);
    const { appendFileSync, existsSync, readFileSync, statSync, truncateSync } = await import("node:fs");
    if (resume !== undefined && !existsSync(resume)) throw noFile(resume);
    await requireSeparateFile(file, input);
    const identity = await machine?.identity();
    const onDisk = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT")
          throw new CommandError("notFound", `There is no folder for ${file}.`);
        throw asStoreFailure(error, file, file);
      }
    };
    const release = dry ? () => {} : await lockReport(file, onDisk);
    try {
      if (resume === undefined && statSync(file, { throwIfNoEntry: false })?.size) throw reportExists(file);
      const text = resume === undefined ? "" : readFileSync(resume, "utf8");
      // An interrupted run may have left half a line: its item is done again.
      const before = text.slice(0, text.lastIndexOf("\n") + 1);
      const write = dry ? undefined : (rows: string): void => onDisk(() => appendFileSync(file, rows));
      const isNew = before === "";
      // Fails before anything is sent if the file cannot be written.
      if (!dry && report === undefined) onDisk(() => truncateSync(file, Buffer.byteLength(before)));
      return parseReport(
        file,
        () =>
          new Report(
            { ...source, release, identity },
            write,
            before.split("\n").filter(Boolean),
            isNew ? random() : undefined,
          ),
      );
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Whether an earlier run has done any item. */
  get hasDone(): boolean {
    return this.#done.size > 0;
  }

  /** Looks up an item that an earlier run calls done. Throws `CommandError` (conflict) if the provider does not show it. */
  async requireDone(isDone: (id: string) => Promise<boolean>): Promise<void> {
    const ids = [...this.#done.values()].filter((id) => id !== undefined);
    // A single one may have been changed by somebody else since.
    const some = new Set([ids[0], ids[ids.length >> 1], ids.at(-1)].filter((id) => id !== undefined));
    await requireShown(this.#file!, [...some], isDone);
  }

  /** Releases the lock. */
  close(): void {
    this.#release();
  }

  /** Whether an earlier run did this item. Throws `CommandError` (rejected) if that line was a different item then. */
  isDone(row: Pick<Row, KeyField>): boolean {
    const key = row[this.#key];
    const before = this.#done.get(key);
    if (before !== undefined && row.id !== undefined && before !== row.id)
      throw new CommandError(
        "rejected",
        `Line ${row.line} is another than the one that ${this.#file} calls done.`,
        "--resume takes the input of that run; lines that failed may differ.",
      );
    return this.#done.has(key);
  }

  done(rows: readonly Row[]): void {
    this.#outcomes.done(rows.length);
    this.#write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }

  /**
   * Records items that were refused. Throws errors that concern the whole run, with a hint how far it came, and
   * `CommandError` (partial) after too many failures.
   */
  failed(rows: readonly Pick<Row, "line" | "id">[], error: unknown): void {
    const names = rows.map(rowName);
    try {
      if (!this.#outcomes.failed(names, error)) return;
    } catch {
      if (this.#outcomes.written === 0 && !this.hasFile) throw error;
      const { hint: ownHint } = error as { hint?: string };
      const progress = `${this.#outcomes.written} were done before ${names[0]}; use --report and --resume to continue from there`;
      throw withHint(error, ownHint === undefined ? progress : `${ownHint.replace(/\.$/, "")}; ${progress}`);
    }
    const failure = { result: "failed", reason: reasonText(error) };
    this.#write(rows.map((row) => `${JSON.stringify({ ...row, ...failure })}\n`).join(""));
    if (this.#outcomes.failures >= this.#maxErrors) this.end();
  }

  /** Throws the final error, see `Outcomes.end`. */
  end(): void {
    this.#outcomes.end();
  }
}
