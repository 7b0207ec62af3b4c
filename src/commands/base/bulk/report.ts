/** Records the result of each item of a bulk write in a file, so that a later run can resume, and builds the final error. */
import { asStoreFailure } from "../../../model/files/storage.ts";
import { CommandError, type Args, type ArgValues } from "../define-command.ts";
import { Several, whyOf } from "./several.ts";
import { noFile } from "../file-problem.ts";
import { withHint } from "../../../model/errors.ts";

/** Flags of bulk writes. */
export const REPORT_ARGS = {
  report: {
    kind: "file",
    help: "Write a line of JSON for each item to this file: line, id, result and reason",
  },
  resume: {
    kind: "file",
    help: "Skip what this report says is done, and append to it",
  },
  maxErrors: {
    kind: "number",
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

const nameOf = ({ id = "", line }: Pick<Row, "line" | "id">): string =>
  line === undefined ? id : `line ${line}`;

/** `result` of the row that holds the id of the run. */
const BEGUN = "begun";

/** What identifies an item for `--resume`. */
type Key = "line" | "id";

interface Made {
  key: Key;
  most: number;
  file: string | undefined;
  release(): void;
}

type Given = ArgValues<typeof REPORT_ARGS>;

/** The report file, if any. Throws `CommandError` (usage). */
function fileOf({ report, resume }: Given): string | undefined {
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
async function needOther(file: string, input: string | undefined): Promise<void> {
  const { fstatSync, statSync } = await import("node:fs");
  const one = statSync(file, { throwIfNoEntry: false });
  if (!one?.isFile()) return;
  const isIt = (other: { ino: number; dev: number } | undefined): boolean =>
    one.ino === other?.ino && one.dev === other.dev;
  if (input !== undefined && isIt(statSync(input, { throwIfNoEntry: false })))
    throw new CommandError("usage", `${file} is the input itself: the report needs another file.`);
  // The report would truncate the file that standard output writes to.
  const isOpen = (descriptor: number): boolean => {
    try {
      return isIt(fstatSync(descriptor));
    } catch {
      return false;
    }
  };
  if ([1, 2].some(isOpen))
    throw new CommandError("usage", `${file} is where the output goes: the report needs another file.`);
}

/** Locks the report for this run, unless it is a device such as /dev/null. Throws `CommandError` (conflict). */
async function alone(file: string, onDisk: <T>(work: () => T) => T): Promise<() => void> {
  const { statSync } = await import("node:fs");
  const { takeLock } = await import("../../../model/files/lock-file.ts");
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return () => {};
  const release = onDisk(() => takeLock(`${file}.lock`));
  if (release) return release;
  throw new CommandError("conflict", `Another run writes to ${file}.`, "Wait for it, or name another file.");
}

/** Throws `CommandError` (rejected) for a file that is not a report. */
function reading(file: string, read: () => Report): Report {
  try {
    return read();
  } catch {
    throw new CommandError("rejected", `${file} is not a report.`);
  }
}

export class Report {
  readonly #several = new Several();
  /** Items done by earlier runs: key → id. */
  readonly #done = new Map<unknown, string | undefined>();
  readonly #key: Key;
  readonly #most: number;
  readonly #write: (text: string) => void;

  /** Whether there is a report file. */
  readonly isKept: boolean;
  readonly #isNew: boolean;
  #run: string | undefined;

  readonly #file: string | undefined;
  readonly #release: () => void;

  private constructor(
    { key, most, file, release }: Made,
    write: ((text: string) => void) | undefined,
    lines: readonly string[],
  ) {
    this.#file = file;
    this.#release = release;
    this.isKept = write !== undefined;
    this.#isNew = lines.length === 0;
    this.#key = key;
    this.#most = most;
    this.#write = write ?? (() => {});
    for (const line of lines) {
      const row = JSON.parse(line) as Row;
      if (typeof row.result !== "string") throw new TypeError("It says nothing of what became of it.");
      if (row.result === BEGUN) this.#run = row.id;
      else if (row.result !== "failed") this.#done.set(row[key], row.id);
    }
  }

  /** Throws `CommandError` for conflicting flags, an unusable file, or one in use. A dry run writes nothing. The caller must call `close`. */
  static async open(args: Given, key: Key, dry: boolean, input?: string): Promise<Report> {
    const { report, resume, maxErrors: most = Infinity } = args;
    const file = fileOf(args);
    if (file === undefined) return new Report({ key, most, file, release: () => {} }, undefined, []);
    const { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } = await import("node:fs");
    if (resume !== undefined && !existsSync(resume)) throw noFile(resume);
    await needOther(file, input);
    const onDisk = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT")
          throw new CommandError("notFound", `There is no folder for ${file}.`);
        throw asStoreFailure(error, file);
      }
    };
    const release = dry ? () => {} : await alone(file, onDisk);
    try {
      const text = resume === undefined ? "" : readFileSync(resume, "utf8");
      // An interrupted run may have left half a line: its item is done again.
      const before = text.slice(0, text.lastIndexOf("\n") + 1);
      const write = dry ? undefined : (rows: string): void => onDisk(() => appendFileSync(file, rows));
      const made = reading(
        file,
        () => new Report({ key, most, file, release }, write, before.split("\n").filter(Boolean)),
      );
      // Fails before anything is sent if the file cannot be written.
      if (!dry)
        onDisk(() =>
          report === undefined ? truncateSync(file, Buffer.byteLength(before)) : writeFileSync(file, ""),
        );
      return made;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Releases the lock. */
  close(): void {
    this.#release();
  }

  /**
   * An id shared by all runs of this report: message ids derived from it keep a resumed run from sending twice.
   * Undefined without a report file, and for a report that was started without an id.
   */
  nameOfRun(random: () => string): string | undefined {
    if (this.#run === undefined && this.isKept && this.#isNew) {
      this.#run = random();
      this.#write(`${JSON.stringify({ id: this.#run, result: BEGUN })}\n`);
    }
    return this.#run;
  }

  /** Whether an earlier run did this item. Throws `CommandError` (rejected) if that line was a different item then. */
  has(row: Pick<Row, Key>): boolean {
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
    this.#several.done(rows.length);
    this.#write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }

  /**
   * Records items that were refused. Throws errors that concern the whole run, with a hint how far it came, and
   * `CommandError` (partial) after too many failures.
   */
  failed(rows: readonly Pick<Row, "line" | "id">[], error: unknown): void {
    const names = rows.map(nameOf);
    try {
      if (!this.#several.failed(names, error)) return;
    } catch {
      if (this.#several.written === 0 && !this.isKept) throw error;
      const { hint: own } = error as { hint?: string };
      const far = `${this.#several.written} were done before ${names[0]}; with --report and --resume a run goes on there`;
      throw withHint(error, own === undefined ? far : `${own.replace(/\.$/, "")}; ${far}`);
    }
    const why = { result: "failed", reason: whyOf(error) };
    this.#write(rows.map((row) => `${JSON.stringify({ ...row, ...why })}\n`).join(""));
    if (this.#several.failures >= this.#most) this.end();
  }

  /** Throws the final error, see `Several.end`. */
  end(): void {
    this.#several.end();
  }
}
