/** Arguments of `parley send`. */
import messageSend from "../../../commands/message/send.ts";
import { REPORT_ARGS } from "../../../commands/base/bulk/report.ts";
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

const { channel: _channel, text, ...messageFlags } = messageSend.args;

export const SEND_ARGS = {
  channel: { kind: "channel", positional: true, help: "type:id, #id or @user" },
  text,
  ...messageFlags,
  lines: flagRow("Send each line of standard input as a message"),
  code: { kind: "text", value: "language", help: "Format the text as code in this language" },
  split: flagRow("Split an over-long text into several messages at line ends"),
  asFile: flagRow("Send an over-long text as a file, message.txt"),
  ...REPORT_ARGS,
  queue: flagRow("Leave the message in the outbox if it cannot be sent now"),
} as const satisfies Args;
