/** When each part of a channel was told last, so that neither an older event nor a late answer takes it back (specification/state.md §2). */
import type { EventEnvelope } from "../../wire/events.ts";
import { normalTime } from "../../wire/time.ts";
import type { ToldPart } from "./internal-state.ts";
import type { StateDraft } from "./state-draft.ts";

/** Tellings that are kept of a channel; those of long ago go first, because no answer of before them is still on its way. */
const MAX_TELLINGS = 1000;

/** True when `event` is not older than what was last told of this part; it is remembered then. */
export function isNewer(draft: StateDraft, cid: string, part: ToldPart, event: EventEnvelope): boolean {
  const moment = normalTime(event.created_at) ?? "";
  if (moment < toldAt(draft, cid, part)) return false;
  noteTold(draft, cid, part, moment);
  return true;
}

/** Moment of the newest telling; empty when there was none. */
export function toldAt(draft: StateDraft, cid: string, part: ToldPart): string {
  return draft.peekMeta(cid).told.get(part)?.at ?? "";
}

/** `at` is a normal time; without one the part has changed by something else than an event of its own. */
export function noteTold(draft: StateDraft, cid: string, part: ToldPart, at?: string): void {
  const meta = draft.meta(cid);
  const telling = { at: at ?? toldAt(draft, cid, part), revision: draft.revision };
  const told = draft.writable(meta.told);
  told.delete(part);
  told.set(part, telling);
  if (told.size > MAX_TELLINGS) told.delete(told.keys().next().value!);
  meta.told = told;
}

/** The parts that were told after an answer was asked for at `since`: it knows nothing of that. */
export function toldSince(draft: StateDraft, cid: string, since: number | undefined): ReadonlySet<string> {
  const later = [...draft.peekMeta(cid).told].filter(([, { revision }]) => revision > (since ?? Infinity));
  return new Set(later.map(([part]) => part));
}

/** The ids of users or messages among these parts. */
export function idsOf(
  told: ReadonlySet<string>,
  ...subjects: ("member" | "ban" | "watch" | "location")[]
): ReadonlySet<string> {
  const ids = [...told].flatMap((part) => {
    const subject = subjects.find((each) => part.startsWith(`${each} `));
    return subject === undefined ? [] : [part.slice(subject.length + 1)];
  });
  return new Set(ids);
}

/** What an answer tells, with what was told since in its place. */
export function withTold<V>(
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
