/** Reads people from a file or standard input: NDJSON, a JSON array, or CSV with a header line; one at a time. */
import type { Args, CommandCall } from "../base/define-command.ts";
import { CommandError } from "../base/define-command.ts";
import { fromCells } from "./fields.ts";

/** A user of the file, or what is wrong with its record; records are counted from 1. */
export type Person = { at: number } & (
  | { user: Record<string, unknown> & { id: string }; fault?: undefined }
  | { user?: undefined; fault: CommandError }
);

/** Pieces of text of the file; `-` is standard input. */
async function* pieces(call: Pick<CommandCall<Args>, "input">, file: string): AsyncIterable<string> {
  if (file === "-") {
    if (!call.input) throw new CommandError("usage", "There is no standard input here.");
    yield* call.input();
    return;
  }
  const { createReadStream } = await import("node:fs");
  try {
    for await (const piece of createReadStream(file, { encoding: "utf8" })) yield piece as string;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CommandError("notFound", `There is no file ${file}.`);
    if (code === "EISDIR" || code === "EACCES") throw new CommandError("rejected", `${file} cannot be read.`);
    throw error;
  }
}

const rejected = (at: number, why: string): CommandError =>
  new CommandError("rejected", `Record ${at} ${why}.`);

function asPerson(value: unknown, at: number): Person {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { at, fault: rejected(at, "is no JSON object") };
  const user = value as Record<string, unknown> & { id: string };
  return typeof user.id === "string" && user.id !== ""
    ? { at, user }
    : { at, fault: rejected(at, "has no id") };
}

function parse(text: string, at: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw rejected(at, "is not valid JSON");
  }
}

async function* lines(source: AsyncIterable<string>): AsyncIterable<string> {
  let rest = "";
  for await (const piece of source) {
    const parts = (rest + piece).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest !== "") yield rest;
}

/** Without the byte order mark that some editors write. */
async function* withStart(source: AsyncIterable<string>): AsyncIterable<string> {
  let first = true;
  for await (const piece of source) {
    yield first ? piece.replace(/^\uFEFF/, "") : piece;
    first = false;
  }
}

async function* csvUsers(source: AsyncIterable<string>): AsyncIterable<Person> {
  const { parse: parser } = await import("csv-parse");
  const { Readable } = await import("node:stream");
  const rows = Readable.from(source).pipe(
    parser({ columns: true, skip_empty_lines: true, trim: true, relax_column_count: false }),
  );
  let at = 0;
  try {
    for await (const row of rows as AsyncIterable<Record<string, string>>)
      yield asPerson(fromCells(row), ++at);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as Error & { code?: unknown };
    if (typeof code === "string" && code.startsWith("CSV_"))
      throw new CommandError("rejected", `The CSV cannot be read: ${message}.`);
    throw error;
  }
}

async function* jsonUsers(source: AsyncIterable<string>): AsyncIterable<Person> {
  let at = 0;
  for await (const line of lines(source)) {
    if (line.trim() === "") continue;
    at++;
    try {
      yield asPerson(parse(line, at), at);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      yield { at, fault: error };
    }
  }
}

async function* arrayUsers(source: AsyncIterable<string>): AsyncIterable<Person> {
  let all = "";
  for await (const piece of source) all += piece;
  const list = parse(all, 1);
  if (!Array.isArray(list)) throw new CommandError("rejected", "The file holds no JSON array.");
  for (const [i, value] of list.entries()) yield asPerson(value, i + 1);
}

/** Every user of the file; its first character says what it is: `[` a JSON array, `{` NDJSON, anything else CSV. Throws `CommandError` (rejected) for what is none of them as a whole. */
export async function* readPeople(
  call: Pick<CommandCall<Args>, "input">,
  file: string,
): AsyncIterable<Person> {
  const source = withStart(pieces(call, file))[Symbol.asyncIterator]();
  let head = "";
  while (head.trim() === "") {
    const next = await source.next();
    if (next.done) return;
    head += next.value;
  }
  const whole = (async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  const start = head.trimStart()[0];
  if (start === "[") yield* arrayUsers(whole);
  else if (start === "{") yield* jsonUsers(whole);
  else yield* csvUsers(whole);
}
