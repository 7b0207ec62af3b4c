/** `parley event listen`: prints live events for programs. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { LISTEN_ARGS } from "./args.ts";

export const eventShellCommands: Readonly<Record<string, ShellCommand>> = {
  "event listen": shellCommand({
    summary: "Print live events, one line of JSON each",
    group: "Scripts",
    examples: [
      "event listen",
      "event listen message.new 'reaction.*' -c '#ops' --jq .type",
      "event listen 'poll.*' --exit-after 1h",
    ],
    args: LISTEN_ARGS,
    allowsDryRun: true,
    load: () => import("./listen.ts"),
  }),
};
