/** `parley chat`: the screen. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const CHAT_ARGS = {
  channel: { kind: "channel", place: "positional", optional: true, help: "Begin in this channel" },
  theme: {
    kind: "text",
    help: "Colours of the screen: auto, dark, light, contrast … (parley help screen)",
  },
  readOnly: flag(
    "Only look: nothing is sent, changed or marked as read, and nobody sees you type; you are online all the same",
  ),
  plain: flag("Print lines, never redraw"),
} as const satisfies Args;

export const chat = shellCommand({
  summary: "Open the chat screen, as `parley` by itself does",
  group: "Daily",
  examples: ["", "chat messaging:ops", "--as bob", "--plain", "--read-only"],
  args: CHAT_ARGS,
  load: () => import("./run.ts"),
});
