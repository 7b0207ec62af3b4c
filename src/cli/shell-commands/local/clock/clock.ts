/** The clock of the embedded provider as its control interface answers it. */
import { duration } from "../../../../text/times.ts";
import type { Shell } from "../../../base/shell.ts";
import { showOne } from "../../../output/results.ts";

/** Asks for the time, moves it first where an order says so, and shows it. */
export async function showClock(shell: Shell, order: { advance_ms?: number }): Promise<number> {
  const { now, moved_ms } = (await shell.host.local.control("clock", order)) as {
    now: string;
    moved_ms: number;
  };
  const moved = moved_ms > 0 ? `, ${duration(moved_ms)} ahead of this machine` : "";
  return showOne(shell, { now, moved_ms }, `${now}${moved}`);
}
