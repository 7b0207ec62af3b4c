/** Shows what would be pushed to a user and on which devices it would fail; nothing is sent. */
import { PUSHED_EVENTS, PUSH_PROVIDER_TYPES } from "../../wire/entities/push-provider.ts";
import { command } from "../base/define-command.ts";
import { checkedError, checkedView, PUSH_ARGS } from "./check-view.ts";

export default command({
  summary: "Show what would be pushed to a user, and to which devices",
  changes: "nothing",
  examples: [
    "push test --user bo",
    "push test --user bo --message ana-7f3c --provider firebase --name main",
    "push test --user bo --event reaction.new",
  ],
  args: {
    ...PUSH_ARGS,
    provider: { kind: "choice", choices: PUSH_PROVIDER_TYPES, help: "Only through this push service" },
    name: { kind: "text", value: "name", help: "Only through the push provider of this name" },
    event: { kind: "choice", choices: PUSHED_EVENTS, help: "As for this event (message.new)" },
  },
  needs: "secret",
  async run({ args, core }) {
    const { user, message, provider, name, event } = args;
    return core.call("checkPush", {
      body: {
        user_id: user,
        ...(message === undefined ? {} : { message_id: message }),
        ...(provider === undefined ? {} : { push_provider_type: provider as "apn" }),
        ...(name === undefined ? {} : { push_provider_name: name }),
        ...(event === undefined ? {} : { event_type: event }),
      },
    });
  },
  show: checkedView,
  fault: checkedError,
});
