/** `parley logout`: removes the token or secret of a profile. */
import { shellCommand } from "../../base/shell-command.ts";
import { ONE_PROFILE } from "../profile/args.ts";

export const logout = shellCommand({
  summary: "Remove a profile's token or secret from this machine",
  group: "Setup",
  examples: ["logout work", "logout"],
  args: ONE_PROFILE,
  load: () => import("./run.ts"),
});
