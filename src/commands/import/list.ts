/** Lists imports, the newest first. */
import { IMPORTS_LIMIT, MAX_OFFSET } from "../../wire/constants.ts";
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List imports",
  examples: ["import list"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run(call) {
    let offset = Number(call.page.next ?? 0);
    for (let given = 0; given < call.page.limit && offset <= MAX_OFFSET;) {
      const limit = Math.min(call.page.size ?? IMPORTS_LIMIT[1], IMPORTS_LIMIT[1], call.page.limit - given);
      const { import_tasks: tasks } = await call.core.call("listImports", { query: { limit, offset } });
      yield* tasks;
      given += tasks.length;
      offset += tasks.length;
      if (tasks.length < limit) return;
    }
    call.page.more?.(String(offset));
  },
  show: (task) =>
    rowView({
      import: task.id,
      state: task.state,
      mode: task.mode,
      bytes: task.size,
      created: task.created_at,
    }),
});
