/** `parley chat`: opens the chat screen. */
import { shellCommand } from "../../base/shell-command.ts";
import { CHAT_ARGS } from "./args.ts";

export const chatCommand = shellCommand({
  summary: "Open the chat screen, as `parley` by itself does",
  group: "Daily",
  examples: ["", "chat team:ops", "--as bob", "--plain", "--read-only"],
  args: CHAT_ARGS,
  load: () => import("./run.ts"),
});
