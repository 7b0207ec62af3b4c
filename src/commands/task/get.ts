/** Shows the state of a task. */
import { command } from "../base/define-command.ts";
import { taskFields } from "./view.ts";

export default command({
  summary: "Show the progress of a task",
  changes: "nothing",
  examples: ["task get 5b2c41d0", "task get 5b2c41d0 --jq .status"],
  args: { task: { kind: "text", positional: true, help: "The task" } },
  needs: "secret",
  run: (call) => call.core.call("getTask", { path: { id: call.args.task } }),
  show: taskFields,
});
