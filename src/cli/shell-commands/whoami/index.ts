/** `parley whoami`: as whom one speaks, and where. */
import { shellCommand } from "../../base/shell-command.ts";

export const whoami = shellCommand({
  summary: "Show as whom you speak, where, and how you are signed in",
  group: "Daily",
  examples: ["whoami"],
  args: {},
  dry: true,
  load: () => import("./run.ts"),
});
