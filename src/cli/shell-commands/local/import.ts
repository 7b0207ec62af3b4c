/** `parley local import`: imports a file of messages into the embedded provider, converting other formats first. */
import path from "node:path";
import { convertForeign } from "../../../commands/import/convert.ts";
import { spoolInput } from "../../base/spool.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { LOCAL_IMPORT_ARGS } from "./args.ts";
import { importItems, onLocal } from "./on-local.ts";

const run: ShellRun<typeof LOCAL_IMPORT_ARGS> = async (shell, { file: named, source, replace }) =>
  onLocal(shell, "local import", async (call, work) => {
    const items = path.join(work, "items.jsonl");
    const spool = named === "-" ? await spoolInput(shell.in, { signal: shell.signal }) : undefined;
    const file = spool?.file ?? named;
    try {
      const { signal } = shell;
      const { channelType } = shell.settings;
      const unused = await convertForeign({ file, source, items, channelType, signal, now: call.now() });
      return await importItems(shell, call, unused ? items : file, {
        replace: replace === true,
        unused: unused ?? [],
      });
    } finally {
      spool?.remove();
    }
  });
export default run;
