/** Runs a command with a server-side client of the embedded provider. */
import { rmSync } from "node:fs";
import { makeTemporaryFolder } from "../../../model/files/temporary-folder.ts";
import { importFile } from "../../../commands/import/upload.ts";
import type { Args, Call } from "../../../commands/base/define-command.ts";
import { count } from "../../../text/words.ts";
import { openProgress } from "../../base/progress.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { unusedError } from "../../../commands/import/unused.ts";
import type { ImportTask, Unused } from "../../../wire/entities/import.ts";
import { showOne } from "../../output/results.ts";
import { callDefaults, guardedCore } from "../../run/run.ts";

type LocalCall = Pick<Call<Args>, "core" | "signal" | "progress" | "now">;

/** `folder` is a temporary folder, deleted afterwards. */
export async function onLocal<T>(
  shell: Shell,
  command: string,
  use: (call: LocalCall, folder: string) => Promise<T>,
): Promise<T> {
  const opened = await shell.host.open({
    profile: "local",
    server: true,
    inMemory: true,
    calls: callDefaults(shell),
  });
  const progress = openProgress(shell);
  const folder = makeTemporaryFolder();
  try {
    return await use(
      {
        core: guardedCore(shell, opened, command),
        signal: shell.signal,
        progress: progress.step,
        now: () => shell.host.now(),
      },
      folder,
    );
  } finally {
    progress.end();
    rmSync(folder, { recursive: true, force: true });
    await opened.close();
  }
}

/** Imports a file of items, and prints the counts and what was not used, also by its conversion. Throws as `importFile` and `unusedError` do. */
export async function importItems(
  shell: Shell,
  call: LocalCall,
  file: string,
  { replace = false, unused: unconverted = [] }: { replace?: boolean; unused?: Unused[] } = {},
): Promise<number> {
  const mode = replace ? "replace" : "complete";
  const { state, result } = await importFile({ ...call, dry: false, args: { file } }, async (uploaded) => {
    const answer = await shell.host.local.control("import", { path: uploaded, mode });
    return answer.import_task as ImportTask;
  });
  call.progress(1, 1, "imported");
  const stats: Record<string, number> = { ...result?.stats?.total };
  const counts = Object.entries(stats).map(([name, n]) => count(n, name.replace(/s$/, "")));
  const unused = [...unconverted, ...(result?.unused ?? [])];
  const shown = { state, stats, errors: [], unused };
  await showOne(shell, shown, `${state}: ${counts.join(", ")}`);
  const error = unusedError(unused, (line) => printNotice(shell, line));
  if (error) throw error;
  return 0;
}
