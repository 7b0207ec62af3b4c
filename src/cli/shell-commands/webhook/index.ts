/** `parley webhook …`: receives, checks and replays a provider's webhooks on this machine. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { WEBHOOK_LISTEN_ARGS, WEBHOOK_VERIFY_ARGS, WEBHOOK_REPLAY_ARGS } from "./args.ts";

const scripts = commandInGroup("Scripts");

export const webhookCommands: Readonly<Record<string, ShellCommand>> = {
  "webhook listen": scripts({
    summary: "Receive webhooks on this machine, verify and print them",
    examples: [
      "webhook listen --register --jq .event.type",
      "webhook listen --port 4200 --forward-to http://127.0.0.1:3000/hooks --out hooks.ndjson",
    ],
    args: WEBHOOK_LISTEN_ARGS,
    load: () => import("./listen.ts"),
  }),
  "webhook verify": scripts({
    summary: "Verify the signature of a webhook's body",
    examples: [
      "webhook verify body.json --signature 5f3a41d0",
      'webhook verify - --signature "$SIGNATURE" < body.json',
    ],
    args: WEBHOOK_VERIFY_ARGS,
    allowsDryRun: true,
    load: () => import("./verify.ts"),
  }),
  "webhook replay": scripts({
    summary: "Resend recorded webhooks exactly as they arrived",
    examples: [
      "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks",
      "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks --id 7f3c",
    ],
    args: WEBHOOK_REPLAY_ARGS,
    load: () => import("./replay.ts"),
  }),
};
