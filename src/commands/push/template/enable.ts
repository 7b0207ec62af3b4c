/** Turns the pushes of an event through one push provider on; its template stays. */
import { command } from "../../base/define-command.ts";
import { TEMPLATE_ARGS, changeTemplate, templateView } from "./stored.ts";

export default command({
  summary: "Push an event through a push provider",
  changes: "provider",
  examples: [
    "push template enable apn main reaction.new",
    "push template enable firebase main message.updated",
  ],
  args: TEMPLATE_ARGS,
  needs: "secret",
  run: ({ args, core }) => changeTemplate(core, args, { enable: true }),
  show: templateView,
});
