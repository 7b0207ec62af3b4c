/** `parley whoami`: prints profile, user, kind of sign-in and the provider's address, without a request. */
import type { Shell } from "../base/shell.ts";
import { command } from "../../commands/base/define-command.ts";
import { showFields } from "../output/results.ts";

export default command({
  shell: true,
  group: "Daily",
  summary: "Show who you are signed in as, where and how",
  examples: ["whoami", "whoami --json=user,profile"],
  allowsDryRun: true,
  async run(shell: Shell) {
    const identity = await shell.host.identity();
    return showFields(shell, identity);
  },
});
