/** `parley profile remove`: the profile and its secret. */
import { removeProfile } from "../../../config/profiles.ts";
import { removeSecret } from "../../../config/secrets.ts";
import { ExitError } from "../../base/exit.ts";
import { confirm } from "../../base/prompts.ts";
import { say } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { NAMED_PROFILE } from "./index.ts";
import { wanted } from "./profile.ts";

const remove: ShellRun<typeof NAMED_PROFILE> = async (shell, args) => {
  const row = wanted(shell, args.name);
  if (row.kind === "local" && row.name === "local")
    throw new ExitError(6, "The local profile is always there.", "parley local reset forgets its data.");
  await confirm(shell, { level: "mild", question: `Remove profile ${row.name} and its secret?` });
  await removeSecret(shell.env, row);
  await removeProfile(shell.env, row.name);
  say(shell, `profile ${row.name} removed`);
  return 0;
};
export default remove;
