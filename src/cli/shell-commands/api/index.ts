/** `parley api`: calls any operation of the provider. */
import { shellCommand } from "../../base/shell-command.ts";
import { API_ARGS } from "./args.ts";

export const api = shellCommand({
  summary: "Call an operation of the provider's API",
  group: "Scripts",
  examples: [
    "api GET /channels/messaging/ops",
    "api getMessage --field id=ana-7f3c",
    "api queryChannels --input - < query.json",
    "api --list",
  ],
  args: API_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
