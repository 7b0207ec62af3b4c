/** Reads records one by one from a file or standard input: NDJSON, a JSON array, CSV with a header, a list as it is printed in a pipe, or one id per line. */
import { decodeText } from "../../../text/decode.ts";
import { type FileReading, CommandError } from "../define-command.ts";
import type { BoundsName } from "../../../wire/bounded-json.ts";
import { isObject } from "../../../wire/json-object.ts";
import { withoutQuote } from "../../../text/formula.ts";
import { firstFew } from "../../../text/words.ts";
import { POISONED_KEYS } from "../../../wire/ids.ts";
import { fileProblem } from "../file-problem.ts";
import { parsed, requireNoSpreadsheet } from "../json.ts";
import { inputOf, textLines, requireLine, wholeText } from "../text.ts";

/** A record or its problem; numbered from 1. */
type FileRecord = { number: number } & (
  | { json: Record<string, unknown>; cells?: undefined; fault?: undefined }
  | { cells: Record<string, string>; json?: undefined; fault?: undefined }
  | { fault: CommandError; json?: undefined; cells?: undefined }
);

/** The text of the file in pieces; `-` is standard input. */
async function* textPieces(call: FileReading, file: string): AsyncIterable<string> {
  const { spreadsheetIn, spreadsheetKind } = await import("../../../model/files/spreadsheet.ts");
  if (file === "-") {
    let isFirst = true;
    for await (const piece of inputOf(call)()) {
      if (isFirst)
        requireNoSpreadsheet(spreadsheetKind(Buffer.from(piece.slice(0, 4096), "latin1"), piece), file);
      isFirst = false;
      yield piece;
    }
    return;
  }
  const { createReadStream } = await import("node:fs");
  const path = (await call.localFile?.(file)) ?? file;
  try {
    requireNoSpreadsheet(await spreadsheetIn(path), file);
    yield* decodeText(createReadStream(path) as AsyncIterable<Uint8Array>);
  } catch (error) {
    if (error instanceof CommandError) throw error;
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

function parse(text: string, number: number, of?: BoundsName): unknown {
  const value = parsed(text, (why) => recordError(number, why), of);
  if (value === undefined) throw recordError(number, "is not valid JSON");
  return value;
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

/** Bytes of one record of a CSV: no request is longer than 1 MiB. */
const MAX_RECORD = 16 * 1024 * 1024;

/** What csv-parse found wrong, by the code of its error. */
const CSV_PROBLEMS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: "a record is longer than 16 MiB",
  CSV_QUOTE_NOT_CLOSED: "a quoted cell is not closed",
  CSV_INVALID_CLOSING_QUOTE:
    "text follows the closing quote of a cell: a quote inside a cell is written twice",
  INVALID_OPENING_QUOTE:
    "a quote is in the middle of a cell: put the whole cell in quotes, and write the inner quote twice",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE:
    "text follows the closing quote of a cell: a quote inside a cell is written twice",
};

function csvError({ code, message, lines }: Error & { code: string; lines?: number }): CommandError {
  const place = lines === undefined ? "" : `, line ${lines}`;
  const why = Object.hasOwn(CSV_PROBLEMS, code) ? CSV_PROBLEMS[code]! : message;
  return new CommandError("rejected", `The CSV cannot be read${place}: ${why}.`);
}

async function* csvRecords(
  source: AsyncIterable<string>,
  dialect: Dialect,
  columns: Columns,
): AsyncIterable<FileRecord> {
  const { parse: parser, CsvError } = await import("csv-parse");
  const { Readable } = await import("node:stream");
  const rows = Readable.from(source).pipe(
    parser({
      ...dialect,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      max_record_size: MAX_RECORD,
    }),
  );
  let header: string[] | undefined;
  let number = 0;
  try {
    for await (const row of rows as AsyncIterable<string[]>) {
      if (header === undefined) requireColumns((header = row), columns);
      else yield csvRecord(header, row, ++number);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvError(error as Error & { code: string; lines?: number });
  }
}

/** Which columns a CSV must and may have; each is known by its exact name. */
interface Columns {
  /** One of these holds the id, or its flattened form `user.id`. */
  ids?: readonly string[];
  /** Names that another spelling was meant for. */
  known?: readonly string[];
}

/** A name as people write it: `User ID`, `user_id` and `userId` are one. */
const spelled = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, "");

/** The name among these that was meant for the id: in another spelling, or as another list calls it. */
export const idSpelling = (names: readonly string[], ids: readonly string[] = ["id"]): string | undefined =>
  names.find((name) => [...ids, ...PERSON_FIELDS].some((id) => spelled(id) === spelled(name)));

/** The first name that a header has twice; unnamed columns are empty. */
function repeatedName(header: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return header.find((name) => {
    const isRepeated = name !== "" && seen.has(name);
    seen.add(name);
    return isRepeated;
  });
}

/** Throws `CommandError` (rejected) for a header whose columns would not be read as they are meant. */
function requireColumns(header: readonly string[], { ids = [], known = [] }: Columns): void {
  const refuse = (problem: string, hint?: string): never => {
    throw new CommandError("rejected", problem, hint);
  };
  const duplicate = repeatedName(header);
  // Only one of them would be used.
  if (duplicate !== undefined) refuse(`Two columns are called ${duplicate}.`);
  const poisoned = header.find((name) => name.split(".").some((part) => POISONED_KEYS.has(part)));
  if (poisoned !== undefined) refuse(`A column cannot be called ${poisoned}.`, "Give it another name.");
  const found = `The columns are ${firstFew(header.filter(Boolean), ", ", 10)}`;
  const isId = (name: string): boolean => ids.some((id) => name === id || name === `${id}.id`);
  if (ids.length > 0 && !header.some(isId)) {
    const meant = idSpelling(header, ids);
    refuse(
      `There is no column ${ids[0]}. ${found}.`,
      meant === undefined ? undefined : `Call the column ${meant} ${ids[0]}.`,
    );
  }
  const spellings = new Map(known.map((one) => [spelled(one), one]));
  for (const name of header) {
    const meant = spellings.get(spelled(name));
    if (meant !== undefined && meant !== name && !header.includes(meant))
      refuse(`The column ${name} is not known. ${found}.`, `Call it ${meant}, if that is meant.`);
  }
}

function csvRecord(header: readonly string[], row: readonly string[], number: number): FileRecord {
  if (row.length !== header.length)
    return { number, fault: recordError(number, `has ${row.length} cells, the header has ${header.length}`) };
  return {
    number,
    cells: Object.fromEntries(header.map((name, i) => [name, withoutQuote(row[i]!)])),
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
  const list = parse(await wholeText(source), 1, "answer");
  if (!Array.isArray(list)) throw new CommandError("rejected", "The file does not contain a JSON array.");
  for (const [i, value] of list.entries()) yield asObject(value, i + 1);
}

/** One name per line. A person may be written `@ana`, which in the place of a channel is another thing. */
async function* idRecords(source: AsyncIterable<string>, field = "id"): AsyncIterable<FileRecord> {
  let number = 0;
  for await (const line of textLines(source)) {
    const name = line.trim();
    if (name !== "")
      yield { number: ++number, cells: { [field]: field === "id" ? name.replace(/^@/, "") : name } };
  }
}

/** The rows of a list as it is printed in a pipe, without a header: the id is in the first cell. What the others are is unknown, so that they say nothing. */
async function* listRecords(source: AsyncIterable<string>, field = "id"): AsyncIterable<FileRecord> {
  for await (const record of idRecords(source, field)) {
    const { number, cells = {} } = record;
    yield { number, cells: { [field]: cells[field]!.split("\t", 1)[0]!.trim(), "": "" } };
  }
}

/** Whether a line contains one of the column names, in any spelling. */
const hasColumn = (cells: readonly string[], columns: readonly string[]): boolean =>
  cells
    .map((cell) => spelled(cell.trim().replace(/^(["'])(.*)\1$/, "$2")))
    .some((name) => columns.some((column) => spelled(column) === name));

/** A cell of a list may have the name of a column, such as the role `user`; but then others are empty, or numbers and times. */
const isHeader = (cells: readonly string[], columns: readonly string[]): boolean =>
  hasColumn(cells.slice(0, 1), columns) ||
  (hasColumn(cells, columns) && cells.every((cell) => /^["']?\p{L}/u.test(cell.trim())));

/**
 * All records. The format follows from the first character: `[` JSON array, `{` NDJSON, anything else CSV. With `ids`,
 * a single column without one of these headers is read as one id per line, and a tab-separated line that is no header as a list. Throws `CommandError` (rejected) for an invalid file.
 */
export async function* readRecords(
  call: FileReading,
  file: string,
  columns: Columns = {},
): AsyncIterable<FileRecord> {
  const { ids } = columns;
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
    const isTabs = isTable && dialect.delimiter === "\t" && dialect.from_line === 1;
    const names = [...(ids ?? []), ...PERSON_FIELDS];
    if (ids && !isTable && !hasColumn(cells, names)) yield* idRecords(text, ids[0]);
    else if (ids && isTabs && !isHeader(cells, names)) yield* listRecords(text, ids[0]);
    else yield* csvRecords(text, dialect, columns);
  }
}
