/** `parley profile data`: shows where the data of a profile's app are on this machine, and decides whom they belong to. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { addressOf } from "../../../model/address.ts";
import { ExitError } from "../../base/exit.ts";
import { showFields } from "../../output/results.ts";
import { profileOf, ONE_PROFILE } from "./profile.ts";

export default command({
  shell: true,
  summary: "Show where the data of a profile's app are on this machine",
  examples: ["profile data", "profile data work --same https://chat.example"],
  args: {
    ...ONE_PROFILE,
    same: { kind: "text", value: "url", help: "Its key was used at this address before, for the same app" },
    new: { kind: "flag", help: "Its app is another one than that of the same key elsewhere" },
  },
  async run(shell: Shell, { name, same, new: isNew }) {
    const profile = profileOf(shell, name);
    if (same !== undefined && isNew) throw new ExitError(2, "--same and --new contradict each other.");
    if (same !== undefined && !URL.canParse(same))
      throw new ExitError(2, `--same ${same} is not an address.`);
    if (same !== undefined || isNew)
      shell.host.decideApp(profile.name, same === undefined ? undefined : addressOf(same));
    const found = await shell.host.localData(profile.name);
    if (!found) throw new ExitError(3, "The embedded provider has not run yet, so there are no data.");
    const { profiles, undecided, ...fields } = found;
    return showFields(shell, { profile: profile.name, ...fields, shared_with: profiles, undecided });
  },
});
