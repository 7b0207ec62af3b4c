/** Writes figures for a benchmark on SIGUSR2, to the file named by PARLEY_STATS. */
import { renameSync, writeFileSync } from "node:fs";
import type { FacadeCounters } from "../terminal/out-facade.ts";

/** Does nothing without a file; returns a function that stops it. CPU in microseconds, memory in bytes. */
export function writeStatsOnSignal(file: string | undefined, counters: () => FacadeCounters): () => void {
  if (!file || process.platform === "win32") return () => {};
  const writeStats = (): void => {
    const { user, system } = process.cpuUsage();
    const { frames, writes, units } = counters();
    // Renamed into place, so that no half-written file is read.
    writeFileSync(
      `${file}.part`,
      JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss(), frames, writes, units }),
      {
        mode: 0o600,
      },
    );
    renameSync(`${file}.part`, file);
  };
  process.on("SIGUSR2", writeStats);
  return () => process.off("SIGUSR2", writeStats);
}
