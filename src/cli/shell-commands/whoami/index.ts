/** `parley whoami`: prints the user and the provider of the profile. */
import { shellCommand } from "../../base/shell-command.ts";

export const whoami = shellCommand({
  summary: "Show who you are signed in as, where and how",
  group: "Daily",
  examples: ["whoami", "whoami --json=user,profile"],
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
