/** `parley local export`: writes users, channels and messages of the embedded provider as an import file. */
import { exportEverything } from "../../../commands/import/everything.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { LOCAL_EXPORT_ARGS } from "./args.ts";
import { onLocal } from "./on-local.ts";

const run: ShellRun<typeof LOCAL_EXPORT_ARGS> = async (shell, { file, force }) =>
  onLocal(shell, "local export", async (call, work) => {
    const done = await exportEverything(call, file, { work, overwrite: force === true });
    call.progress(1, 1, "written");
    const left = done.left_out > 0 ? `, ${done.left_out} left out` : "";
    return showOne(shell, done, `${file}: ${done.items} items${left}`);
  });
export default run;
