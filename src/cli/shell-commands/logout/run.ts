/** `parley logout`: removes the stored token or secret of a profile; the profile stays. */
import { removeFrames } from "../../../config/frames.ts";
import { removeSecret } from "../../../config/secrets.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ONE_PROFILE } from "../profile/args.ts";
import { profileOf } from "../profile/profile.ts";

const logout: ShellRun<typeof ONE_PROFILE> = async (shell, { name }) => {
  const profile = profileOf(shell, name);
  if (profile.kind === "local")
    throw new ExitError(6, "The embedded provider needs no sign-in, so there is nothing to remove.");
  await removeSecret(shell.env, profile);
  removeFrames(shell.env, profile.name);
  if (shell.settings.profile === profile.name) await shell.host.saveSetting("profile", undefined);
  printNotice(shell, `removed the secret of ${profile.name}`);
  return 0;
};
export default logout;
