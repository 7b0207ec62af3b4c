/** `parley profile test`: tries to reach the provider of a profile. */
import { showOne } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ONE_PROFILE } from "./args.ts";
import { profileOf } from "./profile.ts";

const test: ShellRun<typeof ONE_PROFILE> = async (shell, args) => {
  const { name } = profileOf(shell, args.name);
  const { user, ms } = await shell.host.tryProfile(name, shell.signal);
  return showOne(shell, { profile: name, user, ms, ok: true }, `${name}: signed in as ${user}, ${ms} ms`);
};
export default test;
