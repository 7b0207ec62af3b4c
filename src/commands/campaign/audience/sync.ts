/** Makes the targets of a segment match a list, in batches; a killed run can simply be repeated. */
import { CommandError } from "../../base/define-command.ts";
import { idsOfTargets, inGroups, type AudienceCall } from "./people.ts";

interface Difference {
  add: string[];
  remove: string[];
  kept: number;
}

export function differenceOf(now: readonly string[], target: readonly string[]): Difference {
  const [current, needed] = [new Set(now), new Set(target)];
  return {
    add: target.filter((id) => !current.has(id)),
    remove: now.filter((id) => !needed.has(id)),
    kept: now.filter((id) => needed.has(id)).length,
  };
}

/** Default targets per request; the maximum would make requests slow. */
const CHUNK = 1000;

/** Called after each request. */
type ChunkDone = (n: number, of: number, ids: readonly string[], result: "added" | "removed") => void;

/** Runs a step, or plans it in a dry run (undefined). */
interface StepRunner {
  take<T>(step: () => Promise<T>): Promise<T | undefined>;
}

export async function changeTargetsOf(
  call: AudienceCall,
  segment: string,
  { add, remove }: Pick<Difference, "add" | "remove">,
  { steps, chunk = CHUNK, done = () => {} }: { steps: StepRunner; chunk?: number; done?: ChunkDone },
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

/** Throws `CommandError` (conflict) when the targets differ, because somebody else changes them. */
export async function verifyTargets(
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
