/** Reads users from a file or standard input one by one: NDJSON, a JSON array, CSV with a header, or one id per line. */
import { isUserId } from "../../wire/ids.ts";
import type { CommandError, FileReading } from "../base/define-command.ts";
import { readGiven, type RecordForm } from "../base/bulk/given-records.ts";

/** How records of people are read. */
export const PEOPLE = {
  ids: ["id"],
  known: ["id", "name", "image", "role", "teams", "teams_role", "language"],
  texts: ["name", "image", "language", "status", "role"],
  lists: ["teams"],
  readId: (text) => (isUserId(text) ? text : undefined),
} as const satisfies RecordForm;

/** A user or the problem of its record; numbered from 1. */
type Person = { number: number } &
  /** `columns`: those of a CSV, which says nothing of other fields. */
  (
    | { user: Record<string, unknown> & { id: string }; columns?: readonly string[]; fault?: undefined }
    | { user?: undefined; columns?: undefined; fault: CommandError }
  );

/** Throws `CommandError` (rejected) for a file in none of these formats. */
export async function* readPeople(call: FileReading, file: string): AsyncIterable<Person> {
  for await (const record of readGiven(call, file, PEOPLE)) {
    const { number } = record;
    if (record.fault) yield { number, fault: record.fault };
    else {
      const { id, fields, cells } = record;
      yield { number, user: { ...fields, id }, ...(cells && { columns: Object.keys(cells) }) };
    }
  }
}
