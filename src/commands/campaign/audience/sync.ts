/** Makes the list of a segment match a wanted list, in batches; a run that was killed goes on where it was. */
import { CommandError } from "../../base/define-command.ts";
import { idsOfTargets, inGroups, type AudienceCall } from "./people.ts";

interface Difference {
  add: string[];
  remove: string[];
  kept: number;
}

/** What would have to change. */
export function differenceOf(now: readonly string[], wanted: readonly string[]): Difference {
  const [there, needed] = [new Set(now), new Set(wanted)];
  return {
    add: wanted.filter((id) => !there.has(id)),
    remove: now.filter((id) => !needed.has(id)),
    kept: now.filter((id) => needed.has(id)).length,
  };
}

/** Targets a call, when nobody says: what a call takes at most makes a long one. */
const CHUNK = 1000;

/** Told of each part that is done: which of how many, and whom it put in or took out. */
type ChunkDone = (n: number, of: number, ids: readonly string[], result: "added" | "removed") => void;

/** Takes one step, or notes what it would be: undefined in a dry run. */
interface StepTaker {
  take<T>(step: () => Promise<T>): Promise<T | undefined>;
}

export async function changeTargetsOf(
  call: AudienceCall,
  segment: string,
  { add, remove }: Pick<Difference, "add" | "remove">,
  { steps, chunk = CHUNK, done = () => {} }: { steps: StepTaker; chunk?: number; done?: ChunkDone },
): Promise<void> {
  const parts = [
    ...inGroups(add, chunk).map((ids) => ({ route: "addSegmentTargets", result: "added", ids }) as const),
    ...inGroups(remove, chunk).map(
      (ids) => ({ route: "deleteSegmentTargets", result: "removed", ids }) as const,
    ),
  ];
  for (const [i, { route, ids, result }] of parts.entries()) {
    call.signal.throwIfAborted();
    const body = { target_ids: ids };
    const reply = await steps.take(() => call.core.call(route, { path: { id: segment }, body }));
    if (reply === undefined) continue;
    done(i + 1, parts.length, ids, result);
    call.progress(i + 1, parts.length, "parts of the segment");
  }
}

/** Throws `CommandError` (conflict) when the list is not what it should be: somebody else writes to it. */
export async function needTargets(
  call: AudienceCall,
  segment: string,
  wanted: readonly string[],
): Promise<void> {
  const { add, remove } = differenceOf(await idsOfTargets(call, segment), wanted);
  if (add.length + remove.length === 0) return;
  throw new CommandError(
    "conflict",
    `Segment ${segment} is not what it should be, ${add.length} targets are missing and ${remove.length} too many: nothing was started.`,
    "Run the same command again.",
  );
}
