/** Stores the template that a push provider is sent for an event, and turns it on. */
import { foreignInPush } from "../../base/foreign-placeholders.ts";
import { readTextFile } from "../../base/json.ts";
import { CommandError, command } from "../../base/define-command.ts";
import { TEMPLATE_ARGS, changeTemplate, templateView } from "./stored.ts";

export default command({
  summary: "Store the push template of an event, and push that event",
  changes: "provider",
  examples: [
    "push template set firebase main message.new --file firebase.json",
    "push template set apn main message.new --default",
  ],
  args: {
    ...TEMPLATE_ARGS,
    file: { kind: "file", short: "f", help: "The template as JSON, in handlebars; - reads standard input" },
    default: { kind: "flag", help: "Use the service's own template again" },
  },
  needs: "secret",
  async run(call) {
    const { file, default: isDefault, ...which } = call.args;
    if (isDefault === (file !== undefined))
      throw new CommandError(
        "usage",
        isDefault ? "--file and --default cannot be combined." : "Nothing to store.",
        "Give --file with the template, or --default.",
      );
    const template = file === undefined ? "" : await readTextFile(call, file);
    const foreign = foreignInPush("The template,", template);
    if (foreign.length > 0) throw new CommandError("rejected", foreign.join("; "));
    return changeTemplate(call.core, which, { enable: true, template });
  },
  show: templateView,
});
