/** `parley logout`: a profile without its token or secret. */
import { shellCommand } from "../../base/shell-command.ts";
import { ONE_PROFILE } from "../profile/index.ts";

export const logout = shellCommand({
  summary: "Forget a profile's token or secret",
  group: "Setup",
  examples: ["logout work"],
  args: ONE_PROFILE,
  load: () => import("./run.ts"),
});
