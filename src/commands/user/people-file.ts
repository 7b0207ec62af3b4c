/** Reads users from a file or standard input one by one: NDJSON, a JSON array, CSV with a header, or one id per line. */
import { isUserId } from "../../wire/ids.ts";
import type { CommandError, FileReading } from "../base/define-command.ts";
import { idSpelling, readRecords, recordError } from "../base/bulk/records.ts";
import { fromCells } from "./fields.ts";

const KNOWN_COLUMNS = ["id", "name", "image", "role", "teams", "teams_role", "language"];

function missingId(number: number, record: Record<string, unknown>): CommandError {
  const meant = idSpelling(Object.keys(record));
  return recordError(number, meant === undefined ? "has no id" : `has no id but ${meant}: call it id`);
}

/** A user or the problem of its record; numbered from 1. */
type Person = { number: number } &
  /** `columns`: those of a CSV, which says nothing of other fields. */
  (
    | { user: Record<string, unknown> & { id: string }; columns?: readonly string[]; fault?: undefined }
    | { user?: undefined; columns?: undefined; fault: CommandError }
  );

/** Throws `CommandError` (rejected) for a file in none of these formats. */
export async function* readPeople(call: FileReading, file: string): AsyncIterable<Person> {
  for await (const { number, json, cells, fault } of readRecords(call, file, {
    ids: ["id"],
    known: KNOWN_COLUMNS,
  })) {
    if (fault) {
      yield { number, fault };
      continue;
    }
    const user = (cells ? fromCells(cells) : json) as Record<string, unknown> & { id: string };
    if (typeof user.id !== "string" || user.id === "") yield { number, fault: missingId(number, user) };
    else if (!isUserId(user.id))
      yield { number, fault: recordError(number, `has '${user.id}' for an id, which is none`) };
    else {
      const columns = Object.keys(cells ?? {});
      // A list of ids has no columns.
      yield { number, user, ...(columns.length > 1 && { columns }) };
    }
  }
}
