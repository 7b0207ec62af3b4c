/** Reads the users a segment should contain from a file or a filter. */
import { SEGMENT } from "./segment-arg.ts";
import { readFilter } from "../base/lists/filter.ts";
import { CommandError, type Args, type Call, type ArgValues } from "../base/define-command.ts";

export const TARGET_SOURCE_ARGS = {
  segment: SEGMENT,
  file: {
    kind: "file",
    positional: true,
    optional: true,
    help: "CSV with a column id, NDJSON, or one id per line; - reads standard input",
  },
  filter: { kind: "text", value: "json", help: "Filter as JSON, instead of a file" },
} as const satisfies Args;

interface TargetUsers {
  ids: string[];
  /** Ids that were repeated. */
  duplicates: string[];
  /** Ids of unknown or deleted users. */
  unknown: string[];
  /** Invalid records, with the reason as a sentence. */
  invalid: { line: number; reason: string }[];
}

/** Throws `CommandError`: usage unless exactly one source is given, conflict for a segment that is not a list of users. */
export async function readTargetUsers(
  call: Pick<Call<Args>, "core" | "signal" | "progress" | "input" | "localFile"> & {
    args: ArgValues<typeof TARGET_SOURCE_ARGS>;
  },
): Promise<TargetUsers> {
  const { segment, file, filter } = call.args;
  if ((file === undefined) === (filter === undefined))
    throw new CommandError("usage", "Give either a file or --filter.");
  const current = (await call.core.call("getSegment", { path: { id: segment } })).segment;
  if (current.type !== "user" || current.filter || current.all_users)
    throw new CommandError(
      "conflict",
      `Segment ${segment} is not a list of users.`,
      `parley segment get ${segment}`,
    );
  const { targetsOf } = await import("../campaign/audience/targets.ts");
  const { unknownOf } = await import("../campaign/audience/people.ts");
  const source = file === undefined ? { filter: readFilter(filter!) } : { file };
  const { targets, duplicates, invalid } = await targetsOf(call, source);
  const ids = targets.map(({ id }) => id);
  const unknown = await unknownOf(call, ids);
  const excluded = new Set(unknown);
  return { ids: ids.filter((id) => !excluded.has(id)), duplicates, unknown, invalid };
}
