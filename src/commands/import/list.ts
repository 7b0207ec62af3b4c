/** Lists imports, newest first. */
import { IMPORTS_LIMIT } from "../../wire/constants.ts";
import { itemName } from "../../wire/reading.ts";
import { byOffset } from "../base/lists/by-offset.ts";
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List imports",
  changes: "nothing",
  examples: ["import list", "import list --all --json=id,state"],
  aliases: ["ls"],
  needs: "secret",
  run: ({ core, page }) =>
    byOffset(
      page,
      IMPORTS_LIMIT[1],
      itemName("import_tasks"),
      async (query, _, once) => (await core.call("listImports", { query, ...once })).import_tasks,
    ),
  show: (task) =>
    rowOf(task, {
      import: "id",
      state: "state",
      mode: "mode",
      bytes: "size",
      created: "created_at",
    }),
});
