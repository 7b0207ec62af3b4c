/** Reads things with their fields from a file: ids, NDJSON, a JSON array, or CSV with a header; what a list prints is read as it is. */
import { readField } from "../custom-fields.ts";
import { CommandError, type FileReading } from "../define-command.ts";
import { idOfRecord, idSpelling, readRecords, recordError } from "./records.ts";

/** How the records of a noun are read. */
export interface RecordForm {
  /** Fields that may hold the id, in order of preference. */
  ids: readonly string[];
  /** Columns of which another spelling is refused. */
  known?: readonly string[];
  /** Fields that stay text even if they look like numbers. */
  texts: readonly string[];
  /** Fields that may be written as words in a cell: `red blue`, `red, blue` or `red;blue`. */
  lists?: readonly string[];
  /** The id that is meant; undefined for a text that is none. */
  readId(text: string): string | undefined;
}

/** A thing with the fields that a record gives. */
export interface GivenFields {
  fields: Record<string, unknown>;
  /** The cells of a CSV, which says nothing of other fields; absent for a list of ids. */
  cells?: Readonly<Record<string, string>>;
}

/** A thing or the problem of its record; numbered from 1. */
type GivenRecord = { number: number } & (
  | (GivenFields & { id: string; fault?: undefined })
  | { id?: undefined; fault: CommandError }
);

/** Lists and objects in cells are JSON; an empty cell gives nothing. */
export function fromCells(
  cells: Readonly<Record<string, string>>,
  { ids, texts, lists = [] }: Pick<RecordForm, "ids" | "texts" | "lists">,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(cells)) {
    if (text === "") continue;
    if (texts.includes(name) || ids.includes(name)) fields[name] = text;
    else if (lists.includes(name) && !text.startsWith("["))
      fields[name] = text.split(/[\s;,|]+/).filter(Boolean);
    else fields[name] = readField(name, text, "rejected");
  }
  return fields;
}

function missingId(number: number, record: Record<string, unknown>, { ids }: RecordForm): CommandError {
  const meant = idSpelling(Object.keys(record), ids);
  return recordError(
    number,
    meant === undefined ? `has no ${ids[0]}` : `has no ${ids[0]} but ${meant}: call it ${ids[0]}`,
  );
}

/** Throws `CommandError` (rejected) for a file in none of these formats. */
export async function* readGiven(
  call: FileReading,
  file: string,
  form: RecordForm,
): AsyncIterable<GivenRecord> {
  const { ids, known = [] } = form;
  for await (const { number, json, cells, fault } of readRecords(call, file, { ids, known })) {
    if (fault) {
      yield { number, fault };
      continue;
    }
    const text = idOfRecord(cells ?? json, ids);
    const id = text === undefined ? undefined : form.readId(text);
    if (text === undefined) yield { number, fault: missingId(number, cells ?? json, form) };
    else if (id === undefined)
      yield { number, fault: recordError(number, `has '${text}' for an id, which is none`) };
    else if (cells === undefined) yield { number, id, fields: json };
    else
      yield { number, id, fields: fromCells(cells, form), ...(Object.keys(cells).length > 1 && { cells }) };
  }
}
