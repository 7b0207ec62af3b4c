/** `parley logout`: removes the stored token or secret of a profile; the profile stays. */
import { command } from "../../commands/base/define-command.ts";
import { removeFrames } from "../../config/frames.ts";
import { removeSecret } from "../../config/secrets.ts";
import { ExitError } from "../base/exit.ts";
import { printNotice, type Shell } from "../base/shell.ts";
import { profileOf, ONE_PROFILE } from "./profile/profile.ts";

export default command({
  shell: true,
  group: "Setup",
  summary: "Remove a profile's token or secret from this machine",
  examples: ["logout work", "logout"],
  args: ONE_PROFILE,
  async run(shell: Shell, { name }) {
    const profile = profileOf(shell, name);
    if (profile.kind === "local")
      throw new ExitError(6, "The embedded provider needs no sign-in, so there is nothing to remove.");
    await removeSecret(shell.env, profile);
    removeFrames(shell.env, profile.name);
    if (shell.settings.profile === profile.name) await shell.host.saveSetting("profile", undefined);
    printNotice(shell, `removed the secret of ${profile.name}`);
    return 0;
  },
});
