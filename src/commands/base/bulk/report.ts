/** Reports what became of many writes: a file with a line each, where the next run goes on, and the final error. */
import { asStoreFailure } from "../../../model/files/storage.ts";
import { CommandError, type Args, type ArgValues } from "../define-command.ts";
import { Several, whyOf } from "./several.ts";
import { noFile } from "../file-problem.ts";
import { withHint } from "../../../model/errors.ts";

/** The flags of every write of many things. */
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
  /** Of the input, counted from 1; absent for what was named on the line. */
  line?: number;
  id?: string;
  result: string;
  reason?: string;
}

const nameOf = ({ id = "", line }: Pick<Row, "line" | "id">): string =>
  line === undefined ? id : `line ${line}`;

/** The row that names the run. */
const BEGUN = "begun";

/** What `--resume` tells one thing from another by. */
type Key = "line" | "id";

/** What a report is of. */
interface Made {
  key: Key;
  most: number;
  file: string | undefined;
  release(): void;
}

type Given = ArgValues<typeof REPORT_ARGS>;

/** Where it is kept. Throws `CommandError` (usage). */
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

/** Throws `CommandError` (usage) where the report would be written over its own input. */
async function needOther(file: string, input: string | undefined): Promise<void> {
  const { fstatSync, statSync } = await import("node:fs");
  const one = statSync(file, { throwIfNoEntry: false });
  if (!one?.isFile()) return;
  const isIt = (other: { ino: number; dev: number } | undefined): boolean =>
    one.ino === other?.ino && one.dev === other.dev;
  if (input !== undefined && isIt(statSync(input, { throwIfNoEntry: false })))
    throw new CommandError("usage", `${file} is the input itself: the report needs another file.`);
  // It would be emptied, and what is printed would stand over what is reported.
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

/** Holds it for this run; what is no file, such as /dev/null, anybody may write to. Throws `CommandError` (conflict). */
async function alone(file: string, onDisk: <T>(work: () => T) => T): Promise<() => void> {
  const { statSync } = await import("node:fs");
  const { takeLock } = await import("../../../model/files/lock-file.ts");
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return () => {};
  const release = onDisk(() => takeLock(`${file}.lock`));
  if (release) return release;
  throw new CommandError("conflict", `Another run writes to ${file}.`, "Wait for it, or name another file.");
}

/** Throws `CommandError` (rejected) for what is no report. */
function reading(file: string, read: () => Report): Report {
  try {
    return read();
  } catch {
    throw new CommandError("rejected", `${file} is not a report.`);
  }
}

export class Report {
  readonly #several = new Several();
  /** What is done, with the id that each line had. */
  readonly #done = new Map<unknown, string | undefined>();
  readonly #key: Key;
  readonly #most: number;
  readonly #write: (text: string) => void;

  /** It is written to a file. */
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

  /**
   * Throws `CommandError` for two files, for the input's own, for a report that is none, and for one that another run writes
   * to. A dry run writes no file. Whoever opens it closes it.
   */
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
      // A run that was killed, or whose disk was full, may have left half a line: what it was about is done again.
      const before = text.slice(0, text.lastIndexOf("\n") + 1);
      const write = dry ? undefined : (rows: string): void => onDisk(() => appendFileSync(file, rows));
      const made = reading(
        file,
        () => new Report({ key, most, file, release }, write, before.split("\n").filter(Boolean)),
      );
      // Where nothing can be written, nothing is sent.
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

  /** The next run may have it. */
  close(): void {
    this.#release();
  }

  /**
   * Names all runs that this report is of: ids are made from it, so that a resumed run sends nothing twice that an earlier
   * one may have sent. None where nothing is kept, and in a report that has begun without.
   */
  nameOfRun(random: () => string): string | undefined {
    if (this.#run === undefined && this.isKept && this.#isNew) {
      this.#run = random();
      this.#write(`${JSON.stringify({ id: this.#run, result: BEGUN })}\n`);
    }
    return this.#run;
  }

  /** An earlier run has done it. Throws `CommandError` (rejected) where that run did something else in its place. */
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
   * One that failed, or several that one call was refused for: a refusal of these alone is noted, and the run goes on.
   * Throws what stops the run: an error that would meet the others too, now with how far it came, and `CommandError`
   * (partial) for too many of them.
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

  /** As `Several` ends. */
  end(): void {
    this.#several.end();
  }
}
