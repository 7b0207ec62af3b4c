/** Shows the result of a push check. */
import type { CheckPushReply } from "../../wire/entities/push-provider.ts";
import { CommandError, type View } from "../base/define-command.ts";

export const PUSH_ARGS = {
  user: { kind: "user", required: true, help: "The user who would receive it" },
  message: { kind: "message", help: "Use this message (default: the newest they can see)" },
} as const;

export const checkedView = (checked: CheckPushReply): View => ({
  kind: "text",
  lines: [
    ...(checked.rendered_apn_template ? [`apn         ${checked.rendered_apn_template}`] : []),
    ...(checked.rendered_firebase_template ? [`firebase    ${checked.rendered_firebase_template}`] : []),
    ...Object.entries(checked.rendered_message).map(([key, value]) => `${key.padEnd(12)}${value}`),
    ...Object.entries(checked.device_errors).map(
      ([device, { provider, provider_name: name, error_message: reason }]) =>
        `device      ${device} (${provider}${name ? `/${name}` : ""}): ${reason}`,
    ),
  ],
});

export const checkedError = ({ general_errors: all }: CheckPushReply): CommandError | undefined =>
  all.length === 0 ? undefined : new CommandError("rejected", `${all.join("; ")}.`);
