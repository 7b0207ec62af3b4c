/** `parley profile data`: shows where the data of a profile's app are on this machine, and decides whom they belong to. */
import { addressOf } from "../../../model/address.ts";
import { ExitError } from "../../base/exit.ts";
import { showFields } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { PROFILE_DATA_ARGS } from "./args.ts";
import { profileOf } from "./profile.ts";

const data: ShellRun<typeof PROFILE_DATA_ARGS> = async (shell, { name, same, new: isNew }) => {
  const profile = profileOf(shell, name);
  if (same !== undefined && isNew) throw new ExitError(2, "--same and --new contradict each other.");
  if (same !== undefined && !URL.canParse(same)) throw new ExitError(2, `--same ${same} is not an address.`);
  if (same !== undefined || isNew)
    shell.host.decideApp(profile.name, same === undefined ? undefined : addressOf(same));
  const found = await shell.host.localData(profile.name);
  if (!found) throw new ExitError(3, "The embedded provider has not run yet, so there are no data.");
  const { profiles, undecided, ...fields } = found;
  return showFields(shell, { profile: profile.name, ...fields, shared_with: profiles, undecided });
};
export default data;
