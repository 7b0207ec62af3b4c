/** `parley webhook …`: receives, checks and replays a provider's webhooks on this machine. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const WEBHOOK_LISTEN_ARGS = {
  port: { kind: "number", from: 0, to: 65_535, help: "TCP port on loopback; 0 picks a free one" },
  forwardTo: { kind: "text", value: "url", help: "Forward each webhook unchanged to this address" },
  out: { kind: "file", help: "Record each webhook in this file for webhook replay" },
  register: flag("Have the embedded provider send its webhooks here while this runs"),
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;

export const WEBHOOK_VERIFY_ARGS = {
  file: { kind: "file", place: "positional", help: "The body exactly as received; - reads standard input" },
  signature: { kind: "text", value: "hex", required: true, help: "Value of the X-Signature header" },
} as const satisfies Args;

export const WEBHOOK_REPLAY_ARGS = {
  file: { kind: "file", place: "positional", help: "The file that webhook listen --out wrote" },
  forwardTo: { kind: "text", value: "url", required: true, help: "Address to send them to" },
  id: { kind: "list", value: "id", help: "Only this webhook (repeatable)" },
} as const satisfies Args;

export const webhookCommands: Readonly<Record<string, ShellCommand>> = {
  "webhook listen": shellCommand({
    summary: "Receive webhooks on this machine, verify and print them",
    group: "Scripts",
    examples: [
      "webhook listen --register --jq .event.type",
      "webhook listen --port 4200 --forward-to http://127.0.0.1:3000/hooks --out hooks.ndjson",
    ],
    args: WEBHOOK_LISTEN_ARGS,
    load: () => import("./listen.ts"),
  }),
  "webhook verify": shellCommand({
    summary: "Verify the signature of a webhook's body",
    group: "Scripts",
    examples: [
      "webhook verify body.json --signature 5f3a41d0",
      'webhook verify - --signature "$SIGNATURE" < body.json',
    ],
    args: WEBHOOK_VERIFY_ARGS,
    dry: true,
    load: () => import("./verify.ts"),
  }),
  "webhook replay": shellCommand({
    summary: "Resend recorded webhooks exactly as they arrived",
    group: "Scripts",
    examples: [
      "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks",
      "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks --id 7f3c",
    ],
    args: WEBHOOK_REPLAY_ARGS,
    load: () => import("./replay.ts"),
  }),
};
