/** `parley local import`: imports a file of messages into the embedded provider, converting other formats first. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import path from "node:path";
import { convertForeign } from "../../../commands/import/convert.ts";
import { EXPORT_FILE, EXPORT_SOURCES } from "../../../commands/import/sources.ts";
import { aboutGiven, spoolInput } from "../../base/spool.ts";
import { importItems, onLocal } from "./on-local.ts";

export default command({
  shell: true,
  summary: "Import messages into the embedded provider, also from another service",
  examples: ["local import items.jsonl", "local import slack-export.zip"],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: `An import file, ${EXPORT_FILE}`,
    },
    source: {
      kind: "choice",
      choices: EXPORT_SOURCES,
      default: "auto",
      help: "What kind of file it is; auto detects it, export is a channel export",
    },
    replace: {
      kind: "flag",
      help: "Overwrite what exists with what the file says; by default the file only adds to it",
    },
  },
  run: async (shell: Shell, { file: named, source, replace }) =>
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
      } catch (error) {
        throw spool ? aboutGiven(error, spool.file, named) : error;
      } finally {
        spool?.remove();
      }
    }),
});
