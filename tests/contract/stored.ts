/** What the embedded provider stores while a test asks: a refused request must leave no trace. */
import { setImmediate as turn } from "node:timers/promises";
import type { World } from "./world.ts";

/** Watches what is stored from now on; the answer is the bytes of the change, 0 when everything is as it was. */
export function watchStored(world: World): () => number {
  const session = world.provider.transact((_emit, db) => db.raw.createSession());
  return () => {
    const { length } = session.changeset();
    session.close();
    return length;
  };
}

/** What jobs of earlier requests still write is not the doing of the next one. */
export async function jobsAreOver(world: World): Promise<void> {
  const open = (): boolean =>
    world.provider.transact(
      (_emit, db) =>
        db.get(
          `SELECT 1 FROM tasks WHERE open = 1 UNION ALL SELECT 1 FROM campaigns WHERE status = 'in_progress'
           UNION ALL SELECT 1 FROM imports WHERE state NOT IN ('analyze_failed', 'completed', 'failed')`,
        ) !== undefined,
    );
  while (open()) await turn();
}
