/** `parley profile test`: tries to reach the provider of a profile. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { showOne } from "../../output/results.ts";
import { profileOf, ONE_PROFILE } from "./profile.ts";

export default command({
  shell: true,
  summary: "Test the address, key and token of a profile",
  examples: ["profile test work", "profile test work --json"],
  allowsDryRun: true,
  args: ONE_PROFILE,
  async run(shell: Shell, args) {
    const { name } = profileOf(shell, args.name);
    const { user, ms } = await shell.host.tryProfile(name, shell.signal);
    return showOne(shell, { profile: name, user, ms, ok: true }, `${name}: signed in as ${user}, ${ms} ms`);
  },
});
