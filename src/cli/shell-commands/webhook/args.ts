/** Arguments of `parley webhook …`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const WEBHOOK_LISTEN_ARGS = {
  port: { kind: "number", from: 0, to: 65_535, help: "TCP port on loopback; 0 picks a free one" },
  forwardTo: { kind: "text", value: "url", help: "Forward each webhook unchanged to this address" },
  out: { kind: "file", help: "Record each webhook in this file for webhook replay" },
  register: flagRow("Have the embedded provider send its webhooks here while this runs"),
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;

export const WEBHOOK_VERIFY_ARGS = {
  file: { kind: "file", positional: true, help: "The body exactly as received; - reads standard input" },
  signature: { kind: "text", value: "hex", required: true, help: "Value of the X-Signature header" },
} as const satisfies Args;

export const WEBHOOK_REPLAY_ARGS = {
  file: { kind: "file", positional: true, help: "The file that webhook listen --out wrote" },
  forwardTo: { kind: "text", value: "url", required: true, help: "Address to send them to" },
  id: { kind: "list", value: "id", help: "Only this webhook (repeatable)" },
} as const satisfies Args;
