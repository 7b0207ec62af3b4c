/** Detects what the embedded provider stores during a request: a refused request must change nothing. */
import { setImmediate as turn } from "node:timers/promises";
import type { World } from "./world.ts";

/** Records changes of the database from now on; the returned function gives their size in bytes, 0 for none. */
export function watchStored(world: World): () => number {
  const session = world.provider.transact((_emit, db) => db.raw.createSession());
  return () => {
    const { length } = session.changeset();
    session.close();
    return length;
  };
}

/** Waits for jobs of earlier requests, so that their writes are not counted for the next request. */
export async function jobsAreOver(world: World): Promise<void> {
  const open = (): boolean =>
    world.provider.transact(
      (_emit, db) =>
        db.get(
          `SELECT 1 FROM tasks WHERE open = 1 UNION ALL SELECT 1 FROM campaigns WHERE status = 'in_progress'
           UNION ALL SELECT 1 FROM imports WHERE state NOT IN ('analyze_failed', 'completed', 'failed')
           UNION ALL SELECT 1 FROM erasures`,
        ) !== undefined,
    );
  while (open()) await turn();
  // The note that freed pages wait for a checkpoint would be removed at any time.
  world.provider.transact((_emit, db) => db.run("DELETE FROM freed_content"));
}
