/** Reads people from a file or standard input: NDJSON, a JSON array, CSV with a header line, or one id a line; one at a time. */
import { isUserId } from "../../wire/ids.ts";
import type { CommandError, FileReading } from "../base/define-command.ts";
import { PERSON_FIELDS, readRecords, recordError } from "../base/bulk/records.ts";
import { fromCells } from "./fields.ts";

/** A user of the file, or what is wrong with its record; records are counted from 1. */
type Person = { at: number } & (
  | { user: Record<string, unknown> & { id: string }; fault?: undefined }
  | { user?: undefined; fault: CommandError }
);

/** Every user of the file. Throws `CommandError` (rejected) for what is none of the forms as a whole. */
export async function* readPeople(call: FileReading, file: string): AsyncIterable<Person> {
  for await (const { at, json, cells, fault } of readRecords(call, file, { ids: PERSON_FIELDS })) {
    if (fault) {
      yield { at, fault };
      continue;
    }
    const user = (cells ? fromCells(cells) : json) as Record<string, unknown> & { id: string };
    if (typeof user.id !== "string" || user.id === "") yield { at, fault: recordError(at, "has no id") };
    else if (!isUserId(user.id))
      yield { at, fault: recordError(at, `has '${user.id}' for an id, which is none`) };
    else yield { at, user };
  }
}
