/** Reads, moves and prints the clock of the embedded provider. */
import { duration } from "../../../../text/times.ts";
import type { Shell } from "../../../base/shell.ts";
import { showOne } from "../../../output/results.ts";

/** Advances the clock if requested, and prints it. */
export async function showClock(shell: Shell, change: { advance_ms?: number }): Promise<number> {
  const { now, moved_ms } = (await shell.host.local.control("clock", change)) as {
    now: string;
    moved_ms: number;
  };
  const moved = moved_ms > 0 ? `, ${duration(moved_ms)} ahead of this machine` : "";
  return showOne(shell, { now, moved_ms }, `${now}${moved}`);
}
