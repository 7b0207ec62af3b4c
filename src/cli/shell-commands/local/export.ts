/** `parley local export`: writes users, channels and messages of the embedded provider as an import file. */
import { command } from "../../../commands/base/define-command.ts";
import { exportEverything } from "../../../commands/import/everything.ts";
import { unusedError } from "../../../commands/import/unused.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { showOne } from "../../output/results.ts";
import { onLocal } from "./on-local.ts";

export default command({
  shell: true,
  summary: "Export all users and channels of the embedded provider to an import file",
  examples: ["local export all.jsonl", "local export all.jsonl --force"],
  args: {
    file: { kind: "file", positional: true, help: "Output file" },
    force: { kind: "flag", help: "Overwrite an existing file" },
  },
  run: async (shell: Shell, { file, force }) =>
    onLocal(shell, "local export", async (call, work) => {
      const done = await exportEverything(call, file, { work, overwrite: force === true });
      call.progress(1, 1, "written");
      await showOne(shell, done, `${file}: ${done.items} items`);
      const error = unusedError(done.unused, (line) => printNotice(shell, line));
      if (error) throw error;
      return 0;
    }),
});
