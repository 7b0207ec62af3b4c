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
  /** The id of a thing that has its name in several fields; default: the first of `ids` that it has. */
  idOf?(record: Readonly<Record<string, unknown>>): string | undefined;
  /** A value in the form in which it is compared and sent, where a list prints it in another. Throws `CommandError`. */
  readValue?(name: string, value: unknown): unknown;
}

/** The id of things that have their name in several fields: `firebase/main`. Empty ones are left out. */
export const idOfSeveral = (
  ...fields: readonly [string, ...string[]]
): Required<Pick<RecordForm, "ids" | "readId" | "idOf">> => ({
  ids: [fields[0]],
  readId: (text) => text,
  idOf(record) {
    const parts = fields.map((field) => String(record[field] ?? ""));
    return parts[0] === "" ? undefined : parts.filter((part) => part !== "").join("/");
  },
});

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
    const text = form.idOf?.(cells ?? json) ?? idOfRecord(cells ?? json, ids);
    const id = text === undefined ? undefined : form.readId(text);
    if (text === undefined) yield { number, fault: missingId(number, cells ?? json, form) };
    else if (id === undefined)
      yield { number, fault: recordError(number, `has '${text}' for an id, which is none`) };
    else if (cells === undefined) yield { number, id, fields: inForm(json, form) };
    else {
      const fields = inForm(fromCells(cells, form), form);
      yield { number, id, fields, ...(Object.keys(cells).length > 1 && { cells }) };
    }
  }
}

const inForm = (fields: Record<string, unknown>, { readValue }: RecordForm): Record<string, unknown> =>
  readValue === undefined
    ? fields
    : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readValue(name, value)]));
