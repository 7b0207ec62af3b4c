/** Waits for a task: exits with 1 when it failed, 8 when the time is up (specification/command-line.md §1). */
import { command } from "../base/define-command.ts";
import { waitForTask, WITHIN } from "../base/poll-task.ts";
import { taskFields } from "./view.ts";

export default command({
  summary: "Wait for a task to finish",
  changes: "nothing",
  examples: ["task wait 5b2c41d0", "task wait 5b2c41d0 --within 60s"],
  args: { task: { kind: "text", positional: true, help: "The task" }, within: WITHIN },
  needs: "secret",
  run: (call) => waitForTask(call, call.args.task, { within: call.args.within, label: "task" }),
  show: taskFields,
});
