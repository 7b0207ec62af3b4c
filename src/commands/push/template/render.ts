/** Renders a push template for a user without sending or saving anything. */
import { foreignInPush } from "../../base/foreign-placeholders.ts";
import { readTextFile } from "../../base/json.ts";
import { command } from "../../base/define-command.ts";
import { checkedError, checkedView, PUSH_ARGS } from "../check-view.ts";

export default command({
  summary: "Render a push template for a user and report its mistakes",
  changes: "nothing",
  examples: [
    "push template render firebase.json --provider firebase --user bo",
    "push template render - --provider apn --user bo --message ana-7f3c",
  ],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: "The template as JSON, in handlebars; - reads standard input",
    },
    provider: {
      kind: "choice",
      choices: ["apn", "firebase"],
      required: true,
      help: "The push service the template is for",
    },
    ...PUSH_ARGS,
  },
  needs: "secret",
  async run(call) {
    const { file, provider, user, message } = call.args;
    const template = await readTextFile(call, file);
    const checked = await call.core.call("checkPush", {
      body: {
        user_id: user,
        skip_devices: true,
        ...(provider === "apn" ? { apn_template: template } : { firebase_template: template }),
        ...(message === undefined ? {} : { message_id: message }),
      },
    });
    const foreign = foreignInPush(`${provider}_template`, template);
    return { ...checked, general_errors: [...foreign, ...checked.general_errors] };
  },
  show: checkedView,
  fault: checkedError,
});
