/** `parley local export`: writes users, channels and messages of the embedded provider as an import file. */
import { exportEverything } from "../../../commands/import/everything.ts";
import { unusedError } from "../../../commands/import/unused.ts";
import { printNotice } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { LOCAL_EXPORT_ARGS } from "./args.ts";
import { onLocal } from "./on-local.ts";

const run: ShellRun<typeof LOCAL_EXPORT_ARGS> = async (shell, { file, force }) =>
  onLocal(shell, "local export", async (call, work) => {
    const done = await exportEverything(call, file, { work, overwrite: force === true });
    call.progress(1, 1, "written");
    await showOne(shell, done, `${file}: ${done.items} items`);
    const error = unusedError(done.unused, (line) => printNotice(shell, line));
    if (error) throw error;
    return 0;
  });
export default run;
