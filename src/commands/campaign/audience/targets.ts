/** Reads the targets of an audience, each once with the columns of its record, and reports mistakes in the source. */
import type { Segment } from "../../../wire/entities/segment.ts";
import { isUserId } from "../../../wire/ids.ts";
import { CommandError, type FileReading } from "../../base/define-command.ts";
import { idOfRecord, PERSON_FIELDS, readRecords, recordError } from "../../base/bulk/records.ts";
import { idsByFilter, idsOfSegment, idsOfTargets, type AudienceCall } from "./people.ts";
import type { Filter } from "../../../wire/entities/query.ts";

export interface Target {
  id: string;
  /** The cells of its record, or the fields of its object. */
  columns?: Record<string, unknown>;
}

export interface TargetList {
  kind: "user" | "channel";
  targets: Target[];
  /** Ids that stood there before, once for each time. */
  duplicates: string[];
  /** Records that name nobody, and why, as sentences. */
  wrong: { line: number; why: string }[];
}

/** One of these says whom. */
export interface Source {
  ids?: readonly string[];
  segments?: readonly string[];
  filter?: Filter;
  /** Read by what it holds; - is standard input. */
  file?: string;
}

class Once {
  readonly listed: TargetList;
  readonly #seen = new Set<string>();

  constructor(kind: TargetList["kind"] = "user") {
    this.listed = { kind, targets: [], duplicates: [], wrong: [] };
  }

  add(target: Target): void {
    if (this.#seen.has(target.id)) return void this.listed.duplicates.push(target.id);
    this.#seen.add(target.id);
    this.listed.targets.push(target);
  }

  wrong(line: number, fault: CommandError): void {
    this.listed.wrong.push({ line, why: fault.message.replace(/\.$/, "") });
  }
}

/** Targets of a file. Throws `CommandError` for no file, and for one that cannot be read as a whole. */
export async function targetsInFile(call: FileReading, file: string): Promise<TargetList> {
  const once = new Once();
  for await (const { at, json, cells, fault } of readRecords(call, file, { ids: PERSON_FIELDS })) {
    const columns: Record<string, unknown> = cells ?? json ?? {};
    const id = idOfRecord(columns, PERSON_FIELDS);
    if (fault) once.wrong(at, fault);
    else if (id === undefined) once.wrong(at, recordError(at, "has no id"));
    else if (!isUserId(id)) once.wrong(at, recordError(at, `has '${id}' for an id, which is none`));
    else once.add({ id, columns });
  }
  return once.listed;
}

async function ofSegments(call: AudienceCall, names: readonly string[]): Promise<TargetList> {
  const segments: Segment[] = [];
  for (const id of names) segments.push((await call.core.call("getSegment", { path: { id } })).segment);
  const kinds = new Set(segments.map(({ type }) => type));
  if (kinds.size > 1)
    throw new CommandError(
      "rejected",
      "The segments are of two types: users and channels do not go together.",
    );
  const channels = kinds.has("channel");
  const once = new Once(channels ? "channel" : "user");
  for (const segment of segments) {
    // Channels of the sender, or of a filter, are known to the provider alone.
    if (channels && (segment.all_sender_channels || segment.filter)) continue;
    const ids = channels ? await idsOfTargets(call, segment.id) : await idsOfSegment(call, segment);
    for (const id of ids) once.add({ id });
  }
  // Somebody in two segments is no slip.
  return { ...once.listed, duplicates: [] };
}

export async function targetsOf(
  call: AudienceCall & FileReading,
  { ids, segments, filter, file }: Source,
): Promise<TargetList> {
  if (file !== undefined) return targetsInFile(call, file);
  if (segments !== undefined) return ofSegments(call, segments);
  const once = new Once();
  for (const id of ids ?? (await idsByFilter(call, filter ?? {}))) once.add({ id });
  return once.listed;
}
