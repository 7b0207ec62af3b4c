/** Reads people from a file or standard input: NDJSON, a JSON array, or CSV with a header line; one at a time. */
import type { Args, CommandCall, CommandError } from "../base/define-command.ts";
import { readRecords, wrongRecord } from "../base/records.ts";
import { fromCells } from "./fields.ts";

/** A user of the file, or what is wrong with its record; records are counted from 1. */
type Person = { at: number } & (
  | { user: Record<string, unknown> & { id: string }; fault?: undefined }
  | { user?: undefined; fault: CommandError }
);

/** Every user of the file. Throws `CommandError` (rejected) for what is none of the forms as a whole. */
export async function* readPeople(
  call: Pick<CommandCall<Args>, "input">,
  file: string,
): AsyncIterable<Person> {
  for await (const { at, json, cells, fault } of readRecords(call, file)) {
    if (fault) {
      yield { at, fault };
      continue;
    }
    const user = (cells ? fromCells(cells) : json) as Record<string, unknown> & { id: string };
    yield typeof user.id === "string" && user.id !== ""
      ? { at, user }
      : { at, fault: wrongRecord(at, "has no id") };
  }
}
