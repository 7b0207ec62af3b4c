/** Renders a push template for a user without sending or saving anything. */
import { readTextFile } from "../base/json.ts";
import { CommandError, command } from "../base/define-command.ts";
import { checkedError, checkedView, PUSH_ARGS } from "./check-view.ts";

/** Matches a placeholder without its closing braces. */
const UNCLOSED = /\{\{+(?!\{)(?!(?:[^{}"\\\n]|\\.){0,200}\}\})[^"\\\n]{0,40}/;

/** Throws `CommandError` (rejected): a provider would send an unclosed placeholder as text. */
function requireClosed(template: string): void {
  const [unclosed] = UNCLOSED.exec(template) ?? [];
  if (unclosed !== undefined)
    throw new CommandError(
      "rejected",
      `The placeholder ${unclosed.trim()} is not closed.`,
      "Write it as {{ sender.name }}.",
    );
}

export default command({
  summary: "Render a push template for a user and report its mistakes",
  changes: "nothing",
  examples: [
    "push template firebase.json --provider firebase --user bo",
    "push template - --provider apn --user bo --message ana-7f3c",
  ],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: "The template as JSON with {{ }} placeholders; - reads standard input",
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
    requireClosed(template);
    return call.core.call("checkPush", {
      body: {
        user_id: user,
        skip_devices: true,
        ...(provider === "apn" ? { apn_template: template } : { firebase_template: template }),
        ...(message === undefined ? {} : { message_id: message }),
      },
    });
  },
  show: checkedView,
  fault: checkedError,
});
