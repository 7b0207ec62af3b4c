/** `parley screen list`: lists the chat screens open on this machine. */
import type { Shell } from "../../base/shell.ts";
import { rowOf, command } from "../../../commands/base/define-command.ts";
import { openScreens } from "../../../config/screens.ts";
import { showList } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "List the chat screens open on this machine",
  examples: ["screen list", "screen list --json"],
  aliases: ["ls"],
  allowsDryRun: true,
  run: async (shell: Shell) =>
    showList(shell, await openScreens(shell.env), (screen) =>
      rowOf(screen, { pid: "pid", profile: "profile", user: "user", channel: "channel" }),
    ),
});
