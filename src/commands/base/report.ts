/** Reports what became of many writes: a file with a line each, where the next run goes on, and the final error. */
import { asStoreFailure } from "../../model/storage.ts";
import { CommandError } from "./define-command.ts";
import type { Args, Values } from "./define-command.ts";
import { Several, whyOf, withHint } from "./several.ts";

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

/** The row that names the run. */
const BEGUN = "begun";

/** What `--resume` tells one thing from another by. */
type Key = "line" | "id";

export class Report {
  readonly #several = new Several();
  readonly #done = new Set<unknown>();
  readonly #key: Key;
  readonly #most: number;
  readonly #write: (text: string) => void;

  /** It is written to a file. */
  readonly isKept: boolean;
  readonly #isNew: boolean;
  #run: string | undefined;

  private constructor(
    key: Key,
    most: number,
    write: ((text: string) => void) | undefined,
    lines: readonly string[],
  ) {
    this.isKept = write !== undefined;
    this.#isNew = lines.length === 0;
    this.#key = key;
    this.#most = most;
    this.#write = write ?? (() => {});
    for (const line of lines) {
      const row = JSON.parse(line) as Row;
      if (typeof row.result !== "string") throw new TypeError("It says nothing of what became of it.");
      if (row.result === BEGUN) this.#run = row.id;
      else if (row.result !== "failed") this.#done.add(row[key]);
    }
  }

  /** Throws `CommandError` for two files, and for a report that is none. A dry run writes no file. */
  static async open(
    { report, resume, maxErrors = Infinity }: Values<typeof REPORT_ARGS>,
    key: Key,
    dry: boolean,
  ): Promise<Report> {
    if (report !== undefined && resume !== undefined)
      throw new CommandError("usage", "--report and --resume cannot be combined.");
    const file = resume ?? report;
    if (file === undefined) return new Report(key, maxErrors, undefined, []);
    const { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } = await import("node:fs");
    if (resume !== undefined && !existsSync(resume))
      throw new CommandError("notFound", `There is no file ${resume}.`);
    const text = resume === undefined ? "" : readFileSync(resume, "utf8");
    // A run that was killed, or whose disk was full, may have left half a line: what it was about is done again.
    const before = text.slice(0, text.lastIndexOf("\n") + 1);
    const onDisk = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT")
          throw new CommandError("notFound", `There is no folder for ${file}.`);
        throw asStoreFailure(error, file);
      }
    };
    const write = dry ? undefined : (rows: string): void => onDisk(() => appendFileSync(file, rows));
    let made: Report;
    try {
      made = new Report(key, maxErrors, write, before.split("\n").filter(Boolean));
    } catch {
      throw new CommandError("rejected", `${file} is not a report.`);
    }
    // Where nothing can be written, nothing is sent.
    if (!dry)
      onDisk(() =>
        resume === undefined ? writeFileSync(file, "") : truncateSync(file, Buffer.byteLength(before)),
      );
    return made;
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

  /** An earlier run has done it. */
  has(row: Pick<Row, Key>): boolean {
    return this.#done.has(row[this.#key]);
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
  failed(rows: readonly Pick<Row, "line" | "id">[], error: unknown, name: string): void {
    try {
      if (!this.#several.failed(name, error, rows.length)) return;
    } catch {
      if (this.#several.written === 0 && !this.isKept) throw error;
      const { hint: own } = error as { hint?: string };
      const far = `${this.#several.written} were done before ${name}; with --report and --resume a run goes on there`;
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
