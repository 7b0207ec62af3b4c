/** Records when each part of a channel last changed, so that neither an older event nor a late answer overwrites it (specification/state.md §2). */
import type { EventEnvelope } from "../../wire/events.ts";
import { normalTime } from "../../wire/time.ts";
import type { ChannelPart } from "./internal-state.ts";
import type { StateDraft } from "./state-draft.ts";

/** Parts recorded per channel; the oldest are dropped first, because no request from before them is still running. */
const MAX_PART_VERSIONS = 1000;

/** True when `event` is not older than the last change of this part; it is recorded as the last change then. */
export function takeIfNewer(
  draft: StateDraft,
  cid: string,
  part: ChannelPart,
  event: EventEnvelope,
): boolean {
  const moment = normalTime(event.created_at) ?? "";
  if (moment < partChangedAt(draft, cid, part)) return false;
  recordPartChange(draft, cid, part, moment);
  return true;
}

/** Time of the newest change; empty when there was none. */
export function partChangedAt(draft: StateDraft, cid: string, part: ChannelPart): string {
  return draft.peekMeta(cid).partVersions.get(part)?.at ?? "";
}

/** `at` is a normal time; absent when something other than an event changed the part. */
export function recordPartChange(draft: StateDraft, cid: string, part: ChannelPart, at?: string): void {
  const meta = draft.meta(cid);
  const version = { at: at ?? partChangedAt(draft, cid, part), revision: draft.revision };
  const partVersions = draft.writable(meta.partVersions);
  partVersions.delete(part);
  partVersions.set(part, version);
  if (partVersions.size > MAX_PART_VERSIONS) partVersions.delete(partVersions.keys().next().value!);
  meta.partVersions = partVersions;
}

/** The parts changed since revision `since`: an answer requested then does not include these changes. */
export function partsChangedSince(
  draft: StateDraft,
  cid: string,
  since: number | undefined,
): ReadonlySet<string> {
  const later = [...draft.peekMeta(cid).partVersions].filter(
    ([, { revision }]) => revision > (since ?? Infinity),
  );
  return new Set(later.map(([part]) => part));
}

/** The ids of users or messages in these parts. */
export function idsOfParts(
  parts: ReadonlySet<string>,
  ...subjects: ("member" | "ban" | "watch" | "location")[]
): ReadonlySet<string> {
  const ids = [...parts].flatMap((part) => {
    const subject = subjects.find((each) => part.startsWith(`${each} `));
    return subject === undefined ? [] : [part.slice(subject.length + 1)];
  });
  return new Set(ids);
}

/** The values of an answer, except for these ids, whose current values stay. */
export function keepChanged<V>(
  answered: ReadonlyMap<string, V>,
  held: ReadonlyMap<string, V>,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, V> {
  if (ids.size === 0) return answered;
  const next = new Map(answered);
  for (const id of ids) {
    const value = held.get(id);
    if (value === undefined) next.delete(id);
    else next.set(id, value);
  }
  return next;
}
