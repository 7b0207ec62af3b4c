/** Reads the targets of an audience without duplicates, with their columns, and collects invalid records. */
import type { Segment } from "../../../wire/entities/segment.ts";
import { isUserId } from "../../../wire/ids.ts";
import { CommandError, type FileReading } from "../../base/define-command.ts";
import { idOfRecord, PERSON_FIELDS, readRecords, recordError } from "../../base/bulk/records.ts";
import { idsByFilter, idsOfSegment, idsOfTargets, type AudienceCall } from "./people.ts";
import type { Filter } from "../../../wire/entities/query.ts";

export interface Target {
  id: string;
  /** Cells or fields of its record. */
  columns?: Record<string, unknown>;
}

export interface TargetList {
  kind: "user" | "channel";
  targets: Target[];
  /** Repeated ids, one entry per repetition. */
  duplicates: string[];
  /** Invalid records, with the reason as a sentence. */
  invalid: { line: number; reason: string }[];
  /** How many channels there are; missing for users, and if the provider does not count them. */
  channels?: number;
}

/** Exactly one of these is given. */
export interface AudienceSource {
  ids?: readonly string[];
  segments?: readonly string[];
  filter?: Filter;
  /** Its format is detected; - is standard input. */
  file?: string;
}

class UniqueTargets {
  readonly listed: TargetList = { kind: "user", targets: [], duplicates: [], invalid: [] };
  readonly #seen = new Set<string>();

  add(target: Target): void {
    if (this.#seen.has(target.id)) return void this.listed.duplicates.push(target.id);
    this.#seen.add(target.id);
    this.listed.targets.push(target);
  }

  addInvalid(line: number, fault: CommandError): void {
    this.listed.invalid.push({ line, reason: fault.message.replace(/\.$/, "") });
  }
}

/** Throws `CommandError` for a file that cannot be read. */
export async function targetsInFile(call: FileReading, file: string): Promise<TargetList> {
  const unique = new UniqueTargets();
  for await (const { number, json, cells, fault } of readRecords(call, file, { ids: PERSON_FIELDS })) {
    const columns: Record<string, unknown> = cells ?? json ?? {};
    const id = idOfRecord(columns, PERSON_FIELDS);
    if (fault) unique.addInvalid(number, fault);
    else if (id === undefined) unique.addInvalid(number, recordError(number, "has no id"));
    else if (!isUserId(id))
      unique.addInvalid(number, recordError(number, `has '${id}' for an id, which is none`));
    else unique.add({ id, columns });
  }
  return unique.listed;
}

async function targetsOfSegments(call: AudienceCall, names: readonly string[]): Promise<TargetList> {
  const segments: Segment[] = [];
  for (const id of names) segments.push((await call.core.call("getSegment", { path: { id } })).segment);
  const kinds = new Set(segments.map(({ type }) => type));
  if (kinds.size > 1)
    throw new CommandError(
      "rejected",
      "The segments have different types: users and channels cannot be combined.",
    );
  if (kinds.has("channel")) return channelsOfSegments(call, segments);
  const unique = new UniqueTargets();
  for (const segment of segments) for (const id of await idsOfSegment(call, segment)) unique.add({ id });
  // Being in two segments is not a mistake.
  return { ...unique.listed, duplicates: [] };
}

/** Lists the channels of manual segments and counts all; one that two filters select counts twice. */
export async function channelsOfSegments(
  call: AudienceCall,
  segments: readonly Segment[],
): Promise<TargetList> {
  const ids = new Set<string>();
  let selected = 0;
  for (const segment of segments)
    // Only the provider knows the channels of a filter and those of the sender.
    if (segment.filter) selected += segment.size;
    else if (!segment.all_sender_channels) for (const id of await idsOfTargets(call, segment.id)) ids.add(id);
  const targets = Array.from(ids, (id) => ({ id }));
  const counted = !segments.some((segment) => segment.all_sender_channels);
  const channels = counted ? { channels: ids.size + selected } : {};
  return { kind: "channel", targets, duplicates: [], invalid: [], ...channels };
}

export async function targetsOf(
  call: AudienceCall & FileReading,
  { ids, segments, filter, file }: AudienceSource,
): Promise<TargetList> {
  if (file !== undefined) return targetsInFile(call, file);
  if (segments !== undefined) return targetsOfSegments(call, segments);
  const unique = new UniqueTargets();
  for (const id of ids ?? (await idsByFilter(call, filter ?? {}))) unique.add({ id });
  return unique.listed;
}
