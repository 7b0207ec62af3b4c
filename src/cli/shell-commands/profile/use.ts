/** `parley profile use`: makes a profile the current one. */
import { command } from "../../../commands/base/define-command.ts";
import { saveSetting } from "../../../config/save.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { profileOf, NAMED_PROFILE } from "./profile.ts";

export default command({
  shell: true,
  summary: "Switch to a profile",
  examples: ["profile use work", "profile use local"],
  args: NAMED_PROFILE,
  async run(shell: Shell, args) {
    const { name } = profileOf(shell, args.name);
    await saveSetting(shell.env, "profile", name);
    printNotice(shell, `switched to profile ${name}`);
    return 0;
  },
});
