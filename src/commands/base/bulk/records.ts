/** Reads records one by one from a file or standard input: NDJSON, a JSON array, CSV with a header, or one id per line. */
import { decodeText } from "../../../text/decode.ts";
import { type FileReading, CommandError } from "../define-command.ts";
import { isExcessive } from "../../../wire/bounded-json.ts";
import { isObject } from "../../../wire/json-object.ts";
import { fileProblem } from "../file-problem.ts";
import { inputOf, textLines, requireLine, wholeText } from "../text.ts";

/** A record or its problem; numbered from 1. */
type FileRecord = { number: number } & (
  | { json: Record<string, unknown>; cells?: undefined; fault?: undefined }
  | { cells: Record<string, string>; json?: undefined; fault?: undefined }
  | { fault: CommandError; json?: undefined; cells?: undefined }
);

/** The text of the file in pieces; `-` is standard input. */
async function* textPieces(call: FileReading, file: string): AsyncIterable<string> {
  if (file === "-") {
    yield* inputOf(call)();
    return;
  }
  const { createReadStream } = await import("node:fs");
  const path = (await call.localFile?.(file)) ?? file;
  try {
    yield* decodeText(createReadStream(path) as AsyncIterable<Uint8Array>);
  } catch (error) {
    throw fileProblem(error, file);
  }
}

/** Fields that hold a user id in our lists, in order of preference. */
export const PERSON_FIELDS = [
  "id",
  "target_id",
  "user_id",
  "blocked_user_id",
  "cid",
  "user",
  "target",
] as const;

/** The id in a record: a field, its flattened form `user.id`, or an object with an id. */
export function idOfRecord(
  record: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): string | undefined {
  for (const field of fields) {
    const value = record[field] ?? record[`${field}.id`];
    const text = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

export const recordError = (number: number, problem: string): CommandError =>
  new CommandError("rejected", `Record ${number} ${problem}.`);

function asObject(value: unknown, number: number): FileRecord {
  return isObject(value)
    ? { number, json: value }
    : { number, fault: recordError(number, "is not a JSON object") };
}

function parse(text: string, number: number): unknown {
  if (isExcessive(text)) throw recordError(number, "is nested too deep");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw recordError(number, "is not valid JSON");
  }
}

/** Removes a byte order mark. */
async function* withoutBom(source: AsyncIterable<string>): AsyncIterable<string> {
  let first = true;
  for await (const piece of source) {
    yield first ? piece.replace(/^\uFEFF/, "") : piece;
    first = false;
  }
}

/** The dialect of a CSV, guessed from its first line, which may be `sep=;`. */
interface Dialect {
  delimiter: string;
  quote: string;
  /** Line number of the header. */
  from_line: number;
}

const DELIMITERS = [",", ";", "\t", "|"];

function dialectOf(first: string): Dialect {
  const [, declared] = /^sep=(.)\s*$/i.exec(first) ?? [];
  const quote = first.includes('"') || !/^\s*'[^']*'\s*([,;\t|]|$)/.test(first) ? '"' : "'";
  if (declared !== undefined) return { delimiter: declared, quote, from_line: 2 };
  const bare = first.replace(quote === '"' ? /"[^"]*"/g : /'[^']*'/g, "");
  const countOf = (delimiter: string): number => bare.split(delimiter).length - 1;
  const delimiter = DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))[0]!;
  return { delimiter, quote, from_line: 1 };
}

async function* csvRecords(source: AsyncIterable<string>, dialect: Dialect): AsyncIterable<FileRecord> {
  const { parse: parser, CsvError } = await import("csv-parse");
  const { Readable } = await import("node:stream");
  const rows = Readable.from(source).pipe(
    parser({ ...dialect, skip_empty_lines: true, trim: true, relax_column_count: true }),
  );
  let header: string[] | undefined;
  let number = 0;
  try {
    for await (const row of rows as AsyncIterable<string[]>) {
      if (header === undefined) requireUniqueColumns((header = row));
      else yield csvRecord(header, row, ++number);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError("rejected", `The CSV cannot be read: ${error.message}.`);
  }
}

/** The quote our CSV output puts before formulas. */
const FORMULA_QUOTE = /^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/;

/** Rejects duplicate columns, as only one would be used; unnamed columns are empty. */
function requireUniqueColumns(header: readonly string[]): void {
  const duplicate = header.find((name, i) => name !== "" && header.indexOf(name) < i);
  if (duplicate !== undefined) throw new CommandError("rejected", `Two columns are called ${duplicate}.`);
}

function csvRecord(header: readonly string[], row: readonly string[], number: number): FileRecord {
  if (row.length !== header.length)
    return { number, fault: recordError(number, `has ${row.length} cells, the header has ${header.length}`) };
  return {
    number,
    cells: Object.fromEntries(header.map((name, i) => [name, row[i]!.replace(FORMULA_QUOTE, "")])),
  };
}

async function* jsonRecords(source: AsyncIterable<string>): AsyncIterable<FileRecord> {
  let number = 0;
  for await (const line of textLines(source)) {
    if (line.trim() === "") continue;
    number++;
    try {
      yield asObject(parse(line, number), number);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      yield { number, fault: error };
    }
  }
}

async function* arrayRecords(source: AsyncIterable<string>): AsyncIterable<FileRecord> {
  const list = parse(await wholeText(source), 1);
  if (!Array.isArray(list)) throw new CommandError("rejected", "The file does not contain a JSON array.");
  for (const [i, value] of list.entries()) yield asObject(value, i + 1);
}

async function* idRecords(source: AsyncIterable<string>): AsyncIterable<FileRecord> {
  let number = 0;
  for await (const line of textLines(source))
    if (line.trim() !== "") yield { number: ++number, cells: { id: line.trim().replace(/^@/, "") } };
}

/** Whether a line contains one of the column names. */
const hasColumn = (cells: readonly string[], columns: readonly string[]): boolean =>
  cells.some((cell) => columns.includes(cell.trim().replace(/^(["'])(.*)\1$/, "$2")));

/**
 * All records. The format follows from the first character: `[` JSON array, `{` NDJSON, anything else CSV. With `ids`,
 * a single column without one of these headers is read as one id per line. Throws `CommandError` (rejected) for an invalid file.
 */
export async function* readRecords(
  call: FileReading,
  file: string,
  { ids }: { ids?: readonly string[] } = {},
): AsyncIterable<FileRecord> {
  const source = withoutBom(textPieces(call, file))[Symbol.asyncIterator]();
  let head = "";
  // Read until the first line is complete.
  for (let isEnough = false; !isEnough;) {
    const { done, value } = await source.next();
    if (done) break;
    head += value;
    isEnough = /^\s*[[{]/.test(head) || (value.includes("\n") && /^\s*\S.*\n/.test(head));
    if (!isEnough) requireLine(head, 1);
  }
  if (head.trim() === "") return;
  const text = (async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  const [first = ""] = head.trimStart().split("\n", 1);
  if (first.startsWith("[")) yield* arrayRecords(text);
  else if (first.startsWith("{")) yield* jsonRecords(text);
  else {
    const dialect = dialectOf(first);
    const cells = first.split(dialect.delimiter);
    const isTable = cells.length > 1 || dialect.from_line > 1;
    if (ids && !isTable && !hasColumn(cells, ids)) yield* idRecords(text);
    else yield* csvRecords(text, dialect);
  }
}
