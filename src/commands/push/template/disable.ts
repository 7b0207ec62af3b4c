/** Turns the pushes of an event through one push provider off; its template stays. */
import { command } from "../../base/define-command.ts";
import { TEMPLATE_ARGS, changeTemplate, templateView } from "./stored.ts";

export default command({
  summary: "Stop pushing an event through a push provider",
  changes: "provider",
  examples: [
    "push template disable apn main reaction.new",
    "push template disable firebase main message.updated",
  ],
  args: TEMPLATE_ARGS,
  needs: "secret",
  run: ({ args, core }) => changeTemplate(core, args, { enable: false }),
  show: templateView,
});
