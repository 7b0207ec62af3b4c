/** `parley local seed`: fills the embedded provider with the demo workspace or with an import file. */
import { statSync } from "node:fs";
import { importFile } from "../../../commands/import/upload.ts";
import { count } from "../../../text/words.ts";
import { ExitError } from "../../base/exit.ts";
import { showOne } from "../../output/results.ts";
import { openProgress } from "../../base/progress.ts";
import { callsOf, guarded } from "../../run/run.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { SEED_ARGS } from "./index.ts";

const seed: ShellRun<typeof SEED_ARGS> = async (shell, { what }) => {
  const { local } = shell.host;
  if (what === "demo") {
    const { seeded } = await local.control("seed", {});
    return showOne(
      shell,
      { seeded },
      seeded ? "the demo workspace is there" : "the demo workspace was there already",
    );
  }
  if (!statSync(what, { throwIfNoEntry: false })?.isFile())
    throw new ExitError(3, `There is no file ${what}.`, "local seed demo, or a file of import lines");
  const opened = await shell.host.open({
    profile: "local",
    server: true,
    forgetful: true,
    calls: callsOf(shell),
  });
  const progress = openProgress(shell);
  try {
    const { state, result } = await importFile({
      core: guarded(shell, opened, "local seed"),
      args: { file: what, mode: "upsert" },
      signal: shell.signal,
      progress: progress.step,
      now: () => shell.host.now(),
    });
    progress.end();
    const stats: Record<string, number> = { ...result?.stats?.total };
    const counts = Object.entries(stats).map(([name, n]) => count(n, name.replace(/s$/, "")));
    return await showOne(shell, { state, stats, errors: [] }, `${state}: ${counts.join(", ")}`);
  } finally {
    progress.end();
    await opened.close();
  }
};
export default seed;
