/** `parley webhook …`: what a provider sends to a server, received, checked and sent again on this machine. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const WEBHOOK_LISTEN_ARGS = {
  port: { kind: "number", help: "TCP port on loopback (0 = any)" },
  forwardTo: { kind: "text", value: "url", help: "Pass each on to this address, as it came" },
  out: { kind: "file", help: "Keep each as it came, a line of JSON, for webhook replay" },
  register: flag("Have the embedded provider send here for as long as this runs"),
  exitAfter: { kind: "duration", value: "time", help: "End after this time" },
} as const satisfies Args;

export const WEBHOOK_VERIFY_ARGS = {
  file: { kind: "file", place: "positional", help: "The body as it came, or - for standard input" },
  signature: { kind: "text", value: "hex", required: true, help: "The header X-Signature" },
} as const satisfies Args;

export const WEBHOOK_REPLAY_ARGS = {
  file: { kind: "file", place: "positional", help: "What webhook listen --out has kept" },
  forwardTo: { kind: "text", value: "url", required: true, help: "Where they go" },
  id: { kind: "list", value: "id", help: "Only this one (repeat for more)" },
} as const satisfies Args;

export const webhookCommands: Readonly<Record<string, ShellCommand>> = {
  "webhook listen": shellCommand({
    summary: "Receive webhooks on this machine, check their signatures and print them",
    group: "Scripts",
    examples: [
      "webhook listen --register --jq .event.type",
      "webhook listen --port 4200 --forward-to http://127.0.0.1:3000/hooks --out hooks.ndjson",
    ],
    args: WEBHOOK_LISTEN_ARGS,
    load: () => import("./listen.ts"),
  }),
  "webhook verify": shellCommand({
    summary: "Check the signature of a webhook's body with the app's secret",
    group: "Scripts",
    examples: [
      "webhook verify body.json --signature 5f3a…",
      'webhook verify - --signature "$SIGNATURE" < body.json',
    ],
    args: WEBHOOK_VERIFY_ARGS,
    dry: true,
    load: () => import("./verify.ts"),
  }),
  "webhook replay": shellCommand({
    summary: "Send webhooks that were kept once more, as they came",
    group: "Scripts",
    examples: [
      "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks",
      "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks --id 7f3c",
    ],
    args: WEBHOOK_REPLAY_ARGS,
    load: () => import("./replay.ts"),
  }),
};
